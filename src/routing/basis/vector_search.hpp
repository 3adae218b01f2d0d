// SPDX-License-Identifier: MIT
#pragma once

#include "routing/basis/offset_space.hpp"
#include "routing/basis/vector_choice.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace carpool::routing {

/// Looks for all bases of vectors of one size, within a budget of vectors tried, and offers them to
/// a choice.
///
/// The next vectors of a basis must reach the missing targets from the sums that exist so far. So
/// the last vector leads from some sum to the first missing target. Of the last two vectors, one
/// alone leads from a sum to some missing target; otherwise one vector, their sum, could replace
/// both. Of the last three, one does the same, or is the difference of two vectors that do. Vectors
/// before these are taken from all that lead towards some target, in a fixed order.
class VectorSearch {
public:
    using Offset = OffsetSpace::Offset;

    VectorSearch(const OffsetSpace& space, const Targets& targets, std::int64_t tries);

    /// @pre there is no smaller basis
    void run(std::size_t size, VectorChoice& choice);

    /// Replaces two vectors of the best basis by one, as often as possible.
    void shorten(VectorChoice& choice);

    /// Is it certain that no basis of the sizes searched has been missed?
    bool exact() const { return exact_ && tries_left_ > 0; }

private:
    using Offsets = std::vector<Offset>;

    void extend(const Offsets& sums, const Offsets& missing, std::size_t left, std::size_t first);
    void extend_by_any(const Offsets& sums, const Offsets& missing, std::size_t left,
                       std::size_t first);
    void try_step(Offset step, const Offsets& sums, const Offsets& missing, std::size_t left,
                  std::size_t first);
    bool shorten_once(const Offsets& basis);
    void finish(const Offsets& sums, const Offsets& missing);
    Offsets ways(const Offsets& sums, const Offsets& missing);
    Offsets with_differences(const Offsets& ways) const;

    const OffsetSpace& space_;
    const Targets& targets_;
    std::int64_t tries_left_;
    bool exact_ = true;
    bool all_known_;
    Offsets all_;  // candidates for the vectors before the last three
    Offsets steps_;
    VectorChoice* choice_ = nullptr;
};

}  // namespace carpool::routing
