// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "exchange.hpp"
#include "ring.hpp"

#include <algorithm>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_deadlock)

using namespace ring;
using carpool::schedule::verify;

namespace {

bool contains(const std::vector<std::string>& complaints, const std::string& sentence) {
    return std::find(complaints.begin(), complaints.end(), sentence) != complaints.end();
}

/// A rank that waits for a block from its peer in phase 0 and sends it back in phase 1.
Schedule echo(int peer) {
    Schedule schedule;
    schedule.temp_slots = 1;
    schedule.rounds = {{0, {peer, {}}, {peer, {{temp(0), 8}}}},
                       {1, {peer, {{temp(0), 8}}}, {peer, {}}}};
    return schedule;
}

}  // namespace

// Each rank alone is correct: it reads in phase 1 what it wrote in phase 0.
BOOST_AUTO_TEST_CASE(two_ranks_that_wait_for_each_other_are_found) {
    const auto complaints = verify(std::vector{echo(1), echo(0)}, {{}, {}});
    BOOST_TEST(contains(complaints,
                        "rank 0, round 1: deadlock, it waits for rank 1, round 1, "
                        "which waits for rank 0, round 1"),
               joined(complaints));
    BOOST_TEST(contains(complaints, "rank 0, round 1: is never executed: it waits for temp[0]"));
    BOOST_TEST(contains(complaints, "rank 1, round 1: is never executed: it waits for temp[0]"));
    BOOST_TEST(complaints.size() == 3 + 2);  // and both receive in phase 0 what is sent in phase 1
}

BOOST_AUTO_TEST_CASE(a_cycle_is_reported_once_however_many_ranks_wait_for_it) {
    // rank 3 waits for rank 0, which is in a cycle with 1 and 2
    std::vector<Schedule> schedules{echo(2), echo(0), echo(1), echo(0)};
    schedules[0].rounds[1].send.peer = 1;
    schedules[1].rounds[1].send.peer = 2;
    schedules[2].rounds[1].send.peer = 0;
    schedules[0].rounds.push_back({1, {3, {{temp(0), 8}}}, {3, {}}});
    schedules[3].rounds[1].send.parts.clear();
    const auto complaints = verify(schedules, {{}, {}, {}, {}});
    BOOST_TEST(std::count_if(complaints.begin(), complaints.end(),
                             [](const auto& c) { return c.find("deadlock") != c.npos; }) == 1);
    BOOST_TEST(contains(complaints,
                        "rank 0, round 1: deadlock, it waits for rank 2, round 1, "
                        "which waits for rank 1, round 1, "
                        "which waits for rank 0, round 1"),
               joined(complaints));
    BOOST_TEST(contains(complaints, "rank 0, round 2: is never executed: it waits for temp[0]"));
}

BOOST_AUTO_TEST_CASE(a_rank_that_waits_for_itself_is_found) {
    const auto complaints = verify(std::vector{echo(0)}, {{}});
    BOOST_TEST(contains(complaints, "rank 0, round 1: deadlock, it waits for rank 0, round 1"),
               joined(complaints));
}

// Rank 0 has two messages for rank 1. The first waits for rank 1's answer to the second, which must
// not overtake it.
BOOST_AUTO_TEST_CASE(a_cycle_through_the_order_of_messages_is_found) {
    Schedule asks;
    asks.send_slots = 1;
    asks.temp_slots = 1;
    asks.rounds = {{0, {1, {}}, {1, {{temp(0), 8}}}},
                   {1, {1, {{temp(0), 8}}}, {1, {}}},
                   {1, {1, {{send(0), 8}}}, {1, {}}}};
    Schedule answers;
    answers.temp_slots = 2;
    answers.rounds = {{0, {0, {}}, {0, {{temp(0), 8}}}},
                      {0, {0, {}}, {0, {{temp(1), 8}}}},
                      {1, {0, {{temp(1), 8}}}, {0, {}}}};
    const auto complaints = verify(std::vector{asks, answers}, {{}, {}});
    BOOST_TEST(contains(complaints,
                        "rank 0, round 1: deadlock, it waits for rank 1, round 2, "
                        "which waits for rank 0, round 2, "
                        "which waits for rank 0, round 1"),
               joined(complaints));
    // If the answer is to a message that waits for nothing, there is no deadlock.
    asks.rounds = {{0, {1, {{send(0), 8}}}, {1, {}}},
                   {0, {1, {{send(0), 8}}}, {1, {}}},
                   {1, {1, {}}, {1, {{temp(0), 8}}}}};
    BOOST_TEST(verify(std::vector{asks, answers}, {{}, {}}).empty());
}

BOOST_AUTO_TEST_SUITE_END()
