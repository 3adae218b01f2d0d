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
/// What a basis still lacks, its next vectors must reach from the sums that it has. So the last one
/// leads from some sum to the first target missing. Of the last two, one alone leads from a sum to
/// some target, or else one vector, their sum, would do for both. Of the last three, one does that
/// too, or is the difference of two such ways. Vectors before these are taken from all that lead
/// towards some target, in one order.
class VectorSearch {
public:
    using Offset = OffsetSpace::Offset;

    VectorSearch(const OffsetSpace& space, const Targets& targets, std::int64_t tries);

    /// @pre no basis is smaller
    void run(std::size_t size, VectorChoice& choice);

    /// Puts one vector in the place of two of the best basis, as often as that can be done.
    void shorten(VectorChoice& choice);

    /// Has no basis of the sizes looked for been missed?
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
    Offsets all_;  // steps for the vectors before the last three
    Offsets steps_;
    VectorChoice* choice_ = nullptr;
};

}  // namespace carpool::routing
