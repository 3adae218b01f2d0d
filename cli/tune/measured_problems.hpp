#pragma once

#include <mpi.h>

#include <functional>
#include <string>

namespace tune {

/// What one request has found.
struct Finding {
    std::string operation;
    int bytes;  ///< of a block
    std::string taken;
    double done;  ///< of all that is to be found, or of the time for it
};

/// Makes persistent requests of many operations and sizes, those that programs have most first,
/// until all inits have measured the fastest way or the time is over. What they have found is
/// written to the tuning file in MPI_Finalize, as that of any program. @note Collective.
/// @param tell  is told of each on all ranks
void measure_problems(MPI_Comm world, double seconds,
                      const std::function<void(const Finding&)>& tell);

}  // namespace tune
