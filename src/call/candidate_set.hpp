// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/choice_policy.hpp"
#include "choose/cheapest.hpp"
#include "choose/machine.hpp"
#include "choose/past_choices.hpp"
#include "mpi/comm/agreement.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace carpool::call {

/// The candidates of a call, and what is needed to choose one. The same on all ranks, unless a
/// member says otherwise.
struct CandidateSet {
    mpi::Claim operation;  ///< what is called

    /// The name of MPI's function on this rank, for a report; empty for the operation's wording.
    std::string function = {};

    /// The size of the call on this rank, for a report; nothing for that of the first candidate.
    std::optional<std::int64_t> bytes = {};

    /// The one that the user asks for, or all that there are.
    std::vector<choose::Candidate> candidates = {};

    choose::Machine machine;  ///< for which costs are estimated

    arguments::ChoicePolicy policy = arguments::ChoicePolicy::model;

    /// Identifies the problem with its candidates and its machine; empty if choosing is cheap.
    choose::PastChoices::Key key = {};

    /// Bytes that a rank holds with any candidate. If they are not few, a rank may lack the memory.
    std::int64_t held = 0;

    /// Whether sums round, so that their bits depend on the candidate. If so, costs choose it,
    /// unless all candidates are to be measured.
    bool rounds = false;

    /// Whether messages may go through memory or by MPI.
    bool either_transport = false;

    /// Whether some rank need not wait for others, such as a root that only sends: it may begin the
    /// next start before others have ended this one.
    bool runs_ahead = false;

    /// If false, ranks cannot estimate the same costs, and there is one candidate.
    bool all_know_sizes = true;

    /// Whether a report counts its starts; not for a call that only plans.
    bool reported = true;
};

}  // namespace carpool::call
