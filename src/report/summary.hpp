// SPDX-License-Identifier: MIT
#pragma once

#include "report/records.hpp"

#include <string>

namespace carpool::report {

/// A text with a table for each operation on each communicator, and one of the calls that the host
/// made. It fits 80 columns unless names are long.
std::string summary_of(const RecordedCalls& all);

}  // namespace carpool::report
