// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "exchange.hpp"
#include "random_source.hpp"
#include "routing/axis.hpp"
#include "routing/basis/additive_basis.hpp"
#include "routing/basis/basis_bound.hpp"
#include "routing/basis/vector_basis.hpp"
#include "routing/rule.hpp"
#include "topology/stencils.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <set>
#include <span>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_vector_basis)

using namespace carpool;
using routing::Pattern;
using topology::Grid;
using topology::Neighborhood;
using Vector = std::vector<int>;

namespace {

Grid uniform_grid(int d, int size, bool periodic) {
    const auto n = static_cast<std::size_t>(d);
    return {std::vector<int>(n, size), std::vector<bool>(n, periodic)};
}

/// The offsets (first, first, ...) to (last, last, ...), without zero.
Neighborhood diagonal(int d, int first, int last) {
    Vector flat;
    for (int c = first; c <= last; ++c)
        if (c != 0) flat.insert(flat.end(), static_cast<std::size_t>(d), c);
    return {d, flat};
}

Neighborhood random_offsets(RandomSource& random, int d, int t, int radius) {
    Vector flat;
    for (int i = 0; i < t * d; ++i) flat.push_back(random.between(-radius, radius));
    return {d, flat};
}

/// Dimensions of 1 to 5 ranks each, at most 48 in all, periodic or not.
Grid random_grid_of(RandomSource& random, int d) {
    Vector dims(static_cast<std::size_t>(d), 1);
    std::vector<bool> periods(dims.size());
    int ranks = 1;
    for (std::size_t k = 0; k < dims.size(); ++k) {
        const int dim = random.between(1, d > 3 ? 3 : 5);
        if (ranks * dim <= 48) dims[k] = dim;
        ranks *= dims[k];
        periods[k] = !random.one_in(3);
    }
    return {dims, periods};
}

std::multiset<Vector> hops_of(const routing::Plan& plan) {
    std::multiset<Vector> hops;
    for (int round = 0; round < plan.rounds(); ++round)
        hops.emplace(plan.hop(round).begin(), plan.hop(round).end());
    return hops;
}

int rounds_by_dimension(const Grid& grid, const Neighborhood& neighborhood) {
    int rounds = 0;
    for (int k = 0; k < grid.dimensions(); ++k) {
        std::set<int> different;
        for (int i = 0; i < neighborhood.size(); ++i)
            different.insert(grid.shortest(k, neighborhood[i][static_cast<std::size_t>(k)]));
        different.erase(0);
        std::vector<routing::Value> values;
        for (const int c : different) values.push_back({c, 1});
        std::set<std::pair<int, int>> steps;
        for (const auto& of_value : routing::smallest_basis(
                 values, grid.periodic(k) ? routing::Signs::mixed : routing::Signs::own,
                 Pattern::alltoall))
            for (const auto& [level, hop] : of_value) steps.emplace(level, hop);
        rounds += static_cast<int>(steps.size());
    }
    return rounds;
}

/// All sums of compatible members, reduced to the ranks where they lead.
class Sums {
public:
    explicit Sums(const Grid& grid) : grid_(grid) {
        all_.insert(Vector(static_cast<std::size_t>(grid.dimensions()), 0));
    }

    Sums with(const Vector& step) const {
        Sums more = *this;
        for (const auto& sum : all_)
            if (agree(sum, step)) more.all_.insert(reduced(sum, step));
        return more;
    }

    bool contain(const Neighborhood& neighborhood) const {
        for (int i = 0; i < neighborhood.size(); ++i) {
            const Vector zero(neighborhood[i].size(), 0);
            const Vector offset(neighborhood[i].begin(), neighborhood[i].end());
            if (!all_.contains(reduced(zero, offset))) return false;
        }
        return true;
    }

private:
    bool agree(const Vector& sum, const Vector& step) const {
        for (int k = 0; k < grid_.dimensions(); ++k)
            if (const auto i = static_cast<std::size_t>(k);
                !grid_.periodic(k) && sum[i] * step[i] < 0)
                return false;
        return true;
    }

    Vector reduced(const Vector& sum, const Vector& step) const {
        Vector result;
        for (int k = 0; k < grid_.dimensions(); ++k)
            result.push_back(grid_.shortest(
                k, sum[static_cast<std::size_t>(k)] + step[static_cast<std::size_t>(k)]));
        return result;
    }

    const Grid& grid_;
    std::set<Vector> all_;
};

/// Every vector that may be useful; on a mesh only those within the radius.
std::vector<Vector> all_vectors(const Grid& grid, int radius) {
    std::vector<Vector> all{{}};
    for (int k = 0; k < grid.dimensions(); ++k) {
        const int low = grid.periodic(k) ? 0 : -radius;
        const int high = grid.periodic(k) ? grid.dim(k) - 1 : radius;
        std::vector<Vector> longer;
        for (const auto& vector : all)
            for (int c = low; c <= high; ++c) {
                longer.push_back(vector);
                longer.back().push_back(c);
            }
        all = std::move(longer);
    }
    return all;
}

bool exists(const Sums& sums, std::size_t size, std::size_t next, const std::vector<Vector>& all,
            const Neighborhood& neighborhood) {
    if (sums.contain(neighborhood)) return true;
    if (size == 0) return false;
    for (auto i = next; i < all.size(); ++i)
        if (exists(sums.with(all[i]), size - 1, i, all, neighborhood)) return true;
    return false;
}

std::size_t least_size(const Grid& grid, const Neighborhood& neighborhood, int radius) {
    const auto all = all_vectors(grid, radius);
    std::size_t size = 0;
    while (!exists(Sums(grid), size, 0, all, neighborhood)) ++size;
    return size;
}

bool leaves_the_box(const Grid& grid, const Neighborhood& neighborhood, const routing::Plan& plan) {
    const auto way = plan.way_to_stops();
    const auto block = plan.block_of_stops();
    const auto d = static_cast<std::size_t>(grid.dimensions());
    for (std::size_t stop = 0; stop < block.size(); ++stop)
        for (std::size_t k = 0; k < d; ++k) {
            const int end = neighborhood[block[stop]][k];
            const int at = way[stop * d + k];
            if (!grid.periodic(static_cast<int>(k)) &&
                (at < std::min(0, end) || at > std::max(0, end)))
                return true;
        }
    return false;
}

bool leads_to(const Grid& grid, std::span<const int> way, std::span<const int> offset) {
    for (int k = 0; k < grid.dimensions(); ++k) {
        const auto i = static_cast<std::size_t>(k);
        const auto missed = std::int64_t{way[i]} - offset[i];
        if ((grid.periodic(k) ? missed % grid.dim(k) : missed) != 0) return false;
    }
    return true;
}

/// Does every block have a stop at its target?
bool delivers(const Grid& grid, const Neighborhood& neighborhood, const routing::Plan& plan) {
    const auto way = plan.way_to_stops();
    const auto block = plan.block_of_stops();
    const auto d = static_cast<std::size_t>(grid.dimensions());
    std::vector<bool> arrived;
    for (int i = 0; i < neighborhood.size(); ++i)
        arrived.push_back(leads_to(grid, Vector(d, 0), neighborhood[i]));
    for (std::size_t stop = 0; stop < block.size(); ++stop)
        if (leads_to(grid, std::span(way).subspan(stop * d, d), neighborhood[block[stop]]))
            arrived[static_cast<std::size_t>(block[stop])] = true;
    return std::all_of(arrived.begin(), arrived.end(), [](bool there) { return there; });
}

}  // namespace

BOOST_AUTO_TEST_CASE(seven_offsets_of_a_diagonal_take_three_rounds) {
    const std::multiset<Vector> wanted{{1, 1}, {2, 2}, {4, 4}};
    for (const bool periodic : {true, false})
        for (const auto pattern : patterns) {
            const auto plan =
                routing::basis.plan(uniform_grid(2, 20, periodic), diagonal(2, 1, 7), pattern);
            BOOST_TEST((hops_of(plan) == wanted));
            // 3 of one step, 3 of two and 1 of three, or each partial sum once
            BOOST_TEST(plan.volume() == (pattern == Pattern::alltoall ? 3 + 6 + 3 : 7));
        }
}

BOOST_AUTO_TEST_CASE(two_signs_of_a_diagonal_share_vectors_on_a_torus_only) {
    const auto rounds = [](bool periodic) {
        return routing::basis
            .plan(uniform_grid(3, 20, periodic), diagonal(3, -3, 3), Pattern::alltoall)
            .rounds();
    };
    BOOST_TEST(rounds(true) == 3);
    BOOST_TEST(rounds(false) == 2 + 2);
}

// 1 and -1 along each of d dimensions: -e1 = e2 + .. + ed - (e1 + .. + ed).
BOOST_AUTO_TEST_CASE(on_a_torus_nearest_neighbors_take_fewer_rounds_than_there_are) {
    const auto rounds = [](int d, bool periodic) {
        return routing::basis
            .plan(uniform_grid(d, 20, periodic), topology::von_neumann(d, 1), Pattern::alltoall)
            .rounds();
    };
    for (int d = 1; d <= 5; ++d) {
        BOOST_TEST(rounds(d, true) == d + 1);
        BOOST_TEST(rounds(d, false) == 2 * d);
    }
}

BOOST_AUTO_TEST_CASE(on_a_mesh_no_basis_of_a_box_is_smaller_than_those_along_its_dimensions) {
    for (int d = 1; d <= 3; ++d)
        for (int r = 1; r <= 4; ++r)
            for (const auto& stencil : {topology::moore(d, r), topology::von_neumann(d, r)}) {
                const auto grid = uniform_grid(d, 20, false);
                BOOST_TEST(static_cast<int>(routing::least_basis_size(grid, stencil)) ==
                           rounds_by_dimension(grid, stencil));
            }
}

BOOST_AUTO_TEST_CASE(a_basis_called_least_is_least_and_no_lower_bound_exceeds_it) {
    const auto seed = first_seed();
    std::cout << "small vector bases: CARPOOL_SEED=" << seed << std::endl;
    const std::array grids{Grid({9}, {true}),
                           Grid({12}, {false}),
                           Grid({4, 3}, {true, true}),
                           Grid({2, 2, 2}, {true, true, true}),
                           Grid({5, 5}, {false, false}),
                           Grid({4, 5}, {true, false})};
    const auto cases = random_cases(400);
    std::uint64_t proved = 0;
    for (std::uint64_t i = 0; i < cases; ++i) {
        RandomSource random(seed + i);
        const auto& grid = grids[i % grids.size()];
        const int radius = grid.dimensions() == 1 ? 5 : 1;
        const auto offsets =
            random_offsets(random, grid.dimensions(), random.between(1, 7), radius);
        const auto least = least_size(grid, offsets, radius);
        const auto found =
            routing::smallest_vector_basis(grid, offsets, patterns[random.between(0, 1)], 32);
        BOOST_TEST_CONTEXT("CARPOOL_SEED=" << seed + i << " CARPOOL_RANDOM_CASES=1") {
            BOOST_TEST(routing::least_basis_size(grid, offsets) <= least);
            BOOST_TEST(found.steps.size() >= least);
            if (found.least) BOOST_TEST(found.steps.size() == least);
            if (least <= 3) BOOST_TEST(found.least);
        }
        proved += found.least ? 1 : 0;
    }
    BOOST_TEST(10 * proved >= 9 * cases, proved << " of " << cases);
}

BOOST_AUTO_TEST_CASE(routes_by_vectors_arrive_in_one_to_five_dimensions) {
    const auto seed = first_seed();
    const auto cases = random_cases(300);
    std::cout << "vector bases: CARPOOL_SEED=" << seed << " CARPOOL_RANDOM_CASES=" << cases
              << std::endl;
    for (std::uint64_t i = 0; i < cases; ++i) {
        RandomSource random(seed + i);
        const int d = random.between(1, 5);
        const auto grid = random_grid_of(random, d);
        auto offsets = random.one_in(4)
                           ? diagonal(d, -random.between(0, 4), random.between(0, 4))
                           : random_offsets(random, d, random.between(0, 40), random.between(1, 4));
        for (const auto pattern : patterns) {
            const Exchange exchange{grid, offsets, pattern, equal_blocks(offsets, pattern, 8)};
            const auto plan = routing::basis.plan(grid, offsets, pattern);
            const auto complaints = schedule::verify(exchange.placed(plan), exchange.expected());
            BOOST_TEST_REQUIRE(complaints.empty(), "CARPOOL_SEED=" << seed + i << ' '
                                                                   << described(exchange) << ": "
                                                                   << joined(complaints));
            BOOST_TEST(plan.rounds() <= rounds_by_dimension(grid, offsets), described(exchange));
            if (pattern == Pattern::alltoall)
                BOOST_TEST(!leaves_the_box(grid, offsets, plan), described(exchange));
        }
    }
}

BOOST_AUTO_TEST_CASE(no_more_rounds_than_by_dimension_on_wide_grids) {
    const auto seed = first_seed();
    std::cout << "wide vector bases: CARPOOL_SEED=" << seed << std::endl;
    for (std::uint64_t i = 0; i < random_cases(60); ++i) {
        RandomSource random(seed + i);
        const int d = random.between(1, 5);
        const auto grid = uniform_grid(d, random.one_in(2) ? 37 : 1 << 20, random.one_in(2));
        const auto offsets = random_offsets(random, d, random.between(1, 100),
                                            random.one_in(8) ? 1 << 18 : random.between(1, 9));
        const auto plan = routing::basis.plan(grid, offsets, Pattern::alltoall);
        const auto bound = static_cast<int>(routing::least_basis_size(grid, offsets));
        BOOST_TEST_CONTEXT("CARPOOL_SEED=" << seed + i << " CARPOOL_RANDOM_CASES=1") {
            BOOST_TEST(plan.rounds() <= rounds_by_dimension(grid, offsets));
            BOOST_TEST(plan.rounds() >= bound);
            BOOST_TEST(delivers(grid, offsets, plan));
            BOOST_TEST(!leaves_the_box(grid, offsets, plan));
        }
    }
}

BOOST_AUTO_TEST_CASE(equal_neighborhoods_have_equal_plans) {
    RandomSource random(5);
    const auto offsets = random_offsets(random, 3, 60, 3);
    const auto grid = uniform_grid(3, 7, true);
    const auto once = routing::basis.plan(grid, offsets, Pattern::allgather);
    const auto again = routing::basis.plan(grid, offsets, Pattern::allgather);
    BOOST_TEST((hops_of(once) == hops_of(again)));
    BOOST_TEST(once.way_to_stops() == again.way_to_stops(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
