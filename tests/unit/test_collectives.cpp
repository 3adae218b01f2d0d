// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "collective_checks.hpp"
#include "collectives/folding.hpp"
#include "schedule/text.hpp"

#include <iostream>
#include <set>

BOOST_AUTO_TEST_SUITE(test_collectives)

using namespace carpool::collectives;
using namespace collective_ranks;
using carpool::schedule::to_text;

namespace {

const Algorithm& algorithm(Kind kind, const char* name) {
    const auto* found = find_algorithm(kind, name);
    BOOST_REQUIRE_MESSAGE(found != nullptr, name);
    return *found;
}

std::string text(Kind kind, const char* name, const Problem& problem, int rank) {
    return to_text(schedule_of(algorithm(kind, name), problem, rank));
}

template <typename Body>
void for_each_algorithm(Body body) {
    for (const auto kind : kinds())
        for (const auto& a : algorithms(kind)) body(a);
}

Problem random_problem(RandomSource& random, Kind kind) {
    const int ranks = random.between(1, 40);
    auto problem = equal_blocks(kind, ranks, 8 * random.between(0, 3 * ranks));
    problem.root = has_root(kind) ? random.between(0, ranks - 1) : 0;
    problem.commutes = !reduces(kind) || random.one_in(2);
    problem.segment = random.between(1, 100);
    problem.digits.count = random.between(1, 6);
    if (random.one_in(3))
        problem.digits.factors = {random.between(2, 8), random.between(2, 8), random.between(2, 5)};
    if (has_block_per_rank(kind) && random.one_in(2)) {
        problem.bytes.clear();
        for (int rank = 0; rank < ranks; ++rank)
            problem.bytes.push_back(random.one_in(3) ? 0 : 8 * random.between(1, 10));
    }
    return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_allreduce_on_3_ranks_folds_doubles_and_unfolds) {
    const auto problem = equal_blocks(Kind::allreduce, 3, 8);
    BOOST_TEST(text(Kind::allreduce, "recursive-doubling", problem, 0) ==
               "round 0  phase 0  from 1: temp[0] (8 B)\n"
               "round 1  phase 1  to 2: temp[1] (8 B)\n"
               "round 2  phase 1  from 2: temp[2] (8 B)\n"
               "round 3  phase 2  to 1: recv[0] (8 B)\n"
               "sum  send[0] + temp[0] to temp[1] (8 B)\n"
               "sum  temp[1] + temp[2] to recv[0] (8 B)\n"
               "total  2 messages  2 blocks  16 B\n");
    BOOST_TEST(text(Kind::allreduce, "recursive-doubling", problem, 1) ==
               "round 0  phase 0  to 0: send[0] (8 B)\n"
               "round 1  phase 2  from 0: recv[0] (8 B)\n"
               "total  1 messages  1 blocks  8 B\n");
}

BOOST_AUTO_TEST_CASE(a_barrier_forwards_which_ranks_have_entered) {
    BOOST_TEST(text(Kind::barrier, "dissemination", equal_blocks(Kind::barrier, 3, 0), 0) ==
               "round 0  phase 0  to 1: send[0] (0 B)\n"
               "round 1  phase 0  from 2: temp[0] (0 B)\n"
               "round 2  phase 1  to 2: temp[1] (0 B)\n"
               "round 3  phase 1  from 1: temp[2] (0 B)\n"
               "sum  temp[0] + send[0] to temp[1] (0 B)\n"
               "sum  temp[2] + temp[1] to recv[0] (0 B)\n"
               "total  2 messages  2 blocks  0 B\n");
}

BOOST_AUTO_TEST_CASE(a_broadcast_goes_down_the_binomial_tree_far_ranks_first) {
    auto problem = equal_blocks(Kind::bcast, 8, 16);
    problem.root = 3;
    BOOST_TEST(text(Kind::bcast, "binomial", problem, 3) ==
               "round 0  phase 0  to 7: send[0] (16 B)\n"
               "round 1  phase 1  to 5: send[0] (16 B)\n"
               "round 2  phase 2  to 4: send[0] (16 B)\n"
               "total  3 messages  3 blocks  48 B\n");
    BOOST_TEST(text(Kind::bcast, "binomial", problem, 4) ==
               "round 0  phase 2  from 3: recv[0] (16 B)\n"
               "total  0 messages  0 blocks  0 B\n");
}

// Rank 2 is the root of 4: rank 3, its neighbor, gets half of the block, and hands a quarter on to
// rank 1. The root receives nothing.
BOOST_AUTO_TEST_CASE(a_broadcast_scatters_to_near_ranks_first_and_collects_from_far_ones_first) {
    auto problem = equal_blocks(Kind::bcast, 4, 32);
    problem.root = 2;
    BOOST_TEST(text(Kind::bcast, "scatter-doubling", problem, 3) ==
               "round 0  phase 0  from 2: recv[2] recv[3] (16 B)\n"
               "round 1  phase 1  to 1: recv[3] (8 B)\n"
               "round 2  phase 2  to 1: recv[2] (8 B)\n"
               "round 3  phase 3  from 2: recv[0] recv[1] (16 B)\n"
               "total  2 messages  2 blocks  16 B\n");
}

BOOST_AUTO_TEST_CASE(bruck_takes_a_hop_for_each_digit_that_is_not_zero) {
    BOOST_TEST(text(Kind::alltoall, "bruck", equal_blocks(Kind::alltoall, 4, 8), 0) ==
               "round 0  phase 0  to 1: send[1] send[3] (16 B)\n"
               "round 1  phase 0  from 3: recv[3] temp[0] (16 B)\n"
               "round 2  phase 1  to 2: send[2] temp[0] (16 B)\n"
               "round 3  phase 1  from 2: recv[2] recv[1] (16 B)\n"
               "copy  send[0] to recv[0] (8 B)\n"
               "total  2 messages  4 blocks  32 B\n");
}

BOOST_AUTO_TEST_CASE(every_kind_has_a_first_algorithm_that_always_applies) {
    for (const auto kind : kinds()) {
        BOOST_REQUIRE(!algorithms(kind).empty());
        BOOST_TEST((algorithms(kind).front().applies == algorithms(kind).front().applies));
        std::set<std::string_view> names;
        for (const auto& a : algorithms(kind)) {
            BOOST_TEST((a.kind == kind));
            BOOST_TEST(names.insert(a.name).second, a.name << " stands twice");
        }
        for (int ranks = 1; ranks <= 9; ++ranks)
            for (const bool commutes : {true, false}) {
                auto problem = equal_blocks(kind, ranks, 8);
                problem.commutes = commutes;
                BOOST_TEST(algorithms(kind).front().applies(problem));
            }
    }
}

BOOST_AUTO_TEST_CASE(every_algorithm_is_correct_on_1_to_34_ranks_from_every_root) {
    for_each_algorithm([](const Algorithm& a) {
        for (int ranks = 1; ranks <= up_to(34); ++ranks)
            for (int root = 0; root < (has_root(a.kind) && ranks <= 17 ? ranks : 1); ++root)
                for (const bool commutes : {true, false}) {
                    auto problem = equal_blocks(a.kind, ranks, 8 * 64);
                    problem.root = root;
                    problem.commutes = commutes;
                    problem.segment = 100;
                    if ((commutes || reduces(a.kind)) && a.applies(problem)) check(a, {problem});
                }
    });
}

BOOST_AUTO_TEST_CASE(all_ranks_together_send_as_many_messages_as_an_algorithm_says) {
    for_each_algorithm([](const Algorithm& a) {
        for (int ranks = 1; ranks <= up_to(70); ++ranks)
            for (const bool commutes : {true, false}) {
                auto problem = equal_blocks(a.kind, ranks, 8 * 128);
                problem.root = has_root(a.kind) ? ranks / 2 : 0;
                problem.commutes = commutes;
                problem.segment = 300;
                if (!a.applies(problem)) continue;
                BOOST_TEST(messages(schedules(a, {problem})) == a.messages(problem),
                           described(a, problem));
            }
    });
}

BOOST_AUTO_TEST_CASE(random_problems_are_solved_by_every_algorithm_that_applies) {
    const auto seed = first_seed();
    const auto cases = random_cases(3000);
    std::cout << "seed " << seed << ", " << cases << " cases\n";
    for (std::uint64_t i = 0; i < cases; ++i) {
        RandomSource random(seed + i);
        const auto kind = kinds()[static_cast<std::size_t>(
            random.between(0, static_cast<int>(kinds().size()) - 1))];
        const auto problem = random_problem(random, kind);
        for (const auto& a : algorithms(kind))
            if (a.applies(problem))
                BOOST_REQUIRE_MESSAGE(check(a, {problem}), "CARPOOL_SEED=" << seed + i);
    }
}

BOOST_AUTO_TEST_CASE(an_alltoall_whose_blocks_vary_arrives_by_every_algorithm) {
    const auto seed = first_seed();
    std::cout << "seed " << seed << '\n';
    for (int ranks = 1; ranks <= 20; ++ranks) {
        RandomSource random(seed + static_cast<std::uint64_t>(ranks));
        const auto problems = varying_alltoall(random, ranks);
        for (const auto& a : algorithms(Kind::alltoall))
            if (a.applies(problems.front()))
                BOOST_REQUIRE_MESSAGE(check(a, problems), "CARPOOL_SEED=" << seed);
    }
}

// Sizes that do not fit in an int are only added.
BOOST_AUTO_TEST_CASE(blocks_of_more_than_2_to_the_31_elements_are_planned) {
    for_each_algorithm([](const Algorithm& a) {
        if (a.kind == Kind::barrier) return;
        auto problem = equal_blocks(a.kind, 6, std::int64_t{1} << 36);
        check(a, {problem});
        const auto sent = carpool::schedule::bytes_sent(schedule_of(a, problem, 5));
        BOOST_TEST(sent >= 0);
    });
}

BOOST_AUTO_TEST_CASE(groups_are_consecutive_from_any_rank_on_and_the_larger_ones_come_first) {
    const Groups groups(8, 3, 6);  // {6, 7, 0} {1, 2, 3} {4, 5}
    BOOST_TEST(groups.leader(1) == 1);
    BOOST_TEST(groups.leader(2) == 4);
    BOOST_TEST((groups.followers(0) == std::vector{7, 0}));
    BOOST_TEST((groups.followers(2) == std::vector{5}));
    const int of_rank[] = {0, 1, 1, 1, 2, 2, 0, 0};
    for (int rank = 0; rank < 8; ++rank) BOOST_TEST(groups.group_of(rank) == of_rank[rank]);
    BOOST_TEST(Folding(11).groups() == 8);
    BOOST_TEST(Folding(11).reversed(6) == 3);
}

BOOST_AUTO_TEST_CASE(pieces_are_whole_elements_and_cover_the_block) {
    const Pieces pieces(80, 8, 4);
    BOOST_TEST(pieces.bytes(0) == 24);
    BOOST_TEST(pieces.bytes(1) == 24);
    BOOST_TEST(pieces.bytes(2) == 16);
    BOOST_TEST(pieces.bytes(3) == 16);
    BOOST_TEST(pieces.first(4) == 10);
    BOOST_TEST(Pieces(8, 8, 3).bytes(1) == 0);
}

// A test of the checker: it must find errors in a schedule.
BOOST_AUTO_TEST_CASE(a_summand_that_is_missing_doubled_or_out_of_order_is_found) {
    auto problem = equal_blocks(Kind::allreduce, 5, 8);
    problem.commutes = false;
    const auto& a = algorithm(Kind::allreduce, "recursive-doubling");
    const auto correct = schedules(a, {problem});
    BOOST_TEST(complaints(a, {problem}, correct).empty());

    auto missing = correct;
    missing[2].sums.back().of.pop_back();
    BOOST_TEST(!complaints(a, {problem}, missing).empty());

    auto doubled = correct;
    doubled[2].sums.back().of.push_back(doubled[2].sums.back().of.front());
    BOOST_TEST(!complaints(a, {problem}, doubled).empty());

    auto swapped = correct;
    std::swap(swapped[2].sums.back().of.front(), swapped[2].sums.back().of.back());
    BOOST_TEST(!complaints(a, {problem}, swapped).empty());
    problem.commutes = true;
    BOOST_TEST(complaints(a, {problem}, swapped).empty());
}

BOOST_AUTO_TEST_CASE(a_barrier_that_a_rank_may_leave_too_early_is_found) {
    const auto problem = equal_blocks(Kind::barrier, 4, 0);
    const auto& a = algorithm(Kind::barrier, "dissemination");
    auto broken = schedules(a, {problem});
    broken[0].sums.back().of.erase(broken[0].sums.back().of.begin());
    BOOST_TEST(!complaints(a, {problem}, broken).empty());
}

BOOST_AUTO_TEST_SUITE_END()
