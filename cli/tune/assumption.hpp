#pragma once

#include <mpi.h>

#include <string>

namespace tune {

/// As a tuning file names the MPI that runs.
std::string name_of_mpi();

/// While it lives, the lowest rank of a communicator finds a tuning file that says of this machine
/// what is given. A communicator's first call of Carpool's reads it.
class Assumption {
public:
    /// @param said  members of a machine in JSON
    Assumption(MPI_Comm comm, const std::string& said);
    Assumption(const Assumption&) = delete;
    Assumption& operator=(const Assumption&) = delete;
    ~Assumption();

private:
    std::string file_;
};

}  // namespace tune
