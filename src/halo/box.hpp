// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace carpool::halo {

using Cells = std::int64_t;

/// A box of cells of a local array, given by its first cell and its size in each dimension. The
/// first owned cell has number 0; halo cells before it have negative numbers.
struct Box {
    std::vector<Cells> first;
    std::vector<Cells> size;
    friend bool operator==(const Box&, const Box&) = default;
};

Cells cells_of(const Box& box);
Cells cells_of(const std::vector<Box>& boxes);
Box moved(Box box, const std::vector<Cells>& by);

/// The same cells in fewer boxes: adjacent boxes become one. Lists of boxes that differ only by a
/// displacement give results that differ only by that displacement.
/// @pre boxes do not overlap
std::vector<Box> merged(std::vector<Box> boxes);

}  // namespace carpool::halo
