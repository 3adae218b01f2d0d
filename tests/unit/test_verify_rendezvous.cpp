// SPDX-License-Identifier: MIT
// Long blocks, of which a length header tells and which come by rendezvous messages, in the
// verifier.

#include <boost/test/unit_test.hpp>

#include "exchange.hpp"
#include "ring.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_verify_rendezvous)

using namespace ring;
using carpool::schedule::Message;
using carpool::schedule::verify;
using Schedules = std::vector<Schedule>;

namespace {

Message headed(Message message) {
    message.length_header = !message.parts.empty();
    return message;
}

Message long_block(int peer, Slot slot) { return {peer, {{slot, 100}}, false, true}; }

/// The ring with length headers, where block 1 of rank 0, for rank 2, is long.
Schedules with_a_long_block() {
    auto all = ring::schedules();
    for (auto& schedule : all)
        for (auto& round : schedule.rounds)
            round = {round.phase, headed(round.send), headed(round.receive)};
    all[0].rounds.push_back({1, long_block(2, send(1)), {-1, {}}});
    all[2].rounds.push_back({4, {-1, {}}, long_block(0, recv(1))});
    return all;
}

Postcondition expected() {
    auto all = ring::postcondition();
    all[2][1] = Origin{0, 1, 100};
    return all;
}

template <typename Break>
void must_complain(const std::string& sentence, Break break_it) {
    auto all = with_a_long_block();
    break_it(all);
    const auto complaints = verify(all, expected());
    BOOST_TEST(std::count(complaints.begin(), complaints.end(), sentence) == 1,
               "expected \"" << sentence << "\", found " << joined(complaints));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_long_block_comes_past_the_ranks_that_forward_its_length) {
    const auto complaints = verify(with_a_long_block(), expected());
    BOOST_TEST(complaints.empty(), joined(complaints));
}

BOOST_AUTO_TEST_CASE(a_long_block_that_does_not_come_is_found) {
    must_complain("rank 2, round 2: rank 0 never sends the message expected from it",
                  [](Schedules& all) { all[0].rounds.pop_back(); });
}

BOOST_AUTO_TEST_CASE(a_long_block_that_nobody_expects_is_found) {
    must_complain("rank 0, round 2: rank 2 has no receive for the message sent to it",
                  [](Schedules& all) { all[2].rounds.pop_back(); });
}

BOOST_AUTO_TEST_CASE(a_message_of_the_other_kind_is_none_for_a_long_block) {
    must_complain("rank 2, round 2: rank 0 never sends the message expected from it",
                  [](Schedules& all) { all[0].rounds.back().send.rendezvous = false; });
}

BOOST_AUTO_TEST_CASE(a_long_block_without_a_length_header_is_found) {
    must_complain("rank 2, round 2: recv[1] has a rendezvous message, but no length header",
                  [](Schedules& all) { all[2].rounds[1].receive.length_header = false; });
    must_complain("rank 2, round 2: temp[1] has a rendezvous message, but no length header",
                  [](Schedules& all) {
                      all[2].temp_slots = 2;
                      all[2].rounds.back().receive.parts[0].slot = temp(1);
                  });
}

BOOST_AUTO_TEST_CASE(a_long_block_that_comes_twice_is_found) {
    must_complain("rank 2, round 3: recv[1] has a second rendezvous message", [](Schedules& all) {
        all[0].rounds.push_back(all[0].rounds.back());
        all[2].rounds.push_back(all[2].rounds.back());
    });
}

BOOST_AUTO_TEST_CASE(a_length_header_that_tells_of_another_block_is_found) {
    must_complain(
        "rank 2: recv[1] gets send[1] of rank 0 (100 B) by a rendezvous message, but its length "
        "header told of send[0] of rank 0 (100 B)",
        [](Schedules& all) {
            auto& parts = all[0].rounds[0].send.parts;
            std::swap(parts[0], parts[1]);
        });
}

BOOST_AUTO_TEST_CASE(a_long_block_of_another_size_is_found) {
    must_complain(
        "rank 2: recv[1] must hold send[1] of rank 0 (100 B), but holds send[1] of rank 0 (99 B)",
        [](Schedules& all) {
            all[0].rounds.back().send.parts[0].bytes = 99;
            all[2].rounds.back().receive.parts[0].bytes = 99;
        });
}

BOOST_AUTO_TEST_SUITE_END()
