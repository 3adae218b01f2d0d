// SPDX-License-Identifier: MIT
#pragma once

#include "call/context.hpp"
#include "call/family.hpp"
#include "choose/cheapest.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace carpool::call {

/// The name of an algorithm with its transport, as it is shown and remembered.
std::string name_with_transport(std::string algorithm, bool swapped_transport);

/// The candidates that costs and earlier measurements leave for a call.
struct Selection {
    /// The one that is taken, or those among which a measurement decides, by ascending cost.
    std::vector<choose::Contender> contenders = {};

    bool at_host = false;        ///< the host MPI's collective replaces the first contender
    bool host_contends = false;  ///< the host MPI's persistent collective is a contender, too
    double host_seconds = 0;     ///< as measured; 0 if it was not
    std::string problem = {};    ///< the key of a measurement's result; empty to remember none
    bool runs_ahead = false;     ///< as in CandidateSet
    mpi::Claim operation = {};   ///< what is called
    std::string function = {};   ///< as CandidateSet has it
    bool reported = true;        ///< likewise
    std::optional<choose::Machine> machine = {};
    std::int64_t held = 0;   ///< as in CandidateSet
    std::int64_t bytes = 0;  ///< as in CandidateSet, if a report is wanted
};

/// Selects the contenders of a call. Local, and the same on all ranks.
/// @param host_may  the host MPI's persistent collective may replace the request, on all ranks
Selection select(Family& family, const CallContext& context, bool host_may);

}  // namespace carpool::call
