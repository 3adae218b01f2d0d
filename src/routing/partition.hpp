// SPDX-License-Identifier: MIT
#pragma once

#include "routing/axis.hpp"

#include <vector>

namespace carpool::routing {

/// Neighbors divided into classes that agree in the dimensions looked at so far: the nodes of one
/// level of the prefix trie ([1] §3.2) or allgather tree ([2] §3.2).
class Partition {
public:
    /// All neighbors in one class.
    static Partition whole(int neighbors);

    /// Each neighbor in a class of its own.
    static Partition singletons(int neighbors);

    /// Divides classes by the coordinates of a further dimension; O(t).
    Partition refined(const Axis& axis) const;

    int classes() const { return static_cast<int>(first_.size()); }
    int class_of(int neighbor) const { return class_of_[static_cast<std::size_t>(neighbor)]; }

    /// All neighbors, class by class, in ascending order within each class.
    std::vector<int> neighbors_by_class() const;

    /// The first neighbor of a class; classes are numbered in the order of their first neighbors.
    int first(int cls) const { return first_[static_cast<std::size_t>(cls)]; }

private:
    std::vector<int> class_of_;  // per neighbor
    std::vector<int> first_;     // per class
};

}  // namespace carpool::routing
