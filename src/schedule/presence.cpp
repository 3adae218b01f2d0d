// SPDX-License-Identifier: MIT
#include "schedule/presence.hpp"

#include "base/expects.hpp"

#include <cstdint>

namespace carpool::schedule {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// Whether a block that has come `way` from its origin to `here`, and has `offset` from origin to
/// target, exists. Its origin is here - way, its target here - way + offset; both must lie on the
/// mesh. A sum on its way to a root has its root at here + way and its origin at here + way -
/// offset.
bool travels(const topology::Grid& grid, std::span<const int> here,
             std::span<const std::int64_t> way, std::span<const int> offset, int sign) {
    for (int k = 0; k < grid.dimensions(); ++k) {
        if (grid.periodic(k)) continue;
        const auto root = here[index(k)] - sign * way[index(k)];
        const auto leaf = root + sign * std::int64_t{offset[index(k)]};
        if (root < 0 || root >= grid.dim(k) || leaf < 0 || leaf >= grid.dim(k)) return false;
    }
    return true;
}

void step_back(std::vector<std::int64_t>& way, std::span<const int> hop) {
    for (std::size_t k = 0; k < way.size(); ++k) way[k] -= hop[k];
}

}  // namespace

Presence::Presence(const routing::Plan& plan, const topology::Grid& grid,
                   const topology::Neighborhood& neighborhood, std::span<const int> here, Way way)
    : everywhere_(grid.fully_periodic()) {
    CARPOOL_EXPECTS(static_cast<int>(here.size()) == grid.dimensions() &&
                        plan.dimensions() == grid.dimensions(),
                    here.size(), plan.dimensions(), grid.dimensions());
    if (everywhere_) return;
    arrives_.resize(index(plan.stops()));
    leaves_.resize(index(plan.stops()));
    const auto rounds = plan.round_of_stops();
    const int sign = way == Way::outward ? 1 : -1;
    std::vector<std::int64_t> passed;
    for (const auto& [target, position] : plan.deliveries()) {
        const auto offset = neighborhood[position];
        passed.assign(offset.begin(), offset.end());
        bool present = travels(grid, here, passed, offset, sign);
        for (int stop = target; !plan.is_origin(stop); stop = plan.from(stop)) {
            if (present) arrives_[index(stop)] = true;
            step_back(passed, plan.hop(rounds[index(stop)]));
            present = travels(grid, here, passed, offset, sign);
            if (present) leaves_[index(stop)] = true;
        }
        if (plan.is_origin(target)) arrives_[index(target)] = true;  // zero vector
    }
}

}  // namespace carpool::schedule
