// SPDX-License-Identifier: MIT
#include "grids.hpp"
#include "other_families.hpp"
#include "random_bundles.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string>

namespace families {

/// Bundles of up to five members: neighborhoods on grids and graphs, and ordinary collectives.
void verify_bundles(const Scope& scope, Tally& tally) {
    constexpr int bundles = 40;
    for (const int ranks : scope.ranks) {
        const auto grids = all_grids(ranks, 4);
        for (int i = 0; i < bundles; ++i) {
            const auto seed = static_cast<std::uint64_t>(ranks * bundles + i);
            RandomSource random(seed);
            const auto& grid = grids[static_cast<std::size_t>(
                random.between(0, static_cast<int>(grids.size()) - 1))];
            const auto members = random_bundles::random_members(random, grid);
            if (members.empty()) continue;
            for (const std::int64_t longest :
                 {std::int64_t{0}, std::int64_t{60}, std::numeric_limits<std::int64_t>::max()})
                tally.verify(std::to_string(members.size()) + " members",
                             {random_bundles::merged(members, longest),
                              random_bundles::expected(members), random_bundles::order_of(members)},
                             [&] { return described(grid) + ", seed " + std::to_string(seed); });
        }
    }
}

}  // namespace families
