// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace carpool::topology {

/// A list of t relative offsets in d dimensions, the same on every rank ([2] §2).
/// Repetitions, the zero vector and offsets beyond a dimension are legal.
class Neighborhood {
public:
    /// @pre flat holds a multiple of dimensions integers: offset i at i*d .. i*d+d-1.
    Neighborhood(int dimensions, std::vector<int> flat);

    int dimensions() const { return dimensions_; }
    int size() const {
        return static_cast<int>(flat_.size() / static_cast<std::size_t>(dimensions_));
    }
    std::span<const int> flat() const { return flat_; }

    std::span<const int> operator[](int i) const {
        const auto d = static_cast<std::size_t>(dimensions_);
        return std::span(flat_).subspan(static_cast<std::size_t>(i) * d, d);
    }

private:
    int dimensions_;
    std::vector<int> flat_;
};

bool is_zero(std::span<const int> offset);

}  // namespace carpool::topology
