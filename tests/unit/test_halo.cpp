// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "halo_simulation.hpp"
#include "random_source.hpp"
#include "says.hpp"
#include "topology/stencils.hpp"

#include <iostream>
#include <set>
#include <stdexcept>

BOOST_AUTO_TEST_SUITE(test_halo)

using namespace carpool;
using halo::Box;
using halo::BoxTransfer;
using halo::Cells;
using halo::Domain;
using routing::Pattern;
using topology::Grid;
using topology::Neighborhood;

namespace {

/// A domain with the same number of cells on all ranks, and the same halo width on all sides.
Domain cube(int d, int ranks, bool periodic, Cells cells, Cells width) {
    const auto n = static_cast<std::size_t>(d);
    return {Grid(std::vector<int>(n, ranks), std::vector<bool>(n, periodic)),
            std::vector(n, std::vector<Cells>(static_cast<std::size_t>(ranks), cells)),
            std::vector<Cells>(n, width), std::vector<Cells>(n, width)};
}

routing::Plan planned(const Domain& domain, const Neighborhood& stencil,
                      const routing::Rule& rule) {
    return rule.plan(domain.grid(), halo::hops(domain, stencil), Pattern::allgather);
}

std::vector<std::vector<BoxTransfer>> all_transfers(const Domain& domain,
                                                    const routing::Plan& plan) {
    std::vector<std::vector<BoxTransfer>> all;
    for (int rank = 0; rank < domain.grid().size(); ++rank)
        all.push_back(halo::transfers_of(plan, domain, rank));
    return all;
}

int messages(const std::vector<BoxTransfer>& transfers) {
    int count = 0;
    for (const auto& transfer : transfers) count += transfer.send.empty() ? 0 : 1;
    return count;
}

Cells cells_sent(const std::vector<BoxTransfer>& transfers) {
    Cells sum = 0;
    for (const auto& transfer : transfers) sum += halo::cells_of(transfer.send);
    return sum;
}

std::string joined(const std::vector<std::string>& complaints) {
    std::string text = std::to_string(complaints.size()) + " complaints";
    for (std::size_t i = 0; i < complaints.size() && i < 5; ++i) text += "\n  " + complaints[i];
    return text;
}

std::string described(const Domain& domain, const Neighborhood& stencil) {
    std::string text = "extents";
    for (int k = 0; k < domain.dimensions(); ++k) {
        for (int c = 0; c < domain.grid().dim(k); ++c)
            text += " " + std::to_string(domain.extent(k, c));
        text += std::string(domain.grid().periodic(k) ? " periodic" : "") + ", widths " +
                std::to_string(domain.lower(k)) + " " + std::to_string(domain.upper(k)) + ";";
    }
    text += " stencil";
    for (const int c : stencil.flat()) text += " " + std::to_string(c);
    return text;
}

void check(const Domain& domain, const Neighborhood& stencil, const routing::Rule& rule) {
    const auto plan = planned(domain, stencil, rule);
    if (!halo::carries_halo(plan, halo::hops(domain, stencil))) return;
    BOOST_TEST_CHECKPOINT(rule.name);
    HaloSimulation simulation(domain, stencil);
    const auto on_the_way = simulation.run(all_transfers(domain, plan));
    BOOST_TEST(on_the_way.empty(), rule.name << ": " << joined(on_the_way));
    const auto wrong = simulation.wrong_cells();
    BOOST_TEST(wrong.empty(), rule.name << ": " << joined(wrong));
}

Domain random_domain(RandomSource& random) {
    const auto d = static_cast<std::size_t>(random.between(1, 3));
    std::vector<int> dims;
    std::vector<bool> periods;
    std::vector<std::vector<Cells>> extents(d);
    std::vector<Cells> lower, upper;
    for (std::size_t k = 0; k < d; ++k) {
        dims.push_back(random.between(1, d == 3 ? 3 : 4));
        periods.push_back(!random.one_in(3));
        Cells cells = 0;
        for (int c = 0; c < dims[k]; ++c) {
            extents[k].push_back(random.one_in(6) ? 0 : random.between(1, 4));
            cells += extents[k].back();
        }
        const auto most = static_cast<int>(periods[k] ? std::min<Cells>(cells, 5) : 5);
        lower.push_back(random.between(0, most));
        upper.push_back(random.between(0, most));
    }
    return {Grid(dims, periods), extents, lower, upper};
}

Neighborhood random_stencil(RandomSource& random, const Domain& domain) {
    std::vector<int> flat;
    for (int n = random.between(0, 6); n > 0; --n)
        for (int k = 0; k < domain.dimensions(); ++k)
            flat.push_back(random.between(-static_cast<int>(domain.lower(k)),
                                          static_cast<int>(domain.upper(k))));
    return {domain.dimensions(), flat};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_line_sends_its_ends) {
    const auto domain = cube(1, 3, true, 4, 2);
    const Neighborhood both(1, {-1, 1});
    const auto transfers = halo::transfers_of(planned(domain, both, routing::cartesian), domain, 1);
    BOOST_REQUIRE(transfers.size() == 2u);
    BOOST_TEST(transfers[0].to == 0);  // hop -1: into the halo behind its last
    BOOST_TEST((transfers[0].send == std::vector{Box{{0}, {2}}}));
    BOOST_TEST((transfers[0].receive == std::vector{Box{{4}, {2}}}));
    BOOST_TEST(transfers[1].to == 2);
    BOOST_TEST((transfers[1].send == std::vector{Box{{2}, {2}}}));
    BOOST_TEST((transfers[1].receive == std::vector{Box{{-2}, {2}}}));
}

BOOST_AUTO_TEST_CASE(the_second_dimension_sends_the_corners_that_came_by_the_first) {
    const auto domain = cube(2, 3, true, 4, 1);
    const auto transfers =
        halo::transfers_of(planned(domain, topology::moore(2, 1), routing::cartesian), domain, 4);
    BOOST_REQUIRE(transfers.size() == 4u);
    BOOST_TEST((transfers[0].send == std::vector{Box{{0, 0}, {1, 4}}}));
    BOOST_TEST((transfers[2].send == std::vector{Box{{-1, 0}, {6, 1}}}));
    BOOST_TEST((transfers[2].receive == std::vector{Box{{-1, 4}, {6, 1}}}));
    BOOST_TEST((transfers[2].after == std::vector{0, 1}));
}

BOOST_AUTO_TEST_CASE(a_star_sends_no_corners) {
    const auto domain = cube(2, 3, true, 4, 1);
    const auto transfers = halo::transfers_of(
        planned(domain, topology::von_neumann(2, 1), routing::cartesian), domain, 4);
    BOOST_TEST(messages(transfers) == 4);
    BOOST_TEST(cells_sent(transfers) == 4 * 4);
    for (const auto& transfer : transfers) BOOST_TEST(transfer.after.empty());
}

BOOST_AUTO_TEST_CASE(every_halo_cell_of_27_points_comes_once_in_6_messages) {
    const auto domain = cube(3, 3, true, 8, 2);
    const auto stencil = topology::moore(3, 1);
    const auto combined =
        halo::transfers_of(planned(domain, stencil, routing::cartesian), domain, 0);
    const auto direct = halo::transfers_of(planned(domain, stencil, routing::direct), domain, 0);
    const Cells halo_cells = 12 * 12 * 12 - 8 * 8 * 8;
    BOOST_TEST(messages(combined) == 6);
    BOOST_TEST(cells_sent(combined) == halo_cells);
    BOOST_TEST(messages(direct) == 26);
    BOOST_TEST(cells_sent(direct) == halo_cells);
    for (const auto& transfer : combined) BOOST_TEST(transfer.send.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_wide_halo_reaches_beyond_the_next_rank) {
    const Domain domain(Grid({4}, {true}), {{2, 1, 0, 3}}, {3}, {2});
    const auto& pieces = domain.pieces(0, 0);
    BOOST_TEST(pieces.at(1).first == -3);  // all three cells of the previous rank
    BOOST_TEST(pieces.at(1).size == 3);
    BOOST_TEST(pieces.at(-1).first == 2);
    BOOST_TEST(pieces.at(-1).size == 1);
    BOOST_TEST(pieces.contains(-2) == false);  // it owns no cells
    BOOST_TEST(pieces.at(-3).first == 3);
    BOOST_TEST(pieces.at(-3).size == 1);
}

BOOST_AUTO_TEST_CASE(random_halos_are_those_of_a_serial_array) {
    const auto seed = first_seed();
    const auto cases = random_cases(1'000);
    std::cout << "random halos: CARPOOL_SEED=" << seed << " CARPOOL_RANDOM_CASES=" << cases
              << std::endl;
    for (std::uint64_t i = 0; i < cases; ++i) {
        RandomSource random(seed + i);
        const auto domain = random_domain(random);
        const auto stencil = random_stencil(random, domain);
        BOOST_TEST_CONTEXT("CARPOOL_SEED=" << seed + i << " CARPOOL_RANDOM_CASES=1, "
                                           << described(domain, stencil)) {
            for (const auto* rule : routing::grid_rules()) check(domain, stencil, *rule);
        }
    }
}

BOOST_AUTO_TEST_CASE(no_cell_is_sent_to_a_rank_twice) {
    const auto domain = cube(3, 3, true, 5, 2);
    const auto plan = planned(domain, topology::moore(3, 2), routing::cartesian);
    for (int rank = 0; rank < domain.grid().size(); ++rank) {
        std::map<int, std::set<std::vector<Cells>>> sent;
        for (const auto& transfer : halo::transfers_of(plan, domain, rank))
            for (const auto& box : transfer.send)
                for (Cells x = 0; x < box.size[0]; ++x)
                    for (Cells y = 0; y < box.size[1]; ++y)
                        for (Cells z = 0; z < box.size[2]; ++z)
                            BOOST_TEST(
                                sent[transfer.to]
                                    .insert({box.first[0] + x, box.first[1] + y, box.first[2] + z})
                                    .second);
    }
}

BOOST_AUTO_TEST_CASE(a_transfer_left_out_or_displaced_is_found) {
    const auto domain = cube(2, 3, true, 4, 1);
    const auto stencil = topology::moore(2, 1);
    const auto plan = planned(domain, stencil, routing::cartesian);
    const auto complaints_after = [&](auto fault) {
        auto transfers = all_transfers(domain, plan);
        fault(transfers[4]);
        HaloSimulation simulation(domain, stencil);
        auto complaints = simulation.run(transfers);
        const auto wrong = simulation.wrong_cells();
        return complaints.size() + wrong.size();
    };
    BOOST_TEST(complaints_after([](auto&) {}) == 0u);
    BOOST_TEST(complaints_after([](auto& t) { t[2].send.clear(); }) > 0u);
    BOOST_TEST(complaints_after([](auto& t) {
                   t[2].send[0].first[0] += 1;
                   t[2].send[0].size[0] -= 1;
               }) > 0u);
    BOOST_TEST(complaints_after([](auto& t) { t[1].receive[0].first[1] -= 1; }) > 0u);
    BOOST_TEST(complaints_after([](auto& t) { std::swap(t[0].send, t[1].send); }) > 0u);
}

BOOST_AUTO_TEST_CASE(an_invalid_halo_is_refused_with_the_name_of_the_argument) {
    BOOST_CHECK_EXCEPTION(cube(2, 2, true, 3, -1), std::invalid_argument,
                          says("lower[0] is -1, expected at least 0"));
    BOOST_CHECK_EXCEPTION(cube(1, 2, true, 3, 7), std::invalid_argument,
                          says("lower[0] is 7, expected at most 6"));
    BOOST_CHECK_NO_THROW(cube(1, 2, true, 3, 6));
    BOOST_CHECK_NO_THROW(cube(1, 2, false, 3, 7));
    BOOST_CHECK_EXCEPTION(halo::check_reach(cube(2, 2, true, 3, 1), Neighborhood(2, {0, 1, 1, -2})),
                          std::invalid_argument,
                          says("stencil[3] is -2, outside the halo, expected from -1 to 1"));
}

BOOST_AUTO_TEST_SUITE_END()
