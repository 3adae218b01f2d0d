// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <string>

namespace tune {

/// The name of the MPI that runs, as in a tuning file.
std::string name_of_mpi();

/// During its lifetime, the lowest rank of a communicator finds a tuning file with the given values
/// for this machine. The first Carpool call on a communicator reads that file.
class Assumption {
public:
    /// @param said  members of a machine in a tuning file, as JSON
    Assumption(MPI_Comm comm, const std::string& said);
    Assumption(const Assumption&) = delete;
    Assumption& operator=(const Assumption&) = delete;
    ~Assumption();

private:
    std::string file_;
};

}  // namespace tune
