// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "choose/planner.hpp"
#include "must_complain.hpp"
#include "neighborhood_cases.hpp"
#include "schedule/sampled_ranks.hpp"
#include "topology/stencils.hpp"

#include <algorithm>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_sampled_ranks)

using namespace carpool;
using schedule::SampledRanks;
using schedule::Schedule;

namespace {

/// The complaints about one rank of the ring.
std::vector<std::string> of_ring(const std::vector<Schedule>& schedules, int sample) {
    SampledRanks sampled(ring::ranks,
                         [&](int rank) { return schedules[static_cast<std::size_t>(rank)]; });
    sampled.add(sample);
    const auto expected = sampled.expected(
        [](int rank) { return ring::postcondition()[static_cast<std::size_t>(rank)]; });
    return schedule::verify(sampled.schedules(), expected);
}

/// Breaks the ring, and requires that a complaint about rank 1 contains the sentence.
template <typename Break>
void must_complain_of_rank_1(const std::string& sentence, Break break_it) {
    auto schedules = ring::schedules();
    break_it(schedules);
    const auto complaints = of_ring(schedules, 1);
    BOOST_TEST(std::count(complaints.begin(), complaints.end(), sentence) == 1,
               "expected \"" << sentence << "\", found " << joined(complaints));
}

struct Sampled {
    std::vector<std::string> complaints;
    std::size_t involved;
};

Sampled sampled(const topology::Grid& grid, const topology::Neighborhood& neighborhood,
                const routing::Rule& rule, schedule::Operation operation,
                const std::vector<int>& samples) {
    const std::vector<std::int64_t> bytes(operation == schedule::Operation::alltoall
                                              ? static_cast<std::size_t>(neighborhood.size())
                                              : 1,
                                          8);
    choose::Planner planner(grid, neighborhood);
    const auto plan = planner.planned(rule, operation);
    SampledRanks ranks(static_cast<int>(grid.size()),
                       [&](int rank) { return planner.placed(plan, operation, rank, bytes); });
    for (const int rank : samples) ranks.add(rank);
    const auto expected = ranks.expected([&](int rank) {
        return schedule::expected_at(rank, operation, grid, neighborhood, bytes);
    });
    return {schedule::verify(ranks.schedules(), expected), ranks.involved()};
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_rank_of_the_unbroken_ring_is_correct) {
    for (int rank = 0; rank < ring::ranks; ++rank)
        BOOST_TEST(of_ring(ring::schedules(), rank).empty());
}

BOOST_AUTO_TEST_CASE(a_message_that_never_comes_is_found) {
    must_complain_of_rank_1("rank 1, round 1: rank 0 never sends the message expected from it",
                            [](auto& all) { all[0].rounds[1].send.parts.clear(); });
}

BOOST_AUTO_TEST_CASE(a_message_that_is_not_expected_is_found) {
    must_complain_of_rank_1("rank 0, round 1: rank 1 has no receive for the message sent to it",
                            [](auto& all) { all[1].rounds[1].receive.parts.clear(); });
    must_complain_of_rank_1("rank 1, round 1: rank 2 has no receive for the message sent to it",
                            [](auto& all) { all[2].rounds[1].receive.parts.clear(); });
}

BOOST_AUTO_TEST_CASE(a_block_that_was_swapped_two_hops_away_is_found) {
    must_complain_of_rank_1(
        "rank 1: recv[1] must hold send[1] of rank 2 (8 B), but holds send[0] of rank 2 (8 B)",
        [](auto& all) {
            auto& parts = all[2].rounds[0].send.parts;
            std::swap(parts[0], parts[1]);
        });
}

BOOST_AUTO_TEST_CASE(a_missing_copy_is_found_on_a_sampled_rank) {
    must_complain_of_rank_1("rank 1: recv[2] must hold send[2] of rank 1 (8 B), but holds nothing",
                            [](auto& all) { all[1].copies.clear(); });
}

BOOST_AUTO_TEST_CASE(faults_between_other_ranks_are_not_looked_at) {
    auto schedules = ring::schedules();
    schedules[2].copies.clear();
    BOOST_TEST(of_ring(schedules, 1).empty());
}

BOOST_AUTO_TEST_CASE(all_ranks_sampled_are_as_correct_as_all_ranks_run) {
    for (const bool periodic : {true, false})
        for (const auto* rule : routing::grid_rules())
            for (const auto operation : schedule::operations())
                for (int rank = 0; rank < 20; ++rank) {
                    const topology::Grid grid({4, 5}, {periodic, periodic});
                    const auto found =
                        sampled(grid, topology::moore(2, 2), *rule, operation, {rank});
                    BOOST_TEST(found.complaints.empty(),
                               rule->name << " rank " << rank << joined(found.complaints));
                }
}

BOOST_AUTO_TEST_CASE(a_rank_of_a_million_depends_on_the_ranks_near_it) {
    for (const bool periodic : {true, false}) {
        const topology::Grid grid({100, 100, 100}, std::vector<bool>(3, periodic));
        const auto found = sampled(grid, topology::moore(3, 1), routing::cartesian,
                                   schedule::Operation::alltoall, {0, 505050, 999999});
        BOOST_TEST(found.complaints.empty(), joined(found.complaints));
        BOOST_TEST(found.involved < 3 * 125);
    }
}

BOOST_AUTO_TEST_SUITE_END()
