// SPDX-License-Identifier: MIT
#pragma once

#include "exchange.hpp"
#include "ring.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

/// Breaks the ring, and requires that a complaint contains the sentence literally.
template <typename Break>
void must_complain(const std::string& sentence, Break break_it) {
    auto schedules = ring::schedules();
    break_it(schedules);
    const auto complaints = carpool::schedule::verify(schedules, ring::postcondition());
    BOOST_TEST(std::count(complaints.begin(), complaints.end(), sentence) == 1,
               "expected \"" << sentence << "\", found " << joined(complaints));
}
