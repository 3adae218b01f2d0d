// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#pragma GCC optimize("O2")  // the loops of this test are long

#include "random_source.hpp"
#include "routing/digits.hpp"
#include "routing/next_hop.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iostream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_next_hop)

using namespace carpool::routing;

namespace {

/// Up to 4096 ranks take a minute; make nightly tests them.
int most_ranks() { return static_cast<int>(number_from_environment("CARPOOL_MOST_RANKS", 1200)); }

struct Named {
    std::string name;
    NextHop next_hop;
};

std::vector<Named> all_next_hops(int ranks) {
    std::vector<Named> all{{"mesh", mesh_hops(ranks)},
                           {"grid", grid_hops(ranks)},
                           {"hypercube", hypercube_hops(ranks)}};
    for (const int digits : {1, 2, 3, 4, 12})
        all.push_back({std::to_string(digits) + " digits",
                       digit_hops(ranks, near_equal_factors(ranks, digits))});
    return all;
}

/// The number of messages that each rank sends and receives in each phase of an all-to-all.
struct Messages {
    std::vector<std::vector<int>> sent;      ///< by phase and rank
    std::vector<std::vector<int>> received;  ///< likewise
};

/// Counts messages with any blocks that a rank may hold. A phase corrects one coordinate, so
/// targets that differ only in this coordinate represent all targets.
/// @param targets  calls `visit` with targets of blocks that rank `at` may hold in the phase, at
/// least one for each possible hop
template <typename Targets>
Messages messages_of(const NextHop& next_hop, int ranks, Targets targets) {
    const auto n = static_cast<std::size_t>(ranks);
    Messages messages;
    for (int phase = 0; phase < next_hop.phases; ++phase) {
        auto& sent = messages.sent.emplace_back(n, 0);
        auto& received = messages.received.emplace_back(n, 0);
        std::vector<int> last_sender(n, -1);
        for (int at = 0; at < ranks; ++at)
            targets(phase, at, [&](int target) {
                const int hop = next_hop.next(phase, at, target);
                if (hop == at ||
                    std::exchange(last_sender[static_cast<std::size_t>(hop)], at) == at)
                    return;
                ++sent[static_cast<std::size_t>(at)];
                ++received[static_cast<std::size_t>(hop)];
            });
    }
    return messages;
}

/// All targets of blocks that a rank may hold: targets whose blocks stay on this rank once they
/// have reached it.
auto any_target(const NextHop& next_hop, int ranks) {
    return [&next_hop, ranks](int phase, int at, auto visit) {
        for (int target = 0; target < ranks; ++target)
            if (phase == 0 || next_hop.next(phase - 1, at, target) == at) visit(target);
    };
}

auto targets_on_mesh(int ranks) {
    return [ranks, columns = side_of(ranks, 2)](int phase, int at, auto visit) {
        if (phase == 0)
            for (int target = 0; target < std::min(columns, ranks); ++target) visit(target);
        else
            for (int target = at % columns; target < ranks; target += columns) visit(target);
    };
}

auto targets_on_grid(int ranks) {
    return [ranks, side = side_of(ranks, 3)](int phase, int at, auto visit) {
        const int from[] = {0, at % side, at % (side * side)};
        const int step[] = {1, side, side * side};
        const int end[] = {side, side * side, ranks};
        for (int target = from[phase]; target < std::min(end[phase], ranks); target += step[phase])
            visit(target);
    };
}

int most(const std::vector<std::vector<int>>& counts, std::size_t phase) {
    return *std::max_element(counts[phase].begin(), counts[phase].end());
}

int most_in_all_phases(const std::vector<std::vector<int>>& counts) {
    int most = 0;
    for (std::size_t rank = 0; rank < counts.front().size(); ++rank) {
        int sum = 0;
        for (const auto& phase : counts) sum += phase[rank];
        most = std::max(most, sum);
    }
    return most;
}

std::vector<int> hops(const NextHop& next_hop, int origin, int target) {
    std::vector<int> ranks{origin};
    for (int phase = 0; phase < next_hop.phases; ++phase)
        ranks.push_back(next_hop.next(phase, ranks.back(), target));
    return ranks;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_route_ends_at_its_target_and_repeating_a_phase_moves_nothing) {
    for (int ranks = 1; ranks <= 70; ++ranks)
        for (const auto& [name, next_hop] : all_next_hops(ranks)) {
            int lost = 0;
            int restless = 0;
            for (int origin = 0; origin < ranks; ++origin)
                for (int target = 0; target < ranks; ++target) {
                    const auto way = hops(next_hop, origin, target);
                    lost += way.back() != target;
                    for (std::size_t phase = 1; phase < way.size(); ++phase)
                        restless += next_hop.next(static_cast<int>(phase) - 1, way[phase],
                                                  target) != way[phase];
                }
            BOOST_TEST(lost == 0, name << " of " << ranks);
            BOOST_TEST(restless == 0, name << " of " << ranks);
        }
}

// [5] §2.2, figure 1: 14 ranks in rows of 4; 14 and 15 are holes.
BOOST_AUTO_TEST_CASE(rank_12_sends_what_is_for_the_holes_of_its_row_to_ranks_2_and_3) {
    const auto next_hop = mesh_hops(14);
    BOOST_TEST(next_hop.next(0, 12, 6) == 2);
    BOOST_TEST(next_hop.next(0, 12, 7) == 3);
    BOOST_TEST(next_hop.next(0, 13, 6) == 6);
    BOOST_TEST(next_hop.next(0, 13, 7) == 7);
    const auto messages = messages_of(next_hop, 14, targets_on_mesh(14));
    BOOST_TEST(messages.received[0] == std::vector({3, 3, 4, 4, 3, 3, 4, 4, 3, 3, 3, 3, 1, 1}),
               boost::test_tools::per_element());
}

// [5] §2.2, figure 2: the worst case, with one hole and one row fewer than columns.
BOOST_AUTO_TEST_CASE(rank_3_receives_two_extra_messages_on_a_mesh_of_11) {
    const auto messages = messages_of(mesh_hops(11), 11, targets_on_mesh(11));
    BOOST_TEST(most(messages.received, 0) == 5);
    BOOST_TEST(messages.received[0][3] == 5);
}

// A rank receives at most two messages more in the first phase, and at most one more in both phases
// together.
BOOST_AUTO_TEST_CASE(holes_of_the_mesh_cost_at_most_two_messages_for_every_P) {
    int twice = 0;
    for (int ranks = 2; ranks <= most_ranks(); ++ranks) {
        const int columns = side_of(ranks, 2);
        const auto messages = messages_of(mesh_hops(ranks), ranks, targets_on_mesh(ranks));
        const int extra = most(messages.received, 0) - (columns - 1);
        BOOST_REQUIRE_MESSAGE(extra >= 0 && extra <= 2, ranks << ": " << extra);
        BOOST_REQUIRE(most(messages.sent, 0) == columns - 1);
        BOOST_REQUIRE(most_in_all_phases(messages.sent) <= 2 * (columns - 1));
        BOOST_REQUIRE(most_in_all_phases(messages.received) <= 2 * (columns - 1) + 1);
        twice += extra == 2;
    }
    if (most_ranks() == 4096)
        BOOST_TEST(twice == 62);  // one hole, and one row fewer than columns, for 3 to 64 columns
}

BOOST_AUTO_TEST_CASE(ranks_below_the_holes_of_the_grid_receive_up_to_twice_for_every_P) {
    for (int ranks = 2; ranks <= most_ranks(); ++ranks) {
        const int side = side_of(ranks, 3);
        if (ranks <= side * side) continue;
        const auto messages = messages_of(grid_hops(ranks), ranks, targets_on_grid(ranks));
        BOOST_REQUIRE(most_in_all_phases(messages.sent) <= 3 * (side - 1));
        for (const std::size_t phase : {0, 1})
            BOOST_REQUIRE_MESSAGE(most(messages.received, phase) <= 2 * side - 1,
                                  ranks << ": " << most(messages.received, phase));
        BOOST_REQUIRE(most(messages.received, 2) <= side - 1);
    }
}

BOOST_AUTO_TEST_CASE(the_sample_of_targets_has_the_load_of_all_targets) {
    for (int ranks = 2; ranks <= 70; ++ranks) {
        const auto mesh = mesh_hops(ranks);
        BOOST_REQUIRE(messages_of(mesh, ranks, targets_on_mesh(ranks)).received ==
                      messages_of(mesh, ranks, any_target(mesh, ranks)).received);
        const auto grid = grid_hops(ranks);
        if (grid.phases == 3)
            BOOST_REQUIRE(messages_of(grid, ranks, targets_on_grid(ranks)).received ==
                          messages_of(grid, ranks, any_target(grid, ranks)).received);
    }
}

// All ranks send the same number of messages, so no rank sends more than the mean.
BOOST_AUTO_TEST_CASE(digits_have_no_holes_for_every_P) {
    for (int ranks = 2; ranks <= most_ranks(); ++ranks)
        for (const int digits : {2, 3, static_cast<int>(std::bit_width(unsigned(ranks - 1)))}) {
            const auto factors = near_equal_factors(ranks, digits);
            const auto next_hop = digit_hops(ranks, factors);
            std::vector<char> is_hop(static_cast<std::size_t>(ranks), 0);
            for (int distance = 1; distance < ranks; ++distance)
                for (int at = 0, phase = 0; at != distance; ++phase) {
                    const int from = std::exchange(at, next_hop.next(phase, at, distance));
                    if (at != from) is_hop[static_cast<std::size_t>(at - from)] = 1;
                }
            const auto hops = std::accumulate(is_hop.begin(), is_hop.end(), 0);
            const auto count = static_cast<int>(factors.size());
            BOOST_REQUIRE(hops <= count * (side_of(ranks, count) - 1));
        }
}

BOOST_AUTO_TEST_CASE(all_ranks_take_the_hops_that_rank_0_takes) {
    for (int ranks = 2; ranks <= 70; ++ranks)
        for (const int digits : {2, 3, 8}) {
            const auto next_hop = digit_hops(ranks, near_equal_factors(ranks, digits));
            int others = 0;
            for (int origin = 1; origin < ranks; ++origin)
                for (int target = 0; target < ranks; ++target) {
                    const auto way = hops(next_hop, origin, target);
                    auto moved = hops(next_hop, 0, (target - origin + ranks) % ranks);
                    for (int& rank : moved) rank = (rank + origin) % ranks;
                    others += way != moved;
                }
            BOOST_TEST(others == 0, digits << " digits of " << ranks);
        }
}

BOOST_AUTO_TEST_CASE(no_other_factors_of_so_many_digits_have_a_smaller_sum) {
    for (int ranks = 2; ranks <= 400; ++ranks) {
        const auto two = near_equal_factors(ranks, 2);
        if (two.size() < 2) continue;
        int least = ranks + 1;
        for (int a = 1; a <= ranks; ++a) least = std::min(least, a + (ranks + a - 1) / a);
        BOOST_REQUIRE_MESSAGE(std::accumulate(two.begin(), two.end(), 0) == least, ranks);
        const auto three = near_equal_factors(ranks, 3);
        if (three.size() < 3) continue;
        least = ranks + 2;
        for (int a = 1; a <= ranks; ++a)
            for (int b = a; a * b <= ranks + a; ++b)
                least = std::min(least, a + b + (ranks + a * b - 1) / (a * b));
        BOOST_REQUIRE_MESSAGE(std::accumulate(three.begin(), three.end(), 0) == least, ranks);
    }
}

BOOST_AUTO_TEST_CASE(there_are_no_more_digits_than_the_ranks_have_bits) {
    for (const int digits : {5, 65, 66, 999'999'999})
        BOOST_TEST(near_equal_factors(20, digits).size() == 5, digits << " digits");
}

BOOST_AUTO_TEST_CASE(digits_are_read_as_they_are_written) {
    for (const char* text : {"1", "2", "17", "8x8", "2x3x4"}) {
        const auto digits = digits_from_text(text);
        BOOST_REQUIRE(digits.has_value());
        BOOST_TEST(text_of(*digits) == text);
    }
    for (const char* text :
         {"", "0", "-1", "x", "8x", "x8", "8x1", "8x0", "8 x 8", "two", "8xx8", "99999999999"})
        BOOST_TEST(!digits_from_text(text).has_value(), text);
    BOOST_TEST(digits_from_text("2x3x4")->of(20) == std::vector({2, 3, 4}),
               boost::test_tools::per_element());
    BOOST_TEST(digits_from_text("2")->of(20) == std::vector({5, 4}),
               boost::test_tools::per_element());
    BOOST_TEST(span_of(std::vector{1 << 20, 1 << 20}) == std::int64_t{1} << 31);
}

BOOST_AUTO_TEST_SUITE_END()
