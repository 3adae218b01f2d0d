// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "collective_ranks.hpp"

#include <algorithm>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_straight)

using namespace carpool;
using namespace collective_ranks;
using schedule::Slot;

namespace {

const Algorithm& bruck = *collectives::find_algorithm(Kind::alltoall, "bruck");

/// Blocks of 8 bytes between 4 ranks, except the one from rank 0 to `target`.
std::vector<Problem> one_of(std::int64_t bytes, std::size_t target) {
    std::vector<Problem> problems(4, Problem{Kind::alltoall, 4, 0, {}});
    for (auto& problem : problems) problem.sent = problem.received = {8, 8, 8, 8};
    problems[0].sent[target] = problems[target].received[0] = bytes;
    return problems;
}

/// How often a part of this size is sent, alone in its message or together with others.
int times_sent(const std::vector<schedule::Schedule>& schedules, std::int64_t bytes, bool alone) {
    int times = 0;
    for (const auto& schedule : schedules)
        for (const auto& round : schedule.rounds)
            for (const auto& part : round.send.parts)
                if (part.bytes == bytes && (round.send.parts.size() == 1) == alone) ++times;
    return times;
}

/// Whether no part of more than `longest` bytes passes through a rank that is not its target.
bool all_long_ones_are_straight(const std::vector<schedule::Schedule>& schedules,
                                std::int64_t longest) {
    return std::none_of(schedules.begin(), schedules.end(), [&](const auto& schedule) {
        return std::any_of(schedule.rounds.begin(), schedule.rounds.end(), [&](const auto& round) {
            return std::any_of(
                round.receive.parts.begin(), round.receive.parts.end(), [&](const auto& part) {
                    return part.slot.kind == Slot::Kind::temp && part.bytes > longest;
                });
        });
    });
}

}  // namespace

// Distance 3 takes two hops in Bruck's algorithm: a block of 8 bytes is forwarded, one of 9 bytes
// is sent alone.
BOOST_AUTO_TEST_CASE(a_block_one_byte_too_long_is_sent_directly) {
    const auto combined = learnt_schedules(bruck, one_of(8, 3), 8);
    const auto alone = learnt_schedules(bruck, one_of(9, 3), 8);
    BOOST_TEST(messages(combined) == 8);
    BOOST_TEST(messages(alone) == 9);
    BOOST_TEST(times_sent(alone, 9, true) == 1);
    BOOST_TEST(times_sent(alone, 9, false) == 0);
    BOOST_TEST(complaints(bruck, one_of(9, 3), alone).empty());
}

BOOST_AUTO_TEST_CASE(a_long_block_to_the_first_hop_stays_combined) {
    const auto all = learnt_schedules(bruck, one_of(1000, 1), 8);
    BOOST_TEST(messages(all) == 8);
    BOOST_TEST(times_sent(all, 1000, false) == 1);
    BOOST_TEST(complaints(bruck, one_of(1000, 1), all).empty());
}

BOOST_AUTO_TEST_CASE(a_long_block_does_not_wait_for_its_phase) {
    const auto all = learnt_schedules(bruck, one_of(1000, 2), 8);
    BOOST_TEST(messages(all) == 9);
    BOOST_TEST(times_sent(all, 1000, true) == 1);
    BOOST_TEST(complaints(bruck, one_of(1000, 2), all).empty());
}

BOOST_AUTO_TEST_CASE(a_long_block_to_the_own_rank_is_not_sent) {
    const auto all = learnt_schedules(bruck, one_of(1000, 0), 8);
    BOOST_TEST(messages(all) == 8);
    BOOST_TEST(complaints(bruck, one_of(1000, 0), all).empty());
}

BOOST_AUTO_TEST_CASE(every_algorithm_sends_long_blocks_directly_and_short_ones_combined) {
    const auto first = first_seed();
    for (std::uint64_t i = 0; i < random_cases(40); ++i) {
        BOOST_TEST_CONTEXT("seed " << first + i) {
            RandomSource random(first + i);
            const int ranks = random.between(1, 24);
            const auto problems = varying_alltoall(random, ranks, 200);
            const auto longest = random.between(0, 200);
            for (const auto& algorithm : collectives::algorithms(Kind::alltoall)) {
                if (!algorithm.forwards || !algorithm.applies(problems.front())) continue;
                const auto all = learnt_schedules(algorithm, problems, longest);
                const auto found = complaints(algorithm, problems, all);
                BOOST_TEST(found.empty(),
                           algorithm.name << ": " << (found.empty() ? "" : found.front()));
                BOOST_TEST(all_long_ones_are_straight(all, longest), algorithm.name);
            }
        }
    }
}

// A test of the checker: it must find an error here.
BOOST_AUTO_TEST_CASE(two_ends_with_different_limits_are_found) {
    auto all = learnt_schedules(bruck, one_of(9, 3), 8);
    all[3] = learnt_schedules(bruck, one_of(9, 3), 9)[3];
    BOOST_TEST(!complaints(bruck, one_of(9, 3), all).empty());
}

BOOST_AUTO_TEST_SUITE_END()
