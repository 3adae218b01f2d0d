// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "random_bundles.hpp"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_merged)

using namespace carpool;
using schedule::Message;
using schedule::Schedule;
using schedule::Slot;
using namespace random_bundles;

namespace {

constexpr auto all_ride = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t only_empty_ones = 0;

using Place = std::pair<int, int>;  // phase and target

std::map<Place, int> messages_of(const Schedule& schedule, std::int64_t longest) {
    std::map<Place, int> messages;
    for (const auto& [phase, send, receive] : schedule.rounds)
        if (!send.parts.empty() && schedule::bytes_of(send) <= longest)
            ++messages[{phase, send.peer}];
    return messages;
}

std::int64_t bytes_of(const std::vector<Member>& members, std::size_t rank) {
    std::int64_t bytes = 0;
    for (const auto& member : members) bytes += schedule::bytes_sent(member.schedules[rank]);
    return bytes;
}

Schedule one_message(int phase, int peer, std::int64_t bytes) {
    Schedule schedule{1, 1, 0, {}, {}, {}, {}};
    schedule.rounds.push_back({phase,
                               {peer, {{{Slot::Kind::send, 0}, bytes}}},
                               {peer, {{{Slot::Kind::recv, 0}, bytes}}}});
    return schedule;
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_bundles_deliver_what_their_members_do) {
    const auto seed = first_seed();
    std::cout << "bundles: CARPOOL_SEED=" << seed << std::endl;
    for (std::uint64_t i = 0; i < random_cases(3000); ++i) {
        RandomSource random(seed + i);
        const auto members = random_members(random, random_grid(random));
        const auto longest = random.one_in(3) ? only_empty_ones : random.one_in(2) ? 60 : all_ride;
        const auto all = merged(members, longest);
        const auto complaints = schedule::verify(all, expected(members), order_of(members));
        BOOST_TEST_REQUIRE(complaints.empty(), "CARPOOL_SEED=" << seed + i
                                                               << " CARPOOL_RANDOM_CASES=1 "
                                                               << joined(complaints));
    }
}

BOOST_AUTO_TEST_CASE(combined_members_send_one_message_to_each_rank_in_each_phase) {
    const auto seed = first_seed();
    std::cout << "messages of bundles: CARPOOL_SEED=" << seed << std::endl;
    for (std::uint64_t i = 0; i < random_cases(500); ++i) {
        RandomSource random(seed + i);
        const auto members = random_members(random, random_grid(random));
        const auto all = merged(members, all_ride);
        for (std::size_t rank = 0; rank < all.size(); ++rank) {
            std::map<Place, int> together;
            for (const auto& member : members)
                for (const auto& [place, count] : messages_of(member.schedules[rank], all_ride))
                    together[place] = 1;
            BOOST_TEST_CONTEXT("CARPOOL_SEED=" << seed + i << " CARPOOL_RANDOM_CASES=1, rank "
                                               << rank) {
                BOOST_TEST((messages_of(all[rank], all_ride) == together));
                BOOST_TEST(schedule::bytes_sent(all[rank]) == bytes_of(members, rank));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_long_message_is_not_combined) {
    const Member little{{one_message(0, 1, 8), one_message(0, 0, 8)}, {}};
    const Member much{{one_message(0, 1, 1000), one_message(0, 0, 1000)}, {}};
    const auto all = merged({little, much, little}, 999);
    BOOST_TEST(schedule::messages_sent(all[0]) == 2);
    BOOST_TEST(schedule::messages_sent(merged({little, much, little}, 1000)[0]) == 1);
    BOOST_TEST(all[0].rounds[0].send.parts.size() == 2);
    BOOST_TEST(all[0].rounds[1].send.parts.size() == 1);
}

BOOST_AUTO_TEST_CASE(messages_of_different_phases_do_not_meet) {
    const Member first{{one_message(0, 1, 8), one_message(0, 0, 8)}, {}};
    const Member second{{one_message(1, 1, 8), one_message(1, 0, 8)}, {}};
    BOOST_TEST(schedule::messages_sent(merged({first, second}, all_ride)[0]) == 2);
}

BOOST_AUTO_TEST_CASE(a_bundle_of_bundles_keeps_the_operators_apart) {
    Schedule sum{1, 1, 0, {}, {}, {}, {}};
    sum.sums.push_back({{{Slot::Kind::send, 0}}, {Slot::Kind::recv, 0}, 8});
    const Schedule* const two[] = {&sum, &sum};
    const auto bundle = schedule::merged(two, all_ride);
    const Schedule* const three[] = {&bundle, &sum};
    const auto all = schedule::merged(three, all_ride);
    BOOST_TEST(schedule::operators(all) == 3);
    BOOST_TEST(all.sums[2].op == 2);
    BOOST_TEST(all.sums[2].to.position == 2);
}

BOOST_AUTO_TEST_SUITE_END()
