// SPDX-License-Identifier: MIT
#pragma once

#include "routing/basis/offset_space.hpp"
#include "routing/basis/step_sets.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::routing {

/// Distinct offsets other than zero, ascending, and the number or total weight of the blocks that
/// have each.
struct Targets {
    std::vector<OffsetSpace::Offset> offsets;
    std::vector<std::int64_t> blocks;
};

/// The best of the bases of vectors that are offered for some targets.
class VectorChoice {
public:
    using Offset = OffsetSpace::Offset;

    struct Basis {
        std::vector<Offset> steps;
        TakenSets taken;  ///< per target
        int phases = 0;   ///< the longest chain of steps that wait for each other
    };

    VectorChoice(const OffsetSpace& space, const Targets& targets, Pattern pattern)
        : space_(space), targets_(targets), pattern_(pattern) {}

    /// The most steps of a basis that may be offered without the sets that the targets take.
    static constexpr std::size_t most_enumerated = 10;

    /// Keeps the steps if every target is a sum of some of them (on a mesh, of steps that lead
    /// towards it), and if they are better than the best so far: fewer, or as many with less
    /// volume, or with equal volume in fewer phases. Costs O(2^steps).
    void offer(std::vector<Offset> steps);

    /// Does the same for steps of which it is known which ones each target takes.
    void offer(std::vector<Offset> steps, const std::vector<StepSet>& of_target);

    bool empty() const { return best_.steps.empty(); }
    const Basis& best() const { return best_; }

private:
    std::vector<std::vector<StepSet>> sets_of(std::span<const Offset> steps) const;
    void compare(Basis basis);

    const OffsetSpace& space_;
    const Targets& targets_;
    Pattern pattern_;
    Basis best_;
};

}  // namespace carpool::routing
