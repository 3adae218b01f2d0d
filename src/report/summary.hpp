#pragma once

#include "report/groups.hpp"

#include <vector>

namespace carpool::report {

/// Prints a table for each group, and one of the calls that the host made, to stderr. They fit 80
/// columns unless names are long.
void print_summary(const std::vector<Group>& groups, const HostCalls& host_calls);

}  // namespace carpool::report
