#pragma once

#include "call/records.hpp"

namespace carpool::call {

/// What CARPOOL_REPORT asks for: "summary" or a file; null for nothing.
const char* report_wanted();

/// Prints or writes what has been written down. @pre report_wanted() is not null
void report(const Records& records);

}  // namespace carpool::call
