// SPDX-License-Identifier: MIT
// What is charged to things that are under way at the same time, in a report.

#include <boost/test/unit_test.hpp>

#include "report/shared_time.hpp"

#include <chrono>
#include <cstddef>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_shared_time, *boost::unit_test::tolerance(1e-6))

namespace {

using boost::test_tools::tolerance;
using carpool::report::Clock;
using carpool::report::SharedTime;

Clock::time_point at(double seconds) {
    using Seconds = std::chrono::duration<double>;
    return Clock::time_point{} + std::chrono::hours(1) +
           std::chrono::duration_cast<Clock::duration>(Seconds(seconds));
}

BOOST_AUTO_TEST_CASE(a_single_call_is_charged_its_time) {
    SharedTime time;
    const double mark = time.begin(at(1));
    BOOST_TEST(time.end(at(4), mark) == 3.0);
    const double later = time.begin(at(10));
    BOOST_TEST(time.end(at(11), later) == 1.0);
}

/// 0 1 2 3 4 5 6
/// ├─────────┤      alone for 2, one of two for 2, one of three for 1: 2 + 1 + 1/3
///     ├───────┤    one of two for 2 + 1, one of three for 1
///         ├─────┤  one of three for 1, one of two for 1, alone for 1
BOOST_AUTO_TEST_CASE(calls_at_the_same_time_share_it) {
    SharedTime time;
    const double a = time.begin(at(0));
    const double b = time.begin(at(2));
    const double c = time.begin(at(4));
    BOOST_TEST(time.end(at(5), a) == 2 + 1 + 1 / 3.);
    BOOST_TEST(time.end(at(6), b) == 1 + 1 / 3. + 1 / 2.);
    BOOST_TEST(time.end(at(7), c) == 1 / 3. + 1 / 2. + 1);
}

BOOST_AUTO_TEST_CASE(a_thread_may_come_late_with_an_earlier_time) {
    SharedTime time;
    const double a = time.begin(at(5));
    const double b = time.begin(at(4));
    BOOST_TEST(time.end(at(3), b) == 0.0);
    BOOST_TEST(time.end(at(6), a) == 1.0);
}

BOOST_AUTO_TEST_CASE(all_charges_together_are_at_most_the_time_that_has_passed) {
    std::minstd_rand random(7);
    SharedTime time;
    std::vector<double> marks;
    double now = 0, charged = 0;
    for (int step = 0; step < 10'000; ++step) {
        now += static_cast<double>(random() % 1000) / 1000;
        if (marks.empty() || random() % 2 == 0) {
            marks.push_back(time.begin(at(now)));
        } else {
            std::swap(marks[random() % marks.size()], marks.back());
            charged += time.end(at(now), marks.back());
            marks.pop_back();
        }
    }
    BOOST_TEST(charged <= now);
    BOOST_TEST(charged > now / 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
