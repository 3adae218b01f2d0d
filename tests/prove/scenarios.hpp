// SPDX-License-Identifier: MIT
#pragma once

#include "checker.hpp"

#include <string>
#include <vector>

namespace carpool::model {

struct NamedScenario {
    std::string name;
    Scenario scenario;
    Bounds bounds;  ///< for make prove; nightly runs go further
};

/// All scenarios, by protocol.
std::vector<NamedScenario> mailbox_scenarios();
std::vector<NamedScenario> multicast_scenarios();
std::vector<NamedScenario> staging_scenarios();
std::vector<NamedScenario> barrier_scenarios();

}  // namespace carpool::model
