// SPDX-License-Identifier: MIT
// The times of starts in a report.

#include <boost/test/unit_test.hpp>

#include "report/times.hpp"

BOOST_AUTO_TEST_SUITE(test_times)

namespace {

using carpool::report::Starts;
using carpool::report::Times;
using carpool::report::TimeTaken;
using carpool::report::UntimedStarts;

/// Nothing else was under way meanwhile.
TimeTaken alone(double seconds) { return {seconds, seconds}; }

BOOST_AUTO_TEST_CASE(a_median_is_one_of_the_times_to_a_tenth) {
    BOOST_TEST(Times().quantile(0.5) == 0);
    Times times;
    for (const double seconds : {4.0, 1.0, 2.0, 1.0}) times.add(alone(seconds));
    BOOST_TEST(times.quantile(0.5) == 1, boost::test_tools::tolerance(0.1));
    BOOST_TEST(times.charged() == 8);
}

BOOST_AUTO_TEST_CASE(a_quarter_of_all_starts_takes_no_longer_than_the_first_quartile) {
    Times times;
    for (int i = 1; i <= 100; ++i) times.add(alone(i));
    BOOST_TEST(times.quantile(0.25) == 25, boost::test_tools::tolerance(0.1));
    BOOST_TEST(times.quantile(0.75) == 75, boost::test_tools::tolerance(0.1));
    BOOST_TEST(times.mean() == 50.5);
}

BOOST_AUTO_TEST_CASE(a_time_counts_in_the_quartiles_for_all_starts_that_it_stands_for) {
    Times times;
    times.add(alone(1), 8);
    times.add(alone(100), 1);
    BOOST_TEST(times.quantile(0.75) == 1, boost::test_tools::tolerance(0.1));
    BOOST_TEST(times.mean() == 12);
}

BOOST_AUTO_TEST_CASE(a_cold_start_says_how_long_one_takes_only_where_there_is_no_other) {
    Starts starts;
    starts.cold.add(alone(1));
    BOOST_TEST(starts.median() == 1, boost::test_tools::tolerance(0.1));
    starts.warm.add(alone(1e-3));
    BOOST_TEST(starts.median() == 1e-3, boost::test_tools::tolerance(0.1));
    BOOST_TEST(starts.count() == 2);
    BOOST_TEST(starts.charged() == 1.001);
}

BOOST_AUTO_TEST_CASE(a_timed_start_stands_for_those_that_are_not) {
    Starts starts;
    starts.cold.add(alone(9));
    starts.warm.add(alone(1));
    starts.warm.add(alone(3), 63);
    BOOST_TEST(starts.count() == 1 + 1 + 63);
    BOOST_TEST(starts.timed() == 3);
    BOOST_TEST(starts.charged() == 9 + 1 + 3 * 63);
    BOOST_TEST(starts.median() == 3, boost::test_tools::tolerance(0.1));
    starts.untimed.another()->store(32);  // as long as the others on average: 190 / 64 each
    BOOST_TEST(starts.count() == 65 + 32);
    BOOST_TEST(starts.charged() == 199 + 95);
}

BOOST_AUTO_TEST_CASE(untimed_starts_of_communications_that_are_gone_still_count) {
    UntimedStarts untimed;
    const auto kept = untimed.another();
    kept->store(1);
    for (int i = 0; i < 1000; ++i) untimed.another()->store(2);
    BOOST_TEST(untimed.sum() == 2001);
    kept->store(0);
    BOOST_TEST(untimed.sum() == 2000);
}

BOOST_AUTO_TEST_CASE(a_time_that_others_share_is_charged_in_part_and_counts_in_full_in_the_mean) {
    Times times;
    times.add({4, 1}, 3);
    BOOST_TEST(times.mean() == 4);
    BOOST_TEST(times.charged() == 3);
    times.add({2, 2});
    Times all;
    all.add(times);
    all.add(times);
    BOOST_TEST(all.count() == 8);
    BOOST_TEST(all.timed() == 4);
    BOOST_TEST(all.charged() == 10);
    BOOST_TEST(all.mean() == 3.5);
    BOOST_TEST(all.quantile(0.2) == 2, boost::test_tools::tolerance(0.1));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
