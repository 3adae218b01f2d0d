// How long starts take, for the report.

#include <boost/test/unit_test.hpp>

#include "call/records.hpp"

namespace {

using carpool::call::Starts;
using carpool::call::Times;

BOOST_AUTO_TEST_SUITE(test_records)

BOOST_AUTO_TEST_CASE(a_median_is_one_of_the_times_to_a_tenth) {
    BOOST_TEST(Times().median() == 0);
    Times times;
    for (const double seconds : {4.0, 1.0, 2.0, 1.0}) times.add(seconds);
    BOOST_TEST(times.median() == 1, boost::test_tools::tolerance(0.1));
    BOOST_TEST(times.sum() == 8);
}

BOOST_AUTO_TEST_CASE(a_cold_start_says_how_long_one_takes_only_where_there_is_no_other) {
    Starts starts;
    starts.cold.add(1);
    BOOST_TEST(starts.median() == 1, boost::test_tools::tolerance(0.1));
    starts.warm.add(1e-3);
    BOOST_TEST(starts.median() == 1e-3, boost::test_tools::tolerance(0.1));
    BOOST_TEST(starts.count() == 2);
    BOOST_TEST(starts.sum() == 1.001);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
