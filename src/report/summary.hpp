#pragma once

#include "report/groups.hpp"

#include <vector>

namespace carpool::report {

/// Prints a table for each group to stderr. It fits 80 columns unless names are long.
void print_summary(const std::vector<Group>& groups);

}  // namespace carpool::report
