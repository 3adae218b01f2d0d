// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "friend_graph.hpp"
#include "routing/rule.hpp"
#include "topology/graph.hpp"
#include "topology/stencils.hpp"

#include <algorithm>
#include <string>

BOOST_AUTO_TEST_SUITE(test_matching)

using namespace carpool;

namespace {

bool are_friends(const FriendGraph& graph, int a, int b) {
    const auto& friends = graph[static_cast<std::size_t>(a)];
    return std::any_of(friends.begin(), friends.end(),
                       [b](const routing::Friend& other) { return other.rank == b; });
}

/// What is wrong with the pairing, or nothing.
std::string complaint(const FriendGraph& graph, const Pairing& pairing) {
    bool anyone_paired = false;
    bool anyone_has_friends = false;
    for (std::size_t rank = 0; rank < graph.size(); ++rank) {
        const auto text = "rank " + std::to_string(rank);
        anyone_has_friends = anyone_has_friends || !graph[rank].empty();
        const int partner = pairing.partner(rank);
        if (partner < 0) continue;
        anyone_paired = true;
        if (!are_friends(graph, static_cast<int>(rank), partner)) return text + ": no friend";
        if (pairing.partner(static_cast<std::size_t>(partner)) != static_cast<int>(rank))
            return text + ": its partner has another one";
    }
    for (const auto& match : pairing.matches)
        if (match.anyone != anyone_paired) return "ranks do not know whether anyone is paired";
    if (anyone_paired != anyone_has_friends) return "there are friends, and no pair";
    return {};
}

std::vector<int> partners(const Pairing& pairing) {
    std::vector<int> partners;
    for (const auto& match : pairing.matches) partners.push_back(match.partner);
    return partners;
}

int friends_left_alone(const FriendGraph& graph, const Pairing& pairing) {
    int pairs = 0;
    for (std::size_t rank = 0; rank < graph.size(); ++rank)
        for (const auto& other : graph[rank])
            if (pairing.partner(rank) < 0 &&
                pairing.partner(static_cast<std::size_t>(other.rank)) < 0)
                ++pairs;
    return pairs / 2;
}

}  // namespace

BOOST_AUTO_TEST_CASE(ranks_without_friends_end_in_one_iteration) {
    const auto pairing = matched(FriendGraph(3));
    BOOST_TEST(partners(pairing) == (std::vector{-1, -1, -1}), boost::test_tools::per_element());
    BOOST_TEST(pairing.supersteps == 2);
    BOOST_TEST(pairing.messages == 0);
}

BOOST_AUTO_TEST_CASE(ranks_that_share_most_are_paired_and_then_those_that_are_left) {
    FriendGraph path(4);  // 0 -5- 1 -7- 2 -5- 3
    befriend(path, 0, 1, 5);
    befriend(path, 1, 2, 7);
    befriend(path, 2, 3, 5);
    BOOST_TEST(partners(matched(path)) == (std::vector{-1, 2, 1, -1}),
               boost::test_tools::per_element());
    befriend(path, 0, 3, 4);
    BOOST_TEST(partners(matched(path)) == (std::vector{3, 2, 1, 0}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_complete_graph_of_equals_is_matched_in_one_iteration) {
    for (const int ranks : {2, 4, 8, 64, 256}) {
        const auto pairing = matched(complete_friends(ranks, 9));
        BOOST_TEST(pairing.supersteps == 2);
        for (int rank = 0; rank < ranks; ++rank)
            BOOST_TEST(pairing.partner(static_cast<std::size_t>(rank)) == (rank ^ 1));
    }
}

BOOST_AUTO_TEST_CASE(at_most_one_of_a_complete_graph_of_equals_is_left_alone) {
    for (const int ranks : {3, 5, 7, 13, 31, 33, 100})
        BOOST_TEST(friends_left_alone(complete_friends(ranks, 9),
                                      matched(complete_friends(ranks, 9))) == 0,
                   ranks);
}

/// The paper's rules do not guarantee that two friends are never both left alone: one may give up
/// while the other still waits for a better one. Algorithm 1 matches again, so this costs only one
/// iteration.
BOOST_AUTO_TEST_CASE(every_random_friend_graph_is_matched_alike_on_all_ranks_and_as_printed) {
    const auto first = first_seed();
    const auto cases = random_cases(100000);
    std::int64_t alone = 0, messages = 0, messages_as_printed = 0;
    for (auto seed = first; seed < first + cases; ++seed) {
        RandomSource random(seed);
        const auto graph = random_friends(random, random.between(1, 9));
        const auto pairing = matched(graph);
        const auto found = complaint(graph, pairing);
        BOOST_TEST(found.empty(), "seed " << seed << ": " << found);
        alone += friends_left_alone(graph, pairing) > 0;
        messages += pairing.messages;
        if (seed % 10 != 0) continue;
        BOOST_TEST((partners(pairing) == partners(matched(graph, true))),
                   "seed " << seed << ": other partners by rank");
        const auto printed = matched_as_printed(graph);
        messages_as_printed += printed.messages;
        BOOST_TEST((partners(pairing) == partners(printed)),
                   "seed " << seed << ": other partners than as printed");
    }
    BOOST_TEST_MESSAGE("seeds " << first << " to " << first + cases - 1 << ": " << alone
                                << " with friends left alone, messages " << messages
                                << ", as printed " << messages_as_printed);
}

BOOST_AUTO_TEST_CASE(there_are_fifty_times_fewer_messages_than_as_printed) {
    RandomSource random(7);
    FriendGraph graph(64);
    for (int a = 0; a < 64; ++a)
        for (int b = 0; b < a; ++b) befriend(graph, b, a, random.between(4, 20));
    const auto ours = matched(graph);
    const auto printed = matched_as_printed(graph);
    BOOST_TEST(partners(ours) == partners(printed), boost::test_tools::per_element());
    BOOST_TEST(ours.supersteps == printed.supersteps + 1);  // all ranks say whether they have one
    BOOST_TEST(matched(graph, true).supersteps == printed.supersteps);
    BOOST_TEST(50 * ours.messages < printed.messages, ours.messages << " of " << printed.messages);
    BOOST_TEST_MESSAGE(ours.messages << " messages, " << printed.messages << " as printed");
}

// 0 -1- 1 -2- 2 -3- 3 ...: each rank waits for the next one, and two are paired at the end in each
// iteration.
BOOST_AUTO_TEST_CASE(where_each_waits_for_the_next_two_are_paired_per_iteration) {
    for (const int ranks : {2, 4, 10, 64, 200}) {
        FriendGraph path(static_cast<std::size_t>(ranks));
        for (int rank = 1; rank < ranks; ++rank) befriend(path, rank - 1, rank, rank);
        const auto pairing = matched(path, true);
        BOOST_TEST(pairing.supersteps == 2 * (ranks / 2));
        for (int rank = 0; rank < ranks; ++rank)
            BOOST_TEST(pairing.partner(static_cast<std::size_t>(rank)) == (rank ^ 1));
    }
}

// [3] section IV-B4: at worst p - 1 iterations, each with one word to every friend, O(p^2) per
// rank.
BOOST_AUTO_TEST_CASE(a_rank_tells_one_friend_per_iteration_of_which_there_are_fewer_than_ranks) {
    const auto first = first_seed();
    for (auto seed = first; seed < first + random_cases(2000); ++seed) {
        RandomSource random(seed);
        const int ranks = random.between(2, 40);
        const auto pairing = matched(random_friends(random, ranks), true);
        BOOST_TEST(pairing.supersteps <= 2 * (ranks - 1), "seed " << seed);
        BOOST_TEST(pairing.messages <= pairing.supersteps / 2 * ranks, "seed " << seed);
    }
}

/// [3] figure 7: no rank tries twice there, so no superstep needs more than one word of its board.
BOOST_AUTO_TEST_CASE(on_moore_neighborhoods_ranks_say_as_much_however_many_they_are) {
    for (const int radius : {1, 2}) {
        std::vector<routing::SuperstepTraffic> traffic;
        for (const int side : {16, 32}) {
            const topology::Grid torus({side, side}, {true, true});
            const int ranks = side * side;
            const auto graph = topology::graph_of(torus, topology::moore(2, radius));
            const auto simulated = routing::simulate<routing::Itinerary>(ranks, [&](int rank) {
                const auto& edges = graph[static_cast<std::size_t>(rank)];
                return routing::friends.route({rank, ranks, &edges}, routing::Pattern::allgather);
            });
            traffic.push_back(simulated.traffic.front());
        }
        BOOST_TEST(traffic[0].supersteps > 1);
        BOOST_TEST(traffic[0].supersteps == traffic[1].supersteps);
        BOOST_TEST(traffic[0].messages == traffic[1].messages);
        BOOST_TEST(traffic[0].board_words == traffic[1].board_words);
        BOOST_TEST(traffic[0].board_words <= traffic[0].supersteps);
    }
}

BOOST_AUTO_TEST_SUITE_END()
