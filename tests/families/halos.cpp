// SPDX-License-Identifier: MIT
#include "family.hpp"
#include "grids.hpp"
#include "halo/schedule.hpp"
#include "halo_simulation.hpp"
#include "other_families.hpp"
#include "topology/stencils.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace families {
namespace {

using namespace carpool;
using halo::Box;
using halo::BoxTransfer;
using halo::Cells;
using halo::Domain;
using topology::Grid;
using topology::Neighborhood;

constexpr std::int64_t bytes_per_cell = 8;

struct Halo {
    std::string name;
    Domain domain;
    Neighborhood stencil;
};

/// Ranks own by turns as many cells as the list says; halos are as wide, as far as a periodic
/// dimension has cells.
Domain domain_of(const Grid& grid, const std::vector<Cells>& turns, Cells width) {
    std::vector<std::vector<Cells>> extents;
    std::vector<Cells> widths;
    for (int k = 0; k < grid.dimensions(); ++k) {
        auto& here = extents.emplace_back();
        Cells cells = 0;
        for (int c = 0; c < grid.dim(k); ++c) {
            here.push_back(turns[static_cast<std::size_t>(c + k) % turns.size()]);
            cells += here.back();
        }
        widths.push_back(grid.periodic(k) ? std::min(width, cells) : width);
    }
    return {grid, extents, widths, widths};
}

/// The offsets that read no cells outside of the halo.
Neighborhood within_reach(const Neighborhood& stencil, const Domain& domain) {
    std::vector<int> flat;
    for (int i = 0; i < stencil.size(); ++i) {
        bool fits = true;
        for (int k = 0; k < domain.dimensions(); ++k) {
            const int c = stencil[i][static_cast<std::size_t>(k)];
            fits = fits && c >= -domain.lower(k) && c <= domain.upper(k);
        }
        if (fits) flat.insert(flat.end(), stencil[i].begin(), stencil[i].end());
    }
    return {domain.dimensions(), flat};
}

/// Wide halos where they do not have too many cells to follow each.
std::vector<Halo> halos(const Grid& grid) {
    const int d = grid.dimensions();
    const bool follows_many = d <= 2 || (d == 3 && grid.size() <= 16);
    std::vector<std::pair<std::string, Neighborhood>> stencils{
        {"von Neumann", topology::von_neumann(d, 1)}, {"Moore", topology::moore(d, 1)}};
    std::vector<Halo> all;
    const auto add = [&](const std::string& name, const Domain& domain, const Neighborhood& one) {
        all.push_back({name, domain, within_reach(one, domain)});
    };
    for (const auto& [name, stencil] : stencils) {
        add(name + ", 1 cell wide", domain_of(grid, {d == 4 ? 1 : 2}, 1), stencil);
        if (d < 4) add(name + ", uneven", domain_of(grid, {1, 2, 0}, 1), stencil);
        if (follows_many) {
            add(name + ", 3 cells wide", domain_of(grid, {2}, 3), stencil);
            add(name + ", 3 cells wide, uneven", domain_of(grid, {1, 0, 2, 3}, 3), stencil);
        }
    }
    add("positive octant", domain_of(grid, {d == 4 ? 1 : 2}, 1), topology::positive_octant(d, 1));
    return all;
}

std::vector<std::vector<Cells>> list_of_cells(const std::vector<Box>& boxes) {
    std::vector<std::vector<Cells>> cells;
    for (const auto& box : boxes) {
        const auto count = halo::cells_of(box);
        for (Cells number = 0; number < count; ++number) {
            auto& cell = cells.emplace_back(box.first);
            auto rest = number;
            for (std::size_t k = cell.size(); k-- > 0; rest /= box.size[k])
                cell[k] += rest % box.size[k];
        }
    }
    return cells;
}

/// A transfer must wait for all that bring cells which it sends: it may leave at once when they
/// have come.
std::vector<std::string> unawaited(const std::vector<BoxTransfer>& transfers) {
    std::map<std::vector<Cells>, int> brought_by;
    for (std::size_t i = 0; i < transfers.size(); ++i)
        for (const auto& cell : list_of_cells(transfers[i].receive))
            brought_by[cell] = static_cast<int>(i);
    std::vector<std::string> complaints;
    for (std::size_t i = 0; i < transfers.size(); ++i)
        for (const auto& cell : list_of_cells(transfers[i].send))
            if (const auto found = brought_by.find(cell);
                found != brought_by.end() && !std::ranges::count(transfers[i].after, found->second))
                complaints.push_back("transfer " + std::to_string(i) + " does not wait for " +
                                     std::to_string(found->second));
    return complaints;
}

using Transfers = std::vector<std::vector<BoxTransfer>>;

Exchange exchange_of(const Transfers& transfers) {
    Exchange exchange;
    for (std::size_t rank = 0; rank < transfers.size(); ++rank) {
        exchange.schedules.push_back(
            halo::schedule_of(transfers[rank], static_cast<int>(rank), bytes_per_cell));
        auto& expected = exchange.expected.emplace_back();
        for (std::size_t i = 0; i < transfers[rank].size(); ++i) {
            auto& content = expected.emplace_back();
            const auto cells = halo::cells_of(transfers[rank][i].receive);
            if (cells > 0)
                content = schedule::Origin{transfers[rank][i].from, static_cast<int>(i),
                                           cells * bytes_per_cell};
        }
    }
    return exchange;
}

std::vector<std::string> wrong_cells(const Halo& halo, const Transfers& transfers) {
    HaloSimulation simulation(halo.domain, halo.stencil);
    auto complaints = simulation.run(transfers);
    std::ranges::copy(simulation.wrong_cells(), std::back_inserter(complaints));
    for (const auto& of_rank : transfers)
        std::ranges::copy(unawaited(of_rank), std::back_inserter(complaints));
    return complaints;
}

void verify(const Halo& halo, const routing::Rule& rule, Tally& tally) {
    const auto hops = halo::hops(halo.domain, halo.stencil);
    const auto plan = rule.plan(halo.domain.grid(), hops, routing::Pattern::allgather);
    if (!halo::carries_halo(plan, hops)) return;
    Transfers transfers;
    for (int rank = 0; rank < halo.domain.grid().size(); ++rank)
        transfers.push_back(halo::transfers_of(plan, halo.domain, rank));
    tally.verify(
        rule.name, exchange_of(transfers),
        [&] { return described(halo.domain.grid()) + ", " + halo.name; },
        wrong_cells(halo, transfers));
}

}  // namespace

void verify_halos(const Scope& scope, Tally& tally) {
    for (const int ranks : scope.ranks)
        for (const auto& grid : all_grids(ranks, 4))
            for (const auto& halo : halos(grid))
                for (const auto* rule : routing::grid_rules()) verify(halo, *rule, tally);
}

}  // namespace families
