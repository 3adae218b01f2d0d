// SPDX-License-Identifier: MIT
#pragma once

#include "collective_ranks.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

namespace collective_ranks {

/// @return whether the schedules of all ranks are correct
inline bool check(const Algorithm& algorithm, const std::vector<Problem>& problems) {
    const bool learns = algorithm.forwards && problems.front().varies();
    const auto all =
        learns ? learnt_schedules(algorithm, problems) : schedules(algorithm, problems);
    const auto found = complaints(algorithm, problems, all);
    BOOST_TEST(found.empty(), described(algorithm, problems.front())
                                  << ": " << (found.empty() ? "" : found.front()) << " (of "
                                  << found.size() << " complaints)");
    return found.empty();
}

}  // namespace collective_ranks
