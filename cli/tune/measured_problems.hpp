// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <functional>
#include <string>

namespace tune {

/// The result of one request.
struct Finding {
    std::string operation;
    int bytes;  ///< the size of a block
    std::string taken;
    double done;  ///< the part that has been measured, or the part of the time that has passed
};

/// Makes persistent requests of many operations and sizes, the most frequent ones first, until all
/// inits have measured the fastest candidate or the time is over, but of each operation at least
/// one. MPI_Finalize writes the results to the tuning file, as in any program. @note Collective.
/// @param tell  is called for each result on all ranks
void measure_problems(MPI_Comm world, double seconds,
                      const std::function<void(const Finding&)>& tell);

}  // namespace tune
