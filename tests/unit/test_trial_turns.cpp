// Whose turn it is among ways that are tried at work.

#include <boost/test/unit_test.hpp>

#include "choose/trial_turns.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

using carpool::choose::TrialTurns;

namespace {

constexpr std::size_t in_use = 1;

/// Goes through the short look at so many ways.
void look(TrialTurns& turns, int ways) {
    for (int start = 0; start < 2 * ways; ++start) {
        BOOST_TEST(turns.next(in_use) == static_cast<std::size_t>(start % ways));
        BOOST_TEST(turns.counts() == (start >= ways));
        BOOST_TEST(!turns.compares());
        BOOST_TEST(!turns.pass());
    }
    BOOST_TEST(turns.compares());
    BOOST_TEST(turns.is_first_look());
}

BOOST_AUTO_TEST_SUITE(test_trial_turns)

BOOST_AUTO_TEST_CASE(each_way_is_looked_at_those_left_race_then_rests_grow) {
    constexpr int ways = 3;
    const std::vector<std::size_t> left{0, 2};
    TrialTurns turns(ways);
    for (std::int64_t rest = 1000; rest <= 8000; rest *= 2) {
        look(turns, ways);
        turns.compared(left);
        for (std::size_t start = 0; start < 6 * left.size(); ++start) {
            BOOST_TEST(turns.next(in_use) == left[start % left.size()]);
            BOOST_TEST(turns.counts());
            BOOST_TEST(!turns.compares());
            BOOST_TEST(!turns.pass());
        }
        BOOST_TEST(turns.compares());
        BOOST_TEST(!turns.is_first_look());
        turns.compared(left);
        for (std::int64_t start = 0; start < rest; ++start) {
            BOOST_TEST(turns.next(in_use) == in_use);
            BOOST_TEST(!turns.counts());
            BOOST_TEST(!turns.compares());
            BOOST_TEST(turns.pass() == (start == rest - 1));
        }
    }
}

BOOST_AUTO_TEST_CASE(where_one_way_is_left_nothing_is_raced) {
    TrialTurns turns(4);
    look(turns, 4);
    turns.compared({3});
    BOOST_TEST(!turns.compares());
    BOOST_TEST(!turns.counts());
    BOOST_TEST(turns.next(3) == 3u);
}

/// What a way costs beyond the best, in starts of the best, when it takes so many times as long and
/// is left at the first look; three near the best race on.
BOOST_AUTO_TEST_CASE(a_trial_costs_three_percent_of_a_thousand_starts) {
    const std::vector<double> times{1, 1.5, 2, 10};
    TrialTurns turns(times.size());
    double extra = 0;
    for (int start = 0; start < 1000; ++start) {
        if (turns.compares()) turns.compared({0, 1, 2});
        extra += times[turns.next(0)] - 1;
        turns.pass();
    }
    BOOST_TEST(extra <= 30);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
