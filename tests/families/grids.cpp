// SPDX-License-Identifier: MIT
#include "grids.hpp"

namespace families {
namespace {

using carpool::topology::Grid;

void append_dims(std::vector<int>& before, int ranks, int dimensions,
                 std::vector<std::vector<int>>& all) {
    if (ranks == 1) all.push_back(before);
    if (ranks == 1 || dimensions == 0) return;
    for (int dim = 2; dim <= ranks; ++dim) {
        if (ranks % dim != 0) continue;
        before.push_back(dim);
        append_dims(before, ranks / dim, dimensions - 1, all);
        before.pop_back();
    }
}

}  // namespace

std::vector<std::vector<int>> all_dims(int ranks, int dimensions) {
    std::vector<std::vector<int>> all;
    if (ranks == 1)
        for (int d = 1; d <= dimensions; ++d) all.emplace_back(static_cast<std::size_t>(d), 1);
    std::vector<int> none;
    if (ranks > 1) append_dims(none, ranks, dimensions, all);
    return all;
}

std::vector<Grid> all_grids(int ranks, int dimensions) {
    std::vector<Grid> all;
    for (const auto& dims : all_dims(ranks, dimensions))
        for (unsigned choice = 0; choice < 1U << dims.size(); ++choice) {
            std::vector<bool> periods;
            for (std::size_t k = 0; k < dims.size(); ++k) periods.push_back((choice >> k & 1) != 0);
            all.emplace_back(dims, periods);
        }
    return all;
}

std::string described(const Grid& grid) {
    std::string text = "grid";
    for (int k = 0; k < grid.dimensions(); ++k)
        text += (k == 0 ? " " : " x ") + std::to_string(grid.dim(k)) +
                (grid.periodic(k) ? " periodic" : "");
    if (!grid.blocks().empty()) text += " block by block";
    return text;
}

}  // namespace families
