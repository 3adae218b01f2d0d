// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "collective_ranks.hpp"
#include "schedule/duplicate_messages.hpp"

#include <vector>

BOOST_AUTO_TEST_SUITE(test_duplicate_messages)

using namespace carpool;
using namespace collective_ranks;
using schedule::Message;
using schedule::Part;
using schedule::Schedule;
using schedule::Slot;

namespace {

constexpr Slot first{Slot::Kind::send, 0};
constexpr Slot second{Slot::Kind::send, 1};

/// A schedule with messages to rank 1, 2, and so on, in one phase.
Schedule sending(std::vector<Message> messages) {
    Schedule schedule;
    schedule.send_slots = 2;
    int peer = 0;
    for (auto& message : messages) {
        message.peer = ++peer;
        schedule.rounds.push_back({0, std::move(message), {-1, {}}});
    }
    return schedule;
}

std::vector<int> duplicate_messages(const char* algorithm, Kind kind) {
    const auto& one = *collectives::find_algorithm(kind, algorithm);
    return schedule::first_of_duplicates(schedules(one, {equal_blocks(kind, 4, 8)}).front());
}

using Numbers = std::vector<int>;

}  // namespace

BOOST_AUTO_TEST_CASE(messages_of_the_same_blocks_in_the_same_order_are_duplicate_messages) {
    const Message both{-1, {{first, 8}, {second, 8}}};
    const Message turned{-1, {{second, 8}, {first, 8}}};
    const Message one{-1, {{first, 8}}};
    const auto schedule = sending({both, turned, one, both, one, turned});
    BOOST_TEST(schedule::first_of_duplicates(schedule) == (Numbers{0, 1, 2, 0, 2, 1}));
}

BOOST_AUTO_TEST_CASE(messages_that_differ_in_kind_length_or_length_header_are_not_duplicates) {
    const Message one{-1, {{first, 8}}};
    const Message shorter{-1, {{first, 7}}};
    const Message received{-1, {{{Slot::Kind::recv, 0}, 8}}};
    const Message told{-1, {{first, 8}}, true};
    const auto schedule = sending({one, shorter, received, told, told});
    BOOST_TEST(schedule::first_of_duplicates(schedule) == (Numbers{0, 1, 2, 3, 3}));
}

BOOST_AUTO_TEST_CASE(rounds_without_a_message_to_send_are_not_counted) {
    const Message one{-1, {{first, 8}}};
    const auto schedule = sending({one, {-1, {}}, one});
    BOOST_TEST(schedule::first_of_duplicates(schedule) == (Numbers{0, 0}));
}

BOOST_AUTO_TEST_CASE(a_star_sends_duplicate_messages_and_an_alltoall_none) {
    BOOST_TEST(duplicate_messages("spread", Kind::allgather) == (Numbers{0, 0, 0}));
    BOOST_TEST(duplicate_messages("spread", Kind::alltoall) == (Numbers{0, 1, 2}));
}

BOOST_AUTO_TEST_SUITE_END()
