#pragma once

#include "arguments/choice.hpp"
#include "choose/cheapest.hpp"
#include "choose/machine.hpp"
#include "choose/past_choices.hpp"
#include "mpi/agreement.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace carpool::call {

/// How a call may be done, and what is to be known to choose. Alike on all ranks, unless it says
/// otherwise.
struct Choosable {
    mpi::Claim operation;  ///< what is called

    /// The one that is told, or all that there are.
    std::vector<choose::Candidate> candidates = {};

    choose::Machine machine;  ///< for which costs are reckoned

    arguments::ChosenBy by = arguments::ChosenBy::model;

    /// Tells the problem, its candidates and its machine from all others; none where to choose is
    /// cheap.
    choose::PastChoices::Key key = {};

    /// Bytes that a rank holds in any case. What is more than little, beside what a candidate
    /// holds, may be more than a rank has.
    std::int64_t held = 0;

    /// The bits of a sum depend on the candidate: costs choose it, unless all are to be measured.
    bool rounds = false;

    /// Messages may go through memory or by MPI.
    bool either_transport = false;

    /// A digest of what all ranks know of a call that ends once: calls with the same are alike.
    /// None where calls are not counted.
    std::optional<std::uint64_t> alike = {};

    /// The root: costs may choose differently for alike calls with another one.
    int variant = 0;

    /// Else costs cannot be reckoned alike: the first candidate is taken until a measurement.
    bool all_know_sizes = true;

    /// May another candidate or transport be faster, as far as this rank knows?
    bool worth_measuring = true;

    /// May MPI's own blocking collective stand for it, as far as this rank knows?
    bool host_call_fits = false;
};

}  // namespace carpool::call
