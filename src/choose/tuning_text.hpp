// SPDX-License-Identifier: MIT
#pragma once

#include "choose/cut_offs.hpp"
#include "choose/usual_costs.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace carpool::choose {

/// By problem, the name of the candidate that was measured to be the fastest.
using Choices = std::map<std::string, std::string, std::less<>>;

/// What a tuning file knows of a machine.
struct MachineTuning {
    TunedCosts costs = {};
    TunedCutOffs cut_offs = {};
    Choices choices = {};

    std::optional<std::string> choice(std::string_view problem) const {
        const auto found = choices.find(problem);
        return found == choices.end() ? std::nullopt : std::optional(found->second);
    }
};

/// Reads the machine with that MPI from the text of a tuning file, the last one if there are
/// several. Throws std::invalid_argument for a text that is not understood.
/// @param mpi  the MPI's name in the file, or its first words, such as the name without a version
MachineTuning tuned_in(std::string_view text, std::string_view mpi);

/// The text with these choices added, in place of others for the same problems. Throws as
/// tuned_in() does.
std::string with_choices(std::string_view text, const std::string& mpi, const Choices& choices);

/// The text of an empty tuning file.
std::string no_tuning();

/// The name of an MPI in a tuning file, such as "MPICH 5.0.2", from the text of
/// MPI_Get_library_version.
std::string name_of_mpi(std::string_view library_version);

}  // namespace carpool::choose
