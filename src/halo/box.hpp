#pragma once

#include <cstdint>
#include <vector>

namespace carpool::halo {

using Cells = std::int64_t;

/// A box of cells of a local array: per dimension its first cell and how many. The first owned cell
/// is number 0, halo cells before it have negative numbers.
struct Box {
    std::vector<Cells> first;
    std::vector<Cells> size;
    friend bool operator==(const Box&, const Box&) = default;
};

Cells cells_of(const Box& box);
Cells cells_of(const std::vector<Box>& boxes);
Box moved(Box box, const std::vector<Cells>& by);

/// The same cells in fewer boxes: those side by side become one. Boxes that are the same but for a
/// displacement become the same but for it.
/// @pre boxes do not overlap
std::vector<Box> merged(std::vector<Box> boxes);

}  // namespace carpool::halo
