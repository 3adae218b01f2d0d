// Whose turn it is among ways that are tried at work.

#include <boost/test/unit_test.hpp>

#include "choose/trial_turns.hpp"

#include <cstdint>

using carpool::choose::TrialTurns;

BOOST_AUTO_TEST_SUITE(test_trial_turns)

BOOST_AUTO_TEST_CASE(each_way_has_its_turns_then_rests_grow) {
    constexpr int ways = 3, in_use = 1;
    TrialTurns turns(ways);
    for (std::int64_t rest = 1000; rest <= 8000; rest *= 2) {
        for (int start = 0; start < 8 * ways; ++start) {
            BOOST_TEST(turns.next(in_use) == static_cast<std::size_t>(start % ways));
            BOOST_TEST(turns.counts() == (start >= ways));
            BOOST_TEST(!turns.compares());
            BOOST_TEST(!turns.pass());
        }
        for (std::int64_t start = 0; start < rest; ++start) {
            BOOST_TEST(turns.next(in_use) == in_use);
            BOOST_TEST(!turns.counts());
            BOOST_TEST(turns.compares() == (start == 0));
            BOOST_TEST(turns.pass() == (start == rest - 1));
        }
    }
}

BOOST_AUTO_TEST_CASE(exploring_costs_few_of_many_starts) {
    TrialTurns turns(4);
    std::int64_t explored = 0;
    constexpr std::int64_t starts = 1 << 20;
    for (std::int64_t start = 0; start < starts; ++start) {
        explored += turns.next(4) == 4 ? 0 : 1;
        turns.pass();
    }
    BOOST_TEST(explored <= 11 * 8 * 4);
}

BOOST_AUTO_TEST_SUITE_END()
