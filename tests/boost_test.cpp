// SPDX-License-Identifier: MIT
// All of Boost.Test but main, compiled once: in every test anew it takes up to two minutes each
// under the sanitizers.
#define BOOST_TEST_NO_MAIN
#include <boost/test/included/unit_test.hpp>
