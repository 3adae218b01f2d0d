// SPDX-License-Identifier: MIT
// Texts of grids: what is read can be written, and is read again as the same.

#include "base/expects.hpp"
#include "fuzz.hpp"
#include "refused.hpp"
#include "topology/text.hpp"

using namespace carpool;

void fuzz::read(const std::string& input) {
    refuse_or([&] {
        const auto grid = topology::grid_from_text(input);
        const auto text = topology::to_text(grid);
        CARPOOL_EXPECTS(topology::to_text(topology::grid_from_text(text)) == text);
        const auto last = static_cast<int>(grid.size() - 1);
        std::vector<int> none(static_cast<std::size_t>(grid.dimensions()), 0);
        CARPOOL_EXPECTS(grid.rank_at(grid.coordinates(last), none) == last, last);
    });
}
