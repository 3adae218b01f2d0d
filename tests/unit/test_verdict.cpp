// Who wins a trial, whatever the noise.

#include "choose/cheapest.hpp"
#include "choose/verdict.hpp"
#include "random_source.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

namespace {

using namespace carpool::choose;

BOOST_AUTO_TEST_SUITE(test_verdict)

BOOST_AUTO_TEST_CASE(few_that_are_far_off_decide_nothing) {
    const auto timing = timing_of({3, 1, 2, 1000, 2});
    BOOST_TEST(timing.median == 2);
    BOOST_TEST(timing.uncertainty < 1);
    BOOST_TEST(timing_of({5}).uncertainty == 0);
}

BOOST_AUTO_TEST_CASE(who_is_in_use_stays_unless_another_is_clearly_faster) {
    const std::vector<Timing> close{{10, 1}, {9, 1}, {20, 1}};
    BOOST_TEST(verdict(close, 0) == 0);
    BOOST_TEST(verdict(close, 1) == 1);
    BOOST_TEST(verdict(close, 2) == 1);
    const std::vector<Timing> clear{{10, 0.1}, {9, 0.1}};
    BOOST_TEST(verdict(clear, 0) == 1);
}

/// Equal ways under noise of a tenth hardly ever change places; one of half the time always wins.
BOOST_AUTO_TEST_CASE(noise_seldom_decides) {
    const auto seed = first_seed();
    BOOST_TEST_MESSAGE("seed " << seed);
    RandomSource random(seed);
    const auto drawn = [&](double mean) {
        std::vector<double> seconds;
        for (int i = 0; i < 7; ++i) {
            seconds.push_back(mean * (1 + random.between(0, 100) / 1000.0));
            if (random.one_in(10)) seconds.back() *= 20;  // lost its core
        }
        return timing_of(seconds);
    };
    constexpr int rounds = 2000;
    int changes = 0;
    int losses = 0;
    for (int round = 0; round < rounds; ++round) {
        const std::vector<Timing> equal{drawn(1), drawn(1)};
        changes += verdict(equal, 0) != 0 ? 1 : 0;
        const std::vector<Timing> unequal{drawn(1), drawn(0.5)};
        losses += verdict(unequal, 0) != 1 ? 1 : 0;
    }
    BOOST_TEST(changes < rounds / 5);
    BOOST_TEST(losses < rounds / 50);
}

BOOST_AUTO_TEST_CASE(front_runners_are_the_cheapest_by_ascending_cost) {
    const Machine machine(CostModel{1, 0, 0});
    const auto costs = [](std::int64_t messages) {
        return Candidate{[messages] {
            Load load;
            load.at(Level::node).messages = messages;
            return load;
        }};
    };
    const std::vector<Candidate> candidates{costs(9), costs(2), costs(4), costs(3), costs(5)};
    const auto chosen = front_runners(machine, candidates, 3, 4);
    BOOST_REQUIRE(chosen.size() == 3);
    BOOST_TEST(chosen[0].number == 1);
    BOOST_TEST(chosen[1].number == 3);
    BOOST_TEST(chosen[2].number == 2);
    BOOST_TEST(front_runners(machine, candidates, 5, 1.5).size() == 2);
    BOOST_TEST(front_runners(machine, candidates, 5, 1).size() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
