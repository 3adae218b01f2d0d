// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/comm/operator.hpp"

#include <mpi.h>

#include <cstdint>
#include <cstring>

namespace carpool::arguments {

/// An MPI handle as a number.
template <typename Handle>
std::int64_t bits_of(Handle handle) {
    std::int64_t bits = 0;
    static_assert(sizeof handle <= sizeof bits);
    std::memcpy(&bits, &handle, sizeof handle);
    return bits;
}

/// An operator as a number. A user's operator may get the handle of a freed one: then they differ
/// in whether they commute, or it does not matter.
inline std::int64_t number_of(MPI_Op op) {
    return 2 * bits_of(op) + (mpi::is_users(op) && mpi::commutes(op) ? 1 : 0);
}

}  // namespace carpool::arguments
