// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "must_complain.hpp"
#include "ring.hpp"

#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_verify_slots)

using namespace ring;
using carpool::schedule::verify;
using Schedules = std::vector<Schedule>;

BOOST_AUTO_TEST_CASE(peers_out_of_range_are_found) {
    must_complain("rank 2, round 1: peer 3 is out of range, there are 3 ranks",
                  [](Schedules& all) { all[2].rounds[1].send.peer = 3; });
    must_complain("rank 2, round 0: peer -1 is out of range, there are 3 ranks",
                  [](Schedules& all) { all[2].rounds[0].receive.peer = -1; });
}

BOOST_AUTO_TEST_CASE(slots_out_of_range_are_found) {
    must_complain("rank 1, round 1: recv[3] is out of range, there are 3 such slots",
                  [](Schedules& all) { all[1].rounds[1].receive.parts[0].slot = recv(3); });
    must_complain("rank 1, round 0: send[-1] is out of range, there are 3 such slots",
                  [](Schedules& all) { all[1].rounds[0].send.parts[0].slot = send(-1); });
    must_complain("rank 1, round 0: temp[0] is out of range, there are 0 such slots",
                  [](Schedules& all) { all[1].temp_slots = 0; });
    must_complain("rank 1, copy 0: recv[7] is out of range, there are 3 such slots",
                  [](Schedules& all) { all[1].copies[0].to = recv(7); });
    must_complain("rank 1, copy 0: temp[1] is out of range, there are 1 such slots",
                  [](Schedules& all) { all[1].copies[0].from = temp(1); });
}

BOOST_AUTO_TEST_CASE(a_negative_number_of_slots_is_found) {
    must_complain("rank 0: has a negative number of slots",
                  [](Schedules& all) { all[0].temp_slots = -1; });
}

BOOST_AUTO_TEST_CASE(a_slot_written_twice_is_found) {
    must_complain("rank 1, round 1: recv[0] is written a second time, first by rank 1, round 0",
                  [](Schedules& all) { all[1].rounds[1].receive.parts[0].slot = recv(0); });
    must_complain("rank 1, copy 0: recv[1] is written a second time, first by rank 1, round 1",
                  [](Schedules& all) { all[1].copies[0].to = recv(1); });
    must_complain("rank 1, round 0: recv[0] is written a second time, first by rank 1, round 0",
                  [](Schedules& all) { all[1].rounds[0].receive.parts[1].slot = recv(0); });
}

BOOST_AUTO_TEST_CASE(a_written_send_slot_is_found) {
    must_complain("rank 1, round 0: send[0] is written, but send slots are only read",
                  [](Schedules& all) { all[1].rounds[0].receive.parts[0].slot = send(0); });
    must_complain("rank 1, copy 0: send[0] is written, but send slots are only read",
                  [](Schedules& all) { all[1].copies[0].to = send(0); });
}

BOOST_AUTO_TEST_CASE(a_read_in_the_phase_of_the_write_is_found) {
    must_complain("rank 1, round 1: temp[0] is read in phase 0 before it is written, in phase 0",
                  [](Schedules& all) { all[1].rounds[1].phase = 0; });
}

BOOST_AUTO_TEST_CASE(a_read_in_an_earlier_phase_than_the_write_is_found) {
    must_complain("rank 1, round 0: recv[1] is read in phase 0 before it is written, in phase 1",
                  [](Schedules& all) { all[1].rounds[0].send.parts[0].slot = recv(1); });
}

BOOST_AUTO_TEST_CASE(a_read_of_a_copy_counts_from_the_source_of_the_copy) {
    const auto copied_from = [](Slot source) {
        return [source](Schedules& all) {
            all[1].temp_slots = 2;
            all[1].copies.push_back({source, temp(1), 8});
            all[1].rounds[1].send.parts[0].slot = temp(1);
        };
    };
    auto schedules = ring::schedules();
    copied_from(temp(0))(schedules);
    BOOST_TEST(verify(schedules, postcondition()).empty());
    must_complain("rank 1, round 1: temp[1] is read in phase 1 before it is written, in phase 1",
                  copied_from(recv(1)));
}

BOOST_AUTO_TEST_CASE(a_read_of_what_is_never_written_is_found) {
    must_complain("rank 1, round 1: temp[1] is read, but never written", [](Schedules& all) {
        all[1].temp_slots = 2;
        all[1].rounds[1].send.parts[0].slot = temp(1);
    });
    must_complain("rank 1, copy 0: temp[1] is read, but never written", [](Schedules& all) {
        all[1].temp_slots = 2;
        all[1].copies[0].from = temp(1);
    });
}

BOOST_AUTO_TEST_CASE(a_message_that_can_never_leave_is_found) {
    must_complain("rank 1, round 1: is never executed: it waits for temp[1]", [](Schedules& all) {
        all[1].temp_slots = 2;
        all[1].rounds[1].send.parts[0].slot = temp(1);
    });
}

BOOST_AUTO_TEST_CASE(a_message_behind_one_that_never_leaves_is_found) {
    must_complain(
        "rank 1, round 2: is never executed: it waits for rank 1, round 1 to the same rank",
        [](Schedules& all) {
            all[1].temp_slots = 2;
            all[1].rounds[1].send.parts[0].slot = temp(1);
            all[1].rounds.push_back({2, {2, {{send(0), 8}}}, {0, {}}});
            all[2].temp_slots = 2;
            all[2].rounds.push_back({2, {0, {}}, {1, {{temp(1), 8}}}});
        });
}

BOOST_AUTO_TEST_CASE(copies_in_a_cycle_are_found) {
    const auto circle = [](Schedules& all) {
        all[1].temp_slots = 2;
        all[1].copies[0] = {temp(1), recv(2), 8};
        all[1].copies.push_back({recv(2), temp(1), 8});
    };
    must_complain("rank 1, copy 0: temp[1] is read, but never written", circle);
    must_complain(
        "rank 1, copy 0: deadlock, it waits for rank 1, copy 1, which waits for "
        "rank 1, copy 0",
        circle);
}

BOOST_AUTO_TEST_CASE(descending_phases_are_found) {
    must_complain("rank 1, round 1: phase 1 comes after phase 2",
                  [](Schedules& all) { all[1].rounds[0].phase = 2; });
    must_complain("rank 1, round 0: phase -1 comes after phase 0",
                  [](Schedules& all) { all[1].rounds[0].phase = -1; });
}

BOOST_AUTO_TEST_CASE(an_expectation_of_another_size_is_found) {
    const std::string sentence = "rank 2: has 3 receive slots, but 0 are expected";
    auto expectation = postcondition();
    expectation.pop_back();
    BOOST_TEST(verify(schedules(), expectation) == std::vector{sentence},
               boost::test_tools::per_element());
    expectation.push_back({});
    BOOST_TEST(verify(schedules(), expectation) == std::vector{sentence},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
