// SPDX-License-Identifier: MIT
#pragma once

namespace carpool::report {

/// Seconds since this process began; where the system does not tell, since this library was loaded.
double seconds_of_run();

}  // namespace carpool::report
