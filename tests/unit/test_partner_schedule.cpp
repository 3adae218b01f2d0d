// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "routing/digits.hpp"
#include "routing/partner_schedule.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_partner_schedule)

using carpool::routing::PartnerSchedule;

namespace {

using Schedules = std::vector<PartnerSchedule>;

/// A message, in the order of all phases.
struct Leg {
    std::size_t phase;
    int target;
};

std::vector<Leg> legs_of(const PartnerSchedule& schedule) {
    std::vector<Leg> legs;
    for (std::size_t phase = 0; phase < schedule.phases.size(); ++phase)
        for (const int target : schedule.phases[phase].targets) legs.push_back({phase, target});
    return legs;
}

/// The rank where a parcel ends that starts on a rank, if each message is sent after the one that
/// brought the parcel; -1 if it is not.
int end_of(int rank, int target, const std::vector<std::vector<Leg>>& legs,
           const Schedules& schedules) {
    std::size_t earliest = 0;
    while (rank != target) {
        const auto at = static_cast<std::size_t>(rank);
        const auto& leg = legs[at].at(schedules[at].message_for(target));
        if (leg.phase < earliest) return -1;
        earliest = leg.phase + 1;
        rank = leg.target;
    }
    return rank;
}

/// Empty if in each phase every rank expects exactly the ranks that send to it.
std::string fault_of_partners(const Schedules& schedules) {
    for (std::size_t phase = 0; phase < schedules[0].phases.size(); ++phase) {
        std::vector<std::vector<int>> writers(schedules.size());
        for (std::size_t rank = 0; rank < schedules.size(); ++rank)
            for (const int target : schedules[rank].phases.at(phase).targets)
                writers.at(static_cast<std::size_t>(target)).push_back(static_cast<int>(rank));
        for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
            auto expected = schedules[rank].phases[phase].sources;
            std::sort(expected.begin(), expected.end());
            if (expected != writers[rank]) return "rank " + std::to_string(rank);
        }
    }
    return "";
}

std::size_t most_heard(const Schedules& schedules) {
    std::size_t most = 0;
    for (const auto& schedule : schedules) {
        std::size_t sources = 0;
        for (const auto& phase : schedule.phases) sources += phase.sources.size();
        most = std::max(most, sources);
    }
    return most;
}

void check(const std::string& what, int ranks,
           const std::function<PartnerSchedule(int rank)>& schedule) {
    Schedules schedules;
    std::vector<std::vector<Leg>> legs;
    for (int rank = 0; rank < ranks; ++rank) {
        schedules.push_back(schedule(rank));
        legs.push_back(legs_of(schedules.back()));
    }
    BOOST_TEST_REQUIRE(fault_of_partners(schedules) == "", what);
    BOOST_TEST_REQUIRE(most_heard(schedules) == schedules[0].most_partners, what);
    for (int rank = 0; rank < ranks; ++rank)
        for (int target = 0; target < ranks; ++target)
            if (end_of(rank, target, legs, schedules) != target)
                BOOST_FAIL(what << ": from " << rank << " to " << target);
}

}  // namespace

BOOST_AUTO_TEST_CASE(parcels_from_all_to_all_arrive_and_partners_expect_each_other) {
    for (int ranks = 2; ranks <= 130; ++ranks) {
        for (int digits = 1; digits <= 7; ++digits) {
            const auto factors = carpool::routing::near_equal_factors(ranks, digits);
            check(std::to_string(digits) + " digits of " + std::to_string(ranks), ranks,
                  [&](int rank) { return carpool::routing::digit_partners(rank, ranks, factors); });
        }
        check("star of " + std::to_string(ranks), ranks,
              [&](int rank) { return carpool::routing::star_partners(rank, ranks); });
    }
}

BOOST_AUTO_TEST_CASE(factors_may_say_more_than_there_are_ranks) {
    for (const auto& factors : {std::vector{2, 2, 2, 2, 2}, {7, 7}, {3, 9}, {64}})
        for (const int ranks : {2, 3, 8, 20})
            check("digits of " + std::to_string(ranks), ranks,
                  [&](int rank) { return carpool::routing::digit_partners(rank, ranks, factors); });
}

BOOST_AUTO_TEST_CASE(the_first_digit_may_be_the_place_on_the_node) {
    using carpool::routing::digit_partners;
    for (const int node : {2, 3, 4, 8})
        for (int count = 2; count <= 16; ++count)
            for (int digits = 1; digits <= 4; ++digits) {
                const int ranks = node * count;
                const auto factors = carpool::routing::node_factors(ranks, node, digits);
                check(std::to_string(digits) + " digits of nodes of " + std::to_string(node), ranks,
                      [&](int rank) { return digit_partners(rank, ranks, factors, node); });
            }
    const auto partners = digit_partners(5, 8, {4, 2}, 4);
    BOOST_TEST((partners.phases[0].targets == std::vector{6, 7, 4}));
    BOOST_TEST((partners.phases[0].sources == std::vector{4, 7, 6}));
    BOOST_TEST((partners.phases[1].targets == std::vector{1}));
}

BOOST_AUTO_TEST_CASE(schedules_of_few_ranks_are_those_one_would_write_down) {
    const auto digits = carpool::routing::digit_partners(0, 4, {2, 2});
    BOOST_TEST((digits.phases[0].targets == std::vector{1}));
    BOOST_TEST((digits.phases[0].sources == std::vector{3}));
    BOOST_TEST((digits.phases[1].targets == std::vector{2}));
    BOOST_TEST(digits.message_for(2) == 1u);
    BOOST_TEST(digits.message_for(3) == 0u);  // through rank 1
    const auto star = carpool::routing::star_partners(1, 3);
    BOOST_TEST((star.phases[0].targets == std::vector{0}));
    BOOST_TEST((star.phases[1].sources == std::vector{0}));
}

BOOST_AUTO_TEST_CASE(a_partner_that_nobody_expects_is_found) {
    Schedules schedules;
    for (int rank = 0; rank < 3; ++rank)
        schedules.push_back(carpool::routing::star_partners(rank, 3));
    schedules[0].phases[0].sources.clear();
    BOOST_TEST(fault_of_partners(schedules) == "rank 0");
}

BOOST_AUTO_TEST_CASE(a_parcel_that_misses_its_message_is_found) {
    Schedules schedules;
    std::vector<std::vector<Leg>> legs;
    for (int rank = 0; rank < 4; ++rank) {
        schedules.push_back(carpool::routing::digit_partners(rank, 4, {2, 2}));
        legs.push_back(legs_of(schedules.back()));
    }
    BOOST_TEST(end_of(0, 3, legs, schedules) == 3);
    schedules[1].message_for = [](int) { return std::size_t{0}; };  // in the phase that brought it
    BOOST_TEST(end_of(0, 3, legs, schedules) == -1);
}

BOOST_AUTO_TEST_SUITE_END()
