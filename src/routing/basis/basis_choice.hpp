// SPDX-License-Identifier: MIT
#pragma once

#include "routing/basis/basis_values.hpp"
#include "routing/basis/step_sets.hpp"
#include "routing/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::routing {

/// A basis, and which of its steps each value takes.
struct Basis {
    std::vector<int> steps;
    std::vector<StepSet> used;  ///< per value
    std::int64_t volume = 0;
    int phases = 0;  ///< the longest chain of steps that wait for each other
};

/// The best of the bases offered for some values.
class BasisChoice {
public:
    BasisChoice(std::span<const Value> values, Pattern pattern);

    /// Keeps the steps if every value is a sum of some of them, and if they are better than the
    /// best so far: fewer, or as many with less volume, or with equal volume in fewer phases. Costs
    /// O(2^steps). @pre at most 16 steps
    void offer(std::vector<std::int64_t> steps);

    /// Does the same for a basis in which the steps of each value are known.
    void offer(Basis basis);

    bool empty() const { return best_.steps.empty(); }
    const Basis& best() const { return best_; }

private:
    /// Per value, the sets of steps that sum to it.
    std::vector<std::vector<StepSet>> sets_of(const std::vector<int>& steps) const;

    std::span<const Value> values_;
    std::vector<std::int64_t> blocks_;  // per value
    Pattern pattern_;
    Basis best_;
};

}  // namespace carpool::routing
