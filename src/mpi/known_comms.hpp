// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/lives.hpp"

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>

namespace carpool::mpi {

/// The communicators that have attributes of the library's. MPI tells when these are freed, so
/// their handles need not be looked at in each call.
class KnownComms {
public:
    /// Is this a communicator that has not been freed? Of a handle that is not known it asks MPI.
    static bool live(MPI_Comm comm) {
        return lives(comm) && (freed_are_seen || has(comm) || answers(comm));
    }

    static void add(MPI_Comm comm) {
        if (!freed_are_seen) place_of(comm).store(fortran_number(comm), relaxed);
    }

    static void remove(MPI_Comm comm) {
        if (freed_are_seen) return;
        auto number = fortran_number(comm);
        place_of(comm).compare_exchange_strong(number, none, relaxed);
    }

private:
    using Place = std::atomic<decltype(fortran_number(MPI_COMM_NULL))>;

    static bool has(MPI_Comm comm) {
        const auto number = place_of(comm).load(relaxed);
        return number != none && number == fortran_number(comm);
    }

    /// Does MPI take it for a communicator?
    static bool answers(MPI_Comm comm);

    /// The place of a communicator. Of several that share it the latest is known; MPI is asked
    /// about the others.
    static Place& place_of(MPI_Comm comm) {
        return places_[static_cast<std::size_t>(fortran_number(comm)) % places_.size()];
    }

    static constexpr auto relaxed = std::memory_order_relaxed;
    static constexpr int none = 0;
    static inline std::array<Place, 2048> places_ = {};
};

}  // namespace carpool::mpi
