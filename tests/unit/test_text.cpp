// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "exchange.hpp"
#include "ring.hpp"
#include "schedule/json.hpp"
#include "schedule/text.hpp"

#include <boost/json.hpp>

#include <cstdint>
#include <string>

BOOST_AUTO_TEST_SUITE(test_text)

using namespace ring;
using carpool::schedule::Message;
using carpool::schedule::to_json;
using carpool::schedule::to_text;
namespace json = boost::json;

namespace {

/// Rank 1 of the ring, with a third round in which it only receives, and a fourth round without
/// messages.
Schedule example() {
    auto schedule = schedule_of(1);
    schedule.temp_slots = 2;
    schedule.rounds.push_back({1, {2, {}}, {0, {{temp(1), 5'000'000'000}}}});
    schedule.rounds.push_back({2, {2, {}}, {0, {}}});
    schedule.sums = {{{recv(0), send(1)}, temp(0), 8}};
    schedule.awaits = {{2, {recv(0), temp(0)}}};
    return schedule;
}

Slot slot_of(const json::value& value) {
    const auto& kind = value.at("kind").as_string();
    return {kind == "send"   ? Slot::Kind::send
            : kind == "recv" ? Slot::Kind::recv
                             : Slot::Kind::temp,
            value.at("position").to_number<int>()};
}

std::vector<Slot> slots_of(const json::value& value) {
    std::vector<Slot> slots;
    for (const auto& slot : value.as_array()) slots.push_back(slot_of(slot));
    return slots;
}

Message message_of(const json::value& value) {
    if (value.is_null()) return {-1, {}};
    Message message{value.at("peer").to_number<int>(), {}};
    for (const auto& part : value.at("parts").as_array())
        message.parts.push_back({slot_of(part), part.at("bytes").to_number<std::int64_t>()});
    return message;
}

Schedule schedule_from(const json::value& value) {
    Schedule schedule;
    schedule.send_slots = value.at("send_slots").to_number<int>();
    schedule.recv_slots = value.at("recv_slots").to_number<int>();
    schedule.temp_slots = value.at("temp_slots").to_number<int>();
    for (const auto& round : value.at("rounds").as_array())
        schedule.rounds.push_back({round.at("phase").to_number<int>(), message_of(round.at("send")),
                                   message_of(round.at("receive"))});
    for (const auto& copy : value.at("copies").as_array())
        schedule.copies.push_back({slot_of(copy.at("from")), slot_of(copy.at("to")),
                                   copy.at("bytes").to_number<std::int64_t>()});
    for (const auto& sum : value.at("sums").as_array())
        schedule.sums.push_back({slots_of(sum.at("of")), slot_of(sum.at("to")),
                                 sum.at("bytes").to_number<std::int64_t>()});
    for (const auto& await : value.at("awaits").as_array())
        schedule.awaits.push_back(
            {await.at("send_slot").to_number<int>(), slots_of(await.at("slots"))});
    return schedule;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_slot_reads_as_its_kind_and_position) {
    BOOST_TEST(to_text(send(0)) == "send[0]");
    BOOST_TEST(to_text(recv(12)) == "recv[12]");
    BOOST_TEST(to_text(temp(3)) == "temp[3]");
}

BOOST_AUTO_TEST_CASE(a_schedule_reads_as_a_line_per_round_copy_sum_and_await) {
    BOOST_TEST(to_text(example()) ==
               "round 0  phase 0  to 2: send[0] send[1] (16 B)  from 0: recv[0] temp[0] (16 B)\n"
               "round 1  phase 1  to 2: temp[0] (8 B)  from 0: recv[1] (8 B)\n"
               "round 2  phase 1  from 0: temp[1] (5000000000 B)\n"
               "round 3  phase 2  nothing\n"
               "copy  send[2] to recv[2] (8 B)\n"
               "sum  recv[0] + send[1] to temp[0] (8 B)\n"
               "await  send[2] after recv[0] temp[0]\n"
               "total  2 messages  3 blocks  24 B\n");
}

BOOST_AUTO_TEST_CASE(an_empty_schedule_reads_as_its_total) {
    BOOST_TEST(to_text(Schedule{}) == "total  0 messages  0 blocks  0 B\n");
}

BOOST_AUTO_TEST_CASE(json_of_a_small_schedule_is_this) {
    Schedule schedule;
    schedule.send_slots = 1;
    schedule.recv_slots = 1;
    schedule.rounds = {{0, {1, {{send(0), 8}}}, {1, {}}}};
    schedule.copies = {{send(0), recv(0), 8}};
    schedule.sums = {{{send(0)}, temp(0), 8}};
    schedule.awaits = {{0, {recv(0)}}};
    BOOST_TEST(to_json(schedule) ==
               R"({"send_slots": 1, "recv_slots": 1, "temp_slots": 0, )"
               R"("rounds": [{"phase": 0, )"
               R"("send": {"peer": 1, "parts": [{"kind": "send", "position": 0, "bytes": 8}]}, )"
               R"("receive": null}], )"
               R"("copies": [{"from": {"kind": "send", "position": 0}, )"
               R"("to": {"kind": "recv", "position": 0}, "bytes": 8}], )"
               R"("sums": [{"of": [{"kind": "send", "position": 0}], )"
               R"("to": {"kind": "temp", "position": 0}, "bytes": 8}], )"
               R"("awaits": [{"send_slot": 0, "slots": [{"kind": "recv", "position": 0}]}]})");
}

BOOST_AUTO_TEST_CASE(json_holds_all_that_the_text_says) {
    for (const auto& schedule : {example(), Schedule{}}) {
        const auto read_back = schedule_from(json::parse(to_json(schedule)));
        BOOST_TEST(to_text(read_back) == to_text(schedule));
        BOOST_TEST(read_back.send_slots == schedule.send_slots);
        BOOST_TEST(read_back.recv_slots == schedule.recv_slots);
        BOOST_TEST(read_back.temp_slots == schedule.temp_slots);
    }
}

BOOST_AUTO_TEST_CASE(schedules_read_back_from_json_are_still_correct) {
    const auto moore = carpool::topology::Neighborhood(2, {0, 1, 1, 0, 1, 1, 0, 0, 1, 1});
    const Exchange exchange{carpool::topology::Grid({3, 2}, {true, false}),
                            moore,
                            carpool::routing::Pattern::alltoall,
                            {1, 2, 3, 4, 5}};
    std::vector<Schedule> read_back;
    for (const auto& schedule : exchange.schedules(carpool::routing::torus))
        read_back.push_back(schedule_from(json::parse(to_json(schedule))));
    BOOST_TEST(carpool::schedule::verify(read_back, exchange.expected()).empty());
}

BOOST_AUTO_TEST_SUITE_END()
