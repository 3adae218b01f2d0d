// SPDX-License-Identifier: MIT
// ranks: 1 2 3 5 8
// sanitize-ranks: 3
//
// Random programs in which no two calls are equal: sizes, buffers, datatypes, roots and
// communicators differ, and communicators have one rank up to all. Results are compared byte for
// byte, including the gaps between blocks.

#include <boost/test/unit_test.hpp>

#include "seed.hpp"
#include "unlike_program.hpp"
#include "world.hpp"

#include <string>

using namespace carpool::tests;

BOOST_AUTO_TEST_SUITE(test_unlike_calls)

BOOST_AUTO_TEST_CASE(calls_of_which_no_two_are_alike_deliver) {
    UnlikeProgram program(seeded());
    const int calls = operations_or(1500);
    for (int call = 0; call < calls; ++call) {
        const std::string wrong = program.call(call);
        BOOST_TEST(wrong == "");
        if (anywhere(!wrong.empty())) break;
    }
}

BOOST_AUTO_TEST_SUITE_END()
