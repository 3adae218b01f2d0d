// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "collective_ranks.hpp"
#include "graph_exchange.hpp"
#include "random_exchange.hpp"
#include "schedule/merged.hpp"
#include "topology/graph_text.hpp"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

using namespace carpool;
using schedule::Message;
using schedule::Schedule;
using schedule::Slot;

namespace {

constexpr auto all_ride = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t only_empty_ones = 0;

/// An exchange on all ranks, and its expected result.
struct Member {
    std::vector<Schedule> schedules;
    schedule::Postcondition expected;
    schedule::SumOrder order = schedule::SumOrder::any;
};

int most_send_slots(const Member& member) {
    int most = 0;
    for (const auto& schedule : member.schedules) most = std::max(most, schedule.send_slots);
    return most;
}

Member on_grid(RandomSource& random, const topology::Grid& grid) {
    const auto pattern = patterns[random.between(0, 1)];
    auto neighborhood = random_neighborhood(random, grid.dimensions());
    auto bytes = equal_blocks(neighborhood, pattern, random.between(1, 40));
    const Exchange exchange{grid, std::move(neighborhood), pattern, std::move(bytes)};
    const auto rules = routing::grid_rules();
    const auto& rule =
        *rules[static_cast<std::size_t>(random.between(0, static_cast<int>(rules.size()) - 1))];
    return {exchange.schedules(rule), exchange.expected()};
}

Member on_graph(RandomSource& random, int ranks) {
    const auto operations = schedule::operations();
    const auto rules = routing::graph_rules();
    const GraphExchange exchange{
        topology::random_graph(ranks, 0.1 * random.between(0, 9), random.between(1, 1 << 20)),
        operations[static_cast<std::size_t>(random.between(0, 3))],
        {},
        random.between(1, 40)};
    const auto& rule =
        *rules[static_cast<std::size_t>(random.between(0, static_cast<int>(rules.size()) - 1))];
    return {exchange.schedules(rule), exchange.expected()};
}

Member ordinary(RandomSource& random, int ranks) {
    using namespace collectives;
    const auto all = kinds();
    const auto kind =
        all[static_cast<std::size_t>(random.between(0, static_cast<int>(all.size()) - 1))];
    auto problem = collective_ranks::equal_blocks(kind, ranks, 8 * random.between(1, 20));
    problem.root = has_root(kind) ? random.between(0, ranks - 1) : 0;
    std::vector<const Algorithm*> usable;
    for (const auto& algorithm : algorithms(kind))
        if (algorithm.applies(problem)) usable.push_back(&algorithm);
    const auto& algorithm =
        *usable[static_cast<std::size_t>(random.between(0, static_cast<int>(usable.size()) - 1))];
    const std::vector problems{problem};
    return {collective_ranks::schedules(algorithm, problems),
            expected(problems, algorithm.pieces(problem)), order_of(problem)};
}

/// The number of send slots of a member is the same on all ranks, so that block numbers shift
/// equally on all of them.
std::vector<Member> random_members(RandomSource& random) {
    const auto grid = random_grid(random);
    const auto ranks = static_cast<int>(grid.size());
    std::vector<Member> members;
    for (int n = random.between(0, 5); n > 0; --n) {
        const int what = random.between(0, 2);
        members.push_back(what == 0   ? on_grid(random, grid)
                          : what == 1 ? on_graph(random, ranks)
                                      : ordinary(random, ranks));
        const int slots = most_send_slots(members.back());
        for (auto& schedule : members.back().schedules) schedule.send_slots = slots;
    }
    return members;
}

std::vector<Schedule> merged(const std::vector<Member>& members, std::int64_t longest) {
    std::vector<Schedule> all;
    for (std::size_t rank = 0; !members.empty() && rank < members[0].schedules.size(); ++rank) {
        std::vector<const Schedule*> of_rank;
        for (const auto& member : members) of_rank.push_back(&member.schedules[rank]);
        all.push_back(schedule::merged(of_rank, longest));
    }
    return all;
}

schedule::Postcondition expected(const std::vector<Member>& members) {
    schedule::Postcondition all(members.empty() ? 0 : members[0].expected.size());
    int before = 0;
    for (const auto& member : members) {
        for (std::size_t rank = 0; rank < all.size(); ++rank)
            for (auto content : member.expected[rank]) {
                for (auto& origin : content.blocks) origin.send_slot += before;
                all[rank].push_back(std::move(content));
            }
        before += most_send_slots(member);
    }
    return all;
}

/// If a barrier is among the members, data may arrive twice, also that of all other members.
schedule::SumOrder order_of(const std::vector<Member>& members) {
    const bool barrier = std::any_of(members.begin(), members.end(), [](const Member& member) {
        return member.order == schedule::SumOrder::repeated;
    });
    return barrier ? schedule::SumOrder::repeated : schedule::SumOrder::any;
}

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

BOOST_AUTO_TEST_SUITE(test_merged)

BOOST_AUTO_TEST_CASE(random_bundles_deliver_what_their_members_do) {
    const auto seed = first_seed();
    std::cout << "bundles: CARPOOL_SEED=" << seed << std::endl;
    for (std::uint64_t i = 0; i < random_cases(3000); ++i) {
        RandomSource random(seed + i);
        const auto members = random_members(random);
        const auto longest = random.one_in(3) ? only_empty_ones : random.one_in(2) ? 60 : all_ride;
        const auto all = merged(members, longest);
        const auto complaints = schedule::verify(all, expected(members), order_of(members));
        BOOST_TEST_REQUIRE(complaints.empty(), "CARPOOL_SEED=" << seed + i
                                                               << " CARPOOL_RANDOM_CASES=1 "
                                                               << joined(complaints));
    }
}

BOOST_AUTO_TEST_CASE(what_all_may_ride_is_one_message_to_each_rank_in_each_phase) {
    const auto seed = first_seed();
    std::cout << "rides of bundles: CARPOOL_SEED=" << seed << std::endl;
    for (std::uint64_t i = 0; i < random_cases(500); ++i) {
        RandomSource random(seed + i);
        const auto members = random_members(random);
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

BOOST_AUTO_TEST_CASE(a_long_message_goes_by_itself) {
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
