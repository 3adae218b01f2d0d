#pragma once

#include "report/records.hpp"

namespace carpool::report {

/// Does CARPOOL_REPORT ask for a report? A text that is neither "summary" nor a file is told on
/// stderr, on rank 0 of MPI_COMM_WORLD. Local.
bool report_wanted();

/// Prints or writes what has been written down. @pre report_wanted()
void report(const Records& records);

}  // namespace carpool::report
