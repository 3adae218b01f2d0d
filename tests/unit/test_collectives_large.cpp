// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "large_collectives.hpp"

BOOST_AUTO_TEST_SUITE(test_collectives_large)

using collective_ranks::check_all;

BOOST_AUTO_TEST_CASE(every_algorithm_is_correct_on_a_prime_number_of_ranks) {
    check_all(131, 1 << 17);
}

BOOST_AUTO_TEST_CASE(every_algorithm_is_correct_on_256_ranks) { check_all(256, 1 << 17); }

BOOST_AUTO_TEST_CASE(every_algorithm_is_correct_on_1024_ranks) { check_all(1024, 1 << 11); }

BOOST_AUTO_TEST_SUITE_END()
