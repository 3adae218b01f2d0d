// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "must_complain.hpp"
#include "ring.hpp"

#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_verify)

using namespace ring;
using carpool::schedule::verify;
using Schedules = std::vector<Schedule>;

BOOST_AUTO_TEST_CASE(the_unbroken_ring_is_correct) {
    const auto complaints = verify(schedules(), postcondition());
    BOOST_TEST(complaints.empty(), joined(complaints));
}

BOOST_AUTO_TEST_CASE(no_ranks_are_correct) { BOOST_TEST(verify({}, {}).empty()); }

BOOST_AUTO_TEST_CASE(a_dropped_message_is_found) {
    must_complain("rank 2, round 1: rank 1 never sends the message expected from it",
                  [](Schedules& all) { all[1].rounds[1].send.parts.clear(); });
}

BOOST_AUTO_TEST_CASE(a_dropped_receive_is_found) {
    must_complain("rank 1, round 1: rank 2 has no receive for the message sent to it",
                  [](Schedules& all) { all[2].rounds[1].receive.parts.clear(); });
}

BOOST_AUTO_TEST_CASE(an_extra_message_is_found) {
    must_complain(
        "rank 1, round 2: rank 2 has no receive for the message sent to it",
        [](Schedules& all) { all[1].rounds.push_back({2, {2, {{send(0), 8}}}, {0, {}}}); });
}

BOOST_AUTO_TEST_CASE(an_extra_receive_is_found) {
    must_complain("rank 1, round 2: rank 0 never sends the message expected from it",
                  [](Schedules& all) {
                      all[1].temp_slots = 2;
                      all[1].rounds.push_back({2, {2, {}}, {0, {{temp(1), 8}}}});
                  });
}

BOOST_AUTO_TEST_CASE(a_dropped_part_is_found) {
    must_complain("rank 1, round 0: expects 1 parts, but rank 0, round 0 sends 2",
                  [](Schedules& all) { all[1].rounds[0].receive.parts.pop_back(); });
}

BOOST_AUTO_TEST_CASE(swapped_parts_are_found) {
    must_complain(
        "rank 1: recv[0] must hold send[0] of rank 0 (8 B), but holds send[1] of rank 0 (8 B)",
        [](Schedules& all) {
            auto& parts = all[1].rounds[0].receive.parts;
            std::swap(parts[0], parts[1]);
        });
}

BOOST_AUTO_TEST_CASE(swapped_parts_are_found_where_the_block_goes_on) {
    must_complain(
        "rank 2: recv[1] must hold send[1] of rank 0 (8 B), but holds send[0] of rank 0 (8 B)",
        [](Schedules& all) {
            auto& parts = all[0].rounds[0].send.parts;
            std::swap(parts[0], parts[1]);
        });
}

BOOST_AUTO_TEST_CASE(different_bytes_on_both_ends_are_found) {
    must_complain(
        "rank 1, round 0: recv[0] expects 8 bytes, but rank 0, round 0 sends 4 from "
        "send[0]",
        [](Schedules& all) { all[0].rounds[0].send.parts[0].bytes = 4; });
}

BOOST_AUTO_TEST_CASE(wrong_bytes_on_both_ends_are_found) {
    must_complain(
        "rank 1: recv[0] must hold send[0] of rank 0 (8 B), but holds send[0] of rank 0 (4 B)",
        [](Schedules& all) {
            all[0].rounds[0].send.parts[0].bytes = 4;
            all[1].rounds[0].receive.parts[0].bytes = 4;
        });
}

BOOST_AUTO_TEST_CASE(a_block_that_goes_on_with_other_bytes_is_found) {
    must_complain("rank 1, round 1: reads 4 bytes of temp[0], which holds 8", [](Schedules& all) {
        all[1].rounds[1].send.parts[0].bytes = 4;
        all[2].rounds[1].receive.parts[0].bytes = 4;
    });
}

BOOST_AUTO_TEST_CASE(wrong_bytes_of_a_copy_are_found) {
    must_complain(
        "rank 1: recv[2] must hold send[2] of rank 1 (8 B), but holds send[2] of rank 1 (9 B)",
        [](Schedules& all) { all[1].copies[0].bytes = 9; });
}

BOOST_AUTO_TEST_CASE(negative_bytes_are_found) {
    must_complain("rank 1, round 0: send[1] has -8 bytes",
                  [](Schedules& all) { all[1].rounds[0].send.parts[1].bytes = -8; });
}

BOOST_AUTO_TEST_CASE(a_wrong_peer_is_found_at_the_rank_that_gets_nothing) {
    must_complain("rank 1, round 1: rank 0 never sends the message expected from it",
                  [](Schedules& all) { all[0].rounds[1].send.peer = 2; });
}

BOOST_AUTO_TEST_CASE(a_wrong_peer_is_found_at_the_rank_that_gets_too_much) {
    must_complain("rank 0, round 1: rank 2 has no receive for the message sent to it",
                  [](Schedules& all) { all[0].rounds[1].send.peer = 2; });
}

BOOST_AUTO_TEST_CASE(a_wrong_source_is_found) {
    must_complain("rank 0, round 0: rank 1 never sends the message expected from it",
                  [](Schedules& all) { all[0].rounds[0].receive.peer = 1; });
}

BOOST_AUTO_TEST_CASE(the_peer_of_no_message_may_be_anything) {
    auto schedules = ring::schedules();
    for (auto& schedule : schedules) schedule.rounds.push_back({1, {-1, {}}, {99, {}}});
    BOOST_TEST(verify(schedules, postcondition()).empty());
}

BOOST_AUTO_TEST_CASE(a_missing_copy_is_found) {
    must_complain("rank 1: recv[2] must hold send[2] of rank 1 (8 B), but holds nothing",
                  [](Schedules& all) { all[1].copies.clear(); });
}

BOOST_AUTO_TEST_CASE(a_wrong_place_is_found) {
    auto expectation = postcondition();
    expectation[2][0] = Origin{0, 0, 8};
    const auto complaints = verify(schedules(), expectation);
    BOOST_REQUIRE(complaints.size() == 1);
    BOOST_TEST(complaints[0] ==
               "rank 2: recv[0] must hold send[0] of rank 0 (8 B), "
               "but holds send[0] of rank 1 (8 B)");
}

BOOST_AUTO_TEST_CASE(a_touched_place_is_found) {
    auto expectation = postcondition();
    expectation[2][1] = {};
    const auto complaints = verify(schedules(), expectation);
    BOOST_REQUIRE(complaints.size() == 1);
    BOOST_TEST(complaints[0] ==
               "rank 2: recv[1] must stay untouched, but holds send[1] of rank 0 (8 B)");
}

BOOST_AUTO_TEST_SUITE_END()
