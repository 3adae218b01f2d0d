#pragma once

#include "interpose/mpi_operations.generated.hpp"

#include <bitset>
#include <cstddef>
#include <iterator>

namespace carpool::interpose {

/// Which calls of MPI a process makes by Carpool, as its environment says; the same on all ranks.
struct Settings {
    static constexpr std::size_t operations = std::size(names_of_operations);

    /// Reads CARPOOL, CARPOOL_CALLS, CARPOOL_AFTER and CARPOOL_SUMS. A value that is not
    /// understood is reported on stderr by rank 0, and then no call is taken.
    static const Settings& of_process();

    bool asks_neighbors() const {
        return calls[static_cast<std::size_t>(MpiOperation::neighbor_alltoall)];
    }

    std::bitset<operations> calls = {};       ///< blocking and nonblocking
    std::bitset<operations> persistent = {};  ///< inits
    int after = 0;  ///< how many calls of an operation on a communicator the host makes before
};

}  // namespace carpool::interpose
