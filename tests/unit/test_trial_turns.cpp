// Whose turn it is among ways that are tried at work.

#include <boost/test/unit_test.hpp>

#include "choose/trial_turns.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

using carpool::choose::TrialTurns;

namespace {

constexpr std::size_t in_use = 1;

/// Goes through a stage in which each of these has so many turns, of which so many do not count.
void pass(TrialTurns& turns, const std::vector<std::size_t>& field, std::int64_t times,
          std::int64_t uncounted) {
    for (const auto way : field)
        for (std::int64_t turn = 0; turn < times; ++turn) {
            BOOST_TEST(turns.next(in_use) == way);
            BOOST_TEST(turns.counts() == (turn >= uncounted));
            BOOST_TEST(!turns.compares());
            BOOST_TEST(!turns.pass());
        }
    BOOST_TEST(turns.compares());
}

BOOST_AUTO_TEST_SUITE(test_trial_turns)

BOOST_AUTO_TEST_CASE(each_way_is_seen_those_left_race_then_rests_grow) {
    TrialTurns turns(4);
    for (std::int64_t rest = 1000; rest <= 8000; rest *= 2) {
        pass(turns, {0, 1, 2, 3}, TrialTurns::glances, 0);
        BOOST_TEST(turns.may_be_cold());
        turns.compared({0, 1, 2});
        pass(turns, {0, 1, 2}, TrialTurns::looks, 1);
        BOOST_TEST(!turns.may_be_cold());
        turns.compared({0, 2});
        pass(turns, {0, 2}, TrialTurns::races, 1);
        BOOST_TEST(!turns.tolerance().has_value());
        turns.compared({});
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
    pass(turns, {0, 1, 2, 3}, TrialTurns::glances, 0);
    turns.compared({3});
    BOOST_TEST(!turns.compares());
    BOOST_TEST(!turns.counts());
    BOOST_TEST(turns.next(3) == 3u);
}

/// What a trial costs beyond the best way, in starts of the best, when ways take so many times as
/// long and those that are far behind are left.
double cost_of(const std::vector<double>& times) {
    TrialTurns turns(times.size());
    double extra = 0;
    for (int start = 0; start < 1000; ++start) {
        if (turns.compares()) {
            std::vector<std::size_t> left;
            for (std::size_t way = 0; way < times.size(); ++way)
                if (times[way] <= turns.tolerance().value_or(1)) left.push_back(way);
            turns.compared(std::move(left));
        }
        extra += times[turns.next(0)] - 1;
        turns.pass();
    }
    return extra;
}

BOOST_AUTO_TEST_CASE(a_trial_costs_three_percent_of_a_thousand_starts) {
    BOOST_TEST(cost_of({1, 1.5, 2, 10}) <= 30);
    BOOST_TEST(cost_of({1, 2.9, 2.9, 2.9}) <= 50);
    BOOST_TEST(cost_of({1, 1.2, 30}) <= 31);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
