// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "large_collectives.hpp"

BOOST_AUTO_TEST_SUITE(test_collectives_on_512_ranks)

using collective_ranks::check_all;

BOOST_AUTO_TEST_CASE(every_algorithm_is_correct_on_512_ranks) { check_all(512, 1 << 14); }

BOOST_AUTO_TEST_SUITE_END()
