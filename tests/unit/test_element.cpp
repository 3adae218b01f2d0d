// SPDX-License-Identifier: MIT
// Error texts name elements of arrays as the language of the call does.

#include "base/element.hpp"

#include <boost/test/unit_test.hpp>

#include <thread>

BOOST_AUTO_TEST_SUITE(test_element)

using namespace carpool;

BOOST_AUTO_TEST_CASE(elements_are_numbered_as_in_the_language_of_the_call) {
    BOOST_TEST(base::element("sendcounts", 2) == "sendcounts[2]");
    base::called_from_fortran = true;
    BOOST_TEST(base::element("sendcounts", 2) == "sendcounts(3)");
    std::thread([] { BOOST_TEST(base::element("sendcounts", 2) == "sendcounts[2]"); }).join();
    base::called_from_fortran = false;
    BOOST_TEST(base::element("sendcounts", 2) == "sendcounts[2]");
}

BOOST_AUTO_TEST_SUITE_END()
