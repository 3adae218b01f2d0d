#pragma once

#include "choose/cut_offs.hpp"
#include "choose/usual_costs.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace carpool::choose {

/// By problem, what was found to be the fastest way to do it.
using Choices = std::map<std::string, std::string, std::less<>>;

/// What is known of a machine.
struct Tuned {
    TunedCosts costs = {};
    TunedCutOffs cut_offs = {};
    Choices choices = {};

    std::optional<std::string> choice(std::string_view problem) const {
        const auto found = choices.find(problem);
        return found == choices.end() ? std::nullopt : std::optional(found->second);
    }
};

/// What the text of a tuning file says of the machine with that MPI, the last if there are
/// several. Throws std::invalid_argument for one that is not understood.
/// @param mpi  as the file names it, or its first words: without the version
Tuned tuned_in(std::string_view text, std::string_view mpi);

/// The text with these choices besides, in place of others for the same problems. Throws as
/// tuned_in does.
std::string with_choices(std::string_view text, const std::string& mpi, const Choices& choices);

/// The text of a file that says nothing yet.
std::string no_tuning();

/// As a tuning file names an MPI, "MPICH 5.0.2", from what MPI_Get_library_version gives.
std::string name_of_mpi(std::string_view library_version);

}  // namespace carpool::choose
