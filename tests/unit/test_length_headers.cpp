// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "schedule/length_headers.hpp"

#include <vector>

BOOST_AUTO_TEST_SUITE(test_length_headers)

namespace {

using namespace carpool;
using schedule::Message;
using schedule::Schedule;
using schedule::Slot;

constexpr std::int64_t longest = 100;

/// The edges of rank 0, which sends two blocks to rank 1 and one to itself, and receives the same
/// number.
topology::Adjacency edges() { return {{{1, 1}, {0, 0}, {1, 0}}, {{1, 0}, {0, 0}, {1, 1}}}; }

/// One message in each direction, in two phases.
Schedule combined() {
    Schedule schedule;
    schedule.send_slots = schedule.recv_slots = 3;
    const std::vector<schedule::Part> sent{{{Slot::Kind::send, 0}, longest},
                                           {{Slot::Kind::send, 2}, longest}};
    const std::vector<schedule::Part> received{{{Slot::Kind::recv, 0}, longest},
                                               {{Slot::Kind::recv, 2}, longest}};
    schedule.rounds.push_back({0, {1, sent}, {-1, {}}});
    schedule.rounds.push_back({1, {-1, {}}, {1, received}});
    return schedule;
}

Schedule of(std::vector<std::int64_t> sent, std::vector<std::int64_t> received) {
    return with_length_headers(combined(), longest, edges(), 0,
                               {std::move(sent), std::move(received), {}});
}

/// The slots of the rendezvous messages, in order.
std::vector<int> rendezvous(const Schedule& schedule, Message schedule::Round::* way) {
    std::vector<int> slots;
    for (const auto& round : schedule.rounds)
        if ((round.*way).rendezvous) slots.push_back((round.*way).parts.front().slot.position);
    return slots;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_short_blocks_are_combined) {
    const auto schedule = of({0, 7, longest}, {longest, 1, 0});
    BOOST_TEST(schedule.rounds.size() == 2u);
    BOOST_TEST(schedule.rounds[0].send.length_header);
    BOOST_TEST(schedule.rounds[1].receive.length_header);
    BOOST_TEST(schedule::messages_sent(schedule) == 1);
}

BOOST_AUTO_TEST_CASE(a_block_one_byte_too_long_is_sent_apart_and_its_length_announced) {
    const auto schedule = of({longest + 1, 0, longest}, {0, 0, longest + 1});
    BOOST_TEST((rendezvous(schedule, &schedule::Round::send) == std::vector<int>{0}));
    BOOST_TEST((rendezvous(schedule, &schedule::Round::receive) == std::vector<int>{2}));
    BOOST_TEST(schedule.rounds[0].send.parts.size() == 2u);
    BOOST_TEST(schedule.rounds.back().send.parts.front().bytes == longest + 1);
}

BOOST_AUTO_TEST_CASE(blocks_to_the_own_rank_are_never_sent_apart) {
    const auto schedule = of({0, 5000, 0}, {0, 5000, 0});
    BOOST_TEST(schedule.rounds.size() == 2u);
}

BOOST_AUTO_TEST_CASE(several_blocks_to_one_rank_are_told_apart_by_the_labels_of_their_edges) {
    const auto schedule = of({500, 0, 600}, {700, 0, 800});
    BOOST_TEST((rendezvous(schedule, &schedule::Round::send) == std::vector<int>{2, 0}));
    BOOST_TEST((rendezvous(schedule, &schedule::Round::receive) == std::vector<int>{0, 2}));
}

BOOST_AUTO_TEST_CASE(one_block_for_all_targets_goes_along_each_edge) {
    const auto schedule = of({500}, {0, 0, 0});
    BOOST_TEST((rendezvous(schedule, &schedule::Round::send) == std::vector<int>{0, 0}));
}

BOOST_AUTO_TEST_CASE(rounds_stay_in_the_order_of_their_phases) {
    const auto schedule = of({500, 0, 600}, {700, 0, 800});
    for (std::size_t r = 1; r < schedule.rounds.size(); ++r)
        BOOST_TEST(schedule.rounds[r - 1].phase <= schedule.rounds[r].phase);
}

BOOST_AUTO_TEST_SUITE_END()
