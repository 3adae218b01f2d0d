// SPDX-License-Identifier: MIT
#include "choose/planner.hpp"
#include "family.hpp"
#include "grids.hpp"
#include "random_exchange.hpp"
#include "routing/rule.hpp"
#include "schedule/expected.hpp"
#include "schedule/place_sums.hpp"
#include "topology/stencils.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Neighborhoods on grids: every rule and operation on every grid of up to four dimensions.

namespace families {
namespace {

using namespace carpool;
using schedule::Operation;
using topology::Grid;
using topology::Neighborhood;

constexpr std::int64_t bytes = 8;

/// Offsets that lead to one rank several times, beyond the grid, and back to their origin.
Neighborhood repeating(const Grid& grid) {
    const auto d = static_cast<std::size_t>(grid.dimensions());
    std::vector<int> flat;
    for (const int c : {1, 1 + grid.dim(0), 1 - grid.dim(0), 0, 1, grid.dim(0), 0}) {
        flat.push_back(c);
        flat.resize(flat.size() + d - 1);
    }
    return {grid.dimensions(), flat};
}

/// Far in one direction, near in another.
Neighborhood asymmetric(int dimensions) {
    std::vector<int> flat;
    for (const int far : {1, 2, -3})
        for (int k = 0; k < dimensions; ++k) flat.push_back(k == 0 ? far : k % 2 == 0 ? -1 : 1);
    return {dimensions, flat};
}

/// Stencils of radius 2 in many dimensions have hundreds of neighbors: where ranks are few.
std::vector<Stencil> stencils(const Grid& grid, RandomSource& random) {
    const int d = grid.dimensions();
    std::vector<Stencil> all{{"no neighbors", {d, {}}},
                             {"von Neumann", topology::von_neumann(d, 1)},
                             {"Moore", topology::moore(d, 1)},
                             {"box with its origin", topology::box(d, 2, 0)},
                             {"asymmetric", asymmetric(d)},
                             {"repeating", repeating(grid)},
                             {"random", random_neighborhood(random, d)},
                             {"random", random_neighborhood(random, d)}};
    if (d <= 3) all.push_back({"von Neumann of radius 2", topology::von_neumann(d, 2)});
    if (d <= 2 || (d == 3 && grid.size() <= 32))
        all.push_back({"Moore of radius 2", topology::moore(d, 2)});
    return all;
}

/// Sizes of the blocks of an operation: equal ones, and for an alltoall irregular ones.
std::vector<std::vector<std::int64_t>> sizes(const Neighborhood& neighborhood, Operation operation,
                                             RandomSource& random) {
    if (schedule::reduces(operation)) return {{bytes}};
    std::vector<std::vector<std::int64_t>> all;
    all.push_back(equal_blocks(neighborhood, schedule::pattern_of(operation), bytes));
    if (operation != Operation::alltoall || neighborhood.size() == 0) return all;
    auto irregular = all.front();
    for (auto& size : irregular) size = random.one_in(3) ? 0 : random.between(1, 9);
    all.push_back(std::move(irregular));
    return all;
}

schedule::Postcondition expected(const Grid& grid, const Neighborhood& neighborhood,
                                 Operation operation, const std::vector<std::int64_t>& sizes) {
    return schedule::reduces(operation)
               ? schedule::expected_sums(operation, grid, neighborhood, sizes.front())
               : schedule::expected(schedule::pattern_of(operation), grid, neighborhood, sizes);
}

class OnGrid {
public:
    OnGrid(const Grid& grid, const Stencil& stencil, Tally& tally)
        : grid_(grid),
          stencil_(stencil),
          neighborhood_(stencil.neighborhood),
          planner_(grid, stencil.neighborhood),
          tally_(tally) {}

    void verify(RandomSource& random) {
        for (const auto operation : schedule::operations())
            for (const auto& bytes_of : sizes(neighborhood_, operation, random))
                for (const auto* rule : routing::grid_rules()) {
                    verify(planner_.planned(*rule, operation), operation, bytes_of);
                    if (has_few_neighbors())
                        for (const auto& other : planner_.others(*rule, operation, bytes_of))
                            verify(other, operation, bytes_of);
                    if (schedule::reduces(operation)) verify_in_order(*rule, operation);
                }
    }

private:
    /// Rules that have several plans search for them.
    bool has_few_neighbors() const { return neighborhood_.size() <= 12; }

    void verify(const choose::GridPlan& plan, Operation operation,
                const std::vector<std::int64_t>& bytes_of) {
        Exchange exchange{{}, expected(grid_, neighborhood_, operation, bytes_of)};
        for (int rank = 0; rank < grid_.size(); ++rank)
            exchange.schedules.push_back(planner_.placed(plan, operation, rank, bytes_of));
        tally_.verify(method(*plan.rule, operation), exchange,
                      [&] { return plan.name() + ", " + where(); });
    }

    /// For operators that do not commute: all blocks are gathered, and summed at the end.
    void verify_in_order(const routing::Rule& rule, Operation operation) {
        const auto gathering =
            operation == Operation::reduce ? Operation::allgather : Operation::alltoall;
        const auto plan = planner_.planned(rule, gathering);
        const auto blocks = equal_blocks(neighborhood_, schedule::pattern_of(gathering), bytes);
        Exchange exchange{
            {}, expected(grid_, neighborhood_, operation, {bytes}), schedule::SumOrder::exact};
        for (int rank = 0; rank < grid_.size(); ++rank)
            exchange.schedules.push_back(
                schedule::sum_at_end(planner_.placed(plan, gathering, rank, blocks), bytes));
        tally_.verify(method(rule, operation) + " in order", exchange, [&] { return where(); });
    }

    static std::string method(const routing::Rule& rule, Operation operation) {
        return std::string(rule.name) + " " + std::string(schedule::name_of(operation));
    }

    std::string where() const {
        auto text = described(grid_) + ", " + stencil_.name + ", offsets";
        for (const int c : neighborhood_.flat()) text += " " + std::to_string(c);
        return text;
    }

    const Grid& grid_;
    const Stencil& stencil_;
    const Neighborhood& neighborhood_;
    choose::Planner planner_;
    Tally& tally_;
};

/// The same grid with offsets as given, and with ranks numbered in blocks of two.
std::vector<Grid> variants(const Grid& grid) {
    std::vector<Grid> all{grid.with_offsets_as_given()};
    std::vector<int> dims;
    std::vector<bool> periods;
    std::vector<int> blocks;
    for (int k = 0; k < grid.dimensions(); ++k) {
        dims.push_back(grid.dim(k));
        periods.push_back(grid.periodic(k));
        blocks.push_back(grid.dim(k) % 2 == 0 ? 2 : 1);
    }
    all.emplace_back(dims, periods, blocks);
    return all;
}

template <int first_dimensions, int last_dimensions>
void run(const Scope& scope, Tally& tally) {
    for (const int ranks : scope.ranks) {
        RandomSource random(static_cast<std::uint64_t>(ranks));
        for (const auto& grid : all_grids(ranks, last_dimensions)) {
            if (grid.dimensions() < first_dimensions) continue;
            for (const auto& stencil : stencils(grid, random))
                OnGrid(grid, stencil, tally).verify(random);
            for (const auto& variant : variants(grid)) {
                const Stencil stencil{"random", random_neighborhood(random, grid.dimensions())};
                OnGrid(variant, stencil, tally).verify(random);
            }
        }
    }
}

constexpr std::array all_grid_families{
    Family{"grids_1d_2d", run<1, 2>},
    Family{"grids_3d", run<3, 3>},
    Family{"grids_4d", run<4, 4>},
};

}  // namespace

std::span<const Family> grid_families() { return all_grid_families; }

}  // namespace families
