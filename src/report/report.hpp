#pragma once

#include "report/records.hpp"

namespace carpool::report {

/// Whether CARPOOL_REPORT asks for a report. If its value is neither "summary" nor a file, rank 0
/// of MPI_COMM_WORLD reports that on stderr. Local.
bool report_wanted();

/// Prints what was recorded, or writes it to a file. @pre report_wanted()
void report(const Recorded& all);

}  // namespace carpool::report
