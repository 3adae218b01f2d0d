// SPDX-License-Identifier: MIT
#pragma once

#include "report/records.hpp"

#include <string>
#include <utility>
#include <vector>

namespace carpool::report {

/// A reason for which the host made calls, and these by operation; what took longest comes first.
struct HostReason {
    std::string why;
    std::vector<std::pair<std::string, HostCalls>> operations = {};

    double charged() const;

    /// What the user can do about it; empty if nothing.
    std::string remedy() const;
};

std::vector<HostReason> host_reasons_of(const HostCallRecords& calls);

}  // namespace carpool::report
