#include "schedule/presence.hpp"

#include <cstdint>

namespace carpool::schedule {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// Does a block that has come `way` from its origin to `here`, on to `offset`, travel at all?
/// Its origin is here - way, its target here - way + offset; both must lie on the mesh.
bool travels(const topology::Grid& grid, std::span<const int> here, std::span<const int> way,
             std::span<const int> offset) {
    for (int k = 0; k < grid.dimensions(); ++k) {
        if (grid.periodic(k)) continue;
        const auto origin = std::int64_t{here[index(k)]} - way[index(k)];
        const auto target = origin + offset[index(k)];
        if (origin < 0 || origin >= grid.dim(k) || target < 0 || target >= grid.dim(k))
            return false;
    }
    return true;
}

void step_back(std::vector<int>& way, std::span<const int> hop) {
    for (std::size_t k = 0; k < way.size(); ++k) way[k] -= hop[k];
}

}  // namespace

Presence::Presence(const routing::Plan& plan, const topology::Grid& grid,
                   const topology::Neighborhood& neighborhood, std::span<const int> here)
    : everywhere_(grid.fully_periodic()) {
    if (everywhere_) return;
    arrives_.resize(index(plan.stops()));
    leaves_.resize(index(plan.stops()));
    const auto rounds = plan.round_of_stops();
    std::vector<int> way;
    for (const auto& [target, position] : plan.deliveries()) {
        const auto offset = neighborhood[position];
        way.assign(offset.begin(), offset.end());
        bool present = travels(grid, here, way, offset);
        for (int stop = target; !plan.is_origin(stop); stop = plan.from(stop)) {
            if (present) arrives_[index(stop)] = true;
            step_back(way, plan.hop(rounds[index(stop)]));
            present = travels(grid, here, way, offset);
            if (present) leaves_[index(stop)] = true;
        }
        if (plan.is_origin(target)) arrives_[index(target)] = true;  // zero vector
    }
}

}  // namespace carpool::schedule
