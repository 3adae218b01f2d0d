// SPDX-License-Identifier: MIT
// What an exchange reads and writes of the user's blocks.

#include <boost/test/unit_test.hpp>

#include "schedule/slot_use.hpp"

#include <vector>

BOOST_AUTO_TEST_SUITE(test_slot_use)

namespace {

using namespace carpool::schedule;
using Flags = std::vector<bool>;
using Order = std::vector<int>;

constexpr Slot sent(int position) { return {Slot::Kind::send, position}; }
constexpr Slot received(int position) { return {Slot::Kind::recv, position}; }

/// Sends blocks 1 and 0, keeps block 0, receives into slot 2 and forwards that; nothing comes for
/// slot 1.
Schedule example() {
    Schedule schedule;
    schedule.send_slots = 2;
    schedule.recv_slots = 3;
    schedule.rounds = {{0, {1, {{sent(1), 8}, {sent(0), 8}}}, {1, {{received(2), 8}}}},
                       {1, {2, {{received(2), 8}}}, {}}};
    schedule.copies = {{sent(0), received(0), 8}};
    return schedule;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_slot_that_nothing_writes_is_not_written) {
    const SlotUse use(example());
    BOOST_TEST((use.writes_recv == Flags{true, false, true}));
}

BOOST_AUTO_TEST_CASE(received_slots_need_not_be_filled_before) {
    const SlotUse use(example());
    BOOST_TEST((use.reads_send == Flags{true, true}));
    BOOST_TEST((use.reads_recv == Flags{false, false, false}));
}

BOOST_AUTO_TEST_CASE(a_receive_slot_that_is_sent_but_never_written_is_read) {
    auto schedule = example();
    schedule.rounds[1].send.parts.push_back({received(1), 8});
    BOOST_TEST((SlotUse(schedule).reads_recv == Flags{false, true, false}));
}

BOOST_AUTO_TEST_CASE(slots_come_in_the_order_of_messages) {
    const SlotUse use(example());
    BOOST_TEST((use.send_order == Order{1, 0}));
    BOOST_TEST((use.recv_order == Order{2, 0, 1}));
}

BOOST_AUTO_TEST_CASE(a_send_slot_awaits_the_receive_slots_that_fill_it) {
    auto schedule = example();
    schedule.awaits = {{1, {received(2), received(0)}}};
    BOOST_TEST((SlotUse(schedule).awaited == std::vector<Order>{{}, {2, 0}}));
}

BOOST_AUTO_TEST_SUITE_END()
