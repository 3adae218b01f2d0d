// SPDX-License-Identifier: MIT
#pragma once

#include "interpose/function_name.hpp"
#include "interpose/mpi_operations.generated.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <iterator>
#include <string>

namespace carpool::interpose {

/// The calls that Carpool makes, as the environment says. @pre the environment is the same on all
/// ranks
struct Settings {
    static constexpr std::size_t operations = std::size(names_of_operations);

    /// Reads CARPOOL, CARPOOL_CALLS, CARPOOL_AFTER and CARPOOL_SUMS. A value that is not
    /// understood is reported on stderr by rank 0, and then no call is taken. @pre mpi::in_use()
    static const Settings& of_process();

    /// Whether Carpool never makes the calls of a function.
    bool leaves(const NamedFunction& function) const {
        return !(function.is_init ? persistent : calls)[function.operation];
    }

    std::string words = {};                   ///< CARPOOL_CALLS, or what it is without
    std::bitset<operations> calls = {};       ///< blocking and nonblocking
    std::bitset<operations> persistent = {};  ///< inits
    /// By operation, how many calls on a communicator the host makes first.
    std::array<int, operations> after = {};

    /// Whether only calls that repeat each other are taken: where a call with new arguments takes
    /// longer than the host's.
    bool only_repeated = false;

    /// Whether a duplicate of a communicator begins with the counts of its original: where adopting
    /// it takes as long as a few calls.
    bool duplicates_inherit = true;
};

}  // namespace carpool::interpose
