// SPDX-License-Identifier: MIT
#pragma once

#include "report/records.hpp"

#include <cstdlib>

namespace carpool::report {

/// Is CARPOOL_REPORT set to anything?
inline const bool report_is_asked = [] {
    const char* const text = std::getenv("CARPOOL_REPORT");
    return text != nullptr && *text != '\0';
}();

/// Whether CARPOOL_REPORT asks for a report. If its value is neither "summary" nor a file, rank 0
/// of the job reports that on stderr. Local. @pre mpi::in_use()
bool report_wanted();

/// Prints what was recorded, or writes it to a file. @pre report_wanted()
void report(const RecordedCalls& all);

}  // namespace carpool::report
