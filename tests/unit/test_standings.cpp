// How trials stand, by what all ranks compare.

#include <boost/test/unit_test.hpp>

#include "choose/standings.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

using carpool::choose::Standings;
using Outcome = Standings::Outcome;

namespace {

/// Starts until ranks compare, of ways that take so long.
int started(Standings& standings, const std::vector<double>& seconds) {
    int starts = 0;
    for (; !standings.compares(); ++starts) {
        const auto way = standings.next();
        if (standings.counts()) standings.add(way, seconds[way]);
        standings.pass();
    }
    return starts;
}

BOOST_AUTO_TEST_SUITE(test_standings)

BOOST_AUTO_TEST_CASE(the_fastest_wins_after_three_comparisons) {
    Standings standings(3);
    const std::vector<double> seconds{3, 2, 100};
    BOOST_TEST(started(standings, seconds) == 3);
    BOOST_TEST((standings.decide(standings.numbers()) == Outcome::goes_on));
    BOOST_TEST(started(standings, seconds) == 2 * 2);  // the third is hopeless
    BOOST_TEST((standings.decide(standings.numbers()) == Outcome::goes_on));
    BOOST_TEST(started(standings, seconds) == 2 * 5);
    BOOST_TEST((standings.decide(standings.numbers()) == Outcome::settled));
    BOOST_TEST(standings.in_use() == 1u);
    BOOST_TEST(standings.quiet_starts() == 1000);
}

/// Starts take so differently long that what is a little faster is not clearly so.
BOOST_AUTO_TEST_CASE(ways_that_race_neck_and_neck_race_on_and_only_a_guess_gives_way) {
    Standings standings(2);
    const auto comparisons_until_settled = [&](const std::vector<double>& least) {
        std::vector<int> times(least.size());
        auto outcome = Outcome::goes_on;
        int comparisons = 0;
        for (; outcome != Outcome::settled; ++comparisons) {
            for (; !standings.compares(); standings.pass()) {
                const auto way = standings.next();
                if (standings.counts()) standings.add(way, least[way] + 3.5 * (times[way]++ % 3));
            }
            outcome = standings.decide(standings.numbers());
        }
        return comparisons;
    };
    BOOST_TEST(comparisons_until_settled({5, 4.9}) == 5);
    BOOST_TEST(standings.in_use() == 1u);
    for (int start = 0; start < 1000; ++start) standings.pass();
    BOOST_TEST(comparisons_until_settled({4.9, 5}) == 5);
    BOOST_TEST(standings.in_use() == 1u);  // an earlier trial has found it
}

BOOST_AUTO_TEST_CASE(what_takes_one_rank_long_is_left_by_all) {
    Standings here(2), there(2);
    for (int stage = 0; stage < 3; ++stage) {
        started(here, {1, 2});
        started(there, {5, 2});
        auto most = here.numbers();
        const auto others = there.numbers();
        for (std::size_t i = 0; i < most.size(); ++i) most[i] = std::max(most[i], others[i]);
        BOOST_TEST((here.decide(most) == there.decide(most)));
    }
    BOOST_TEST(here.in_use() == 1u);
    BOOST_TEST(there.in_use() == 1u);
}

/// Where others' starts count too, a way may have had no turn.
BOOST_AUTO_TEST_CASE(a_stage_in_which_a_way_was_not_measured_comes_again) {
    Standings standings(2);
    standings.add(0, 1);
    standings.reach(5);
    BOOST_TEST(standings.compares());
    BOOST_TEST((standings.decide(standings.numbers()) == Outcome::lacks));
    BOOST_TEST(!standings.compares());
    BOOST_TEST(started(standings, {1, 2}) == 2);
    BOOST_TEST((standings.decide(standings.numbers()) == Outcome::goes_on));
}

BOOST_AUTO_TEST_CASE(what_is_in_use_stays_where_others_never_have_a_turn) {
    Standings standings(2);
    auto outcome = Outcome::lacks;
    for (int tries = 0; outcome == Outcome::lacks && tries < 100; ++tries) {
        standings.add(0, 1);
        standings.reach(5);
        outcome = standings.decide(standings.numbers());
    }
    BOOST_TEST((outcome == Outcome::settled));
    BOOST_TEST(standings.in_use() == 0u);
}

BOOST_AUTO_TEST_CASE(another_trial_follows_a_rest_that_others_starts_have_ended) {
    Standings standings(2);
    standings.begin_with(1, true);
    BOOST_TEST(standings.next() == 1u);
    standings.reach(999);
    BOOST_TEST(!standings.compares());
    standings.reach(1500);
    BOOST_TEST(standings.compares());
    BOOST_TEST((standings.decide(standings.numbers()) == Outcome::goes_on));
    standings.reach(0);
    BOOST_TEST(standings.next() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
