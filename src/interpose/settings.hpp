#pragma once

#include "interpose/mpi_operations.generated.hpp"

#include <bitset>
#include <cstddef>
#include <iterator>

namespace carpool::interpose {

/// The calls that Carpool makes, as the environment says. @pre the environment is the same on all
/// ranks
struct Settings {
    static constexpr std::size_t operations = std::size(names_of_operations);

    /// Reads CARPOOL, CARPOOL_CALLS, CARPOOL_AFTER and CARPOOL_SUMS. A value that is not
    /// understood is reported on stderr by rank 0, and then no call is taken.
    static const Settings& of_process();

    /// Whether it makes any blocking or nonblocking neighborhood collective.
    bool asks_neighbors() const {
        for (std::size_t i = 0; i < operations; ++i)
            if (calls[i] && is_neighborhood(static_cast<MpiOperation>(i))) return true;
        return false;
    }

    std::bitset<operations> calls = {};       ///< blocking and nonblocking
    std::bitset<operations> persistent = {};  ///< inits
    int after = 0;  ///< the host makes this many calls of an operation on a communicator first
};

}  // namespace carpool::interpose
