#pragma once
// Delays Carpool's messages by MPI, but not those of the host MPI's own collectives, so that
// measurements see it. Include it once per program.

#include "handles.hpp"

#include <chrono>
#include <thread>

namespace carpool::tests {

/// The extra time that each message of more than `not_slow` bytes costs its sender. Messages of the
/// library's votes are shorter.
inline std::chrono::microseconds delay{0};
inline int not_slow = 8;

/// Number of messages that this rank has sent by MPI_Isend.
inline int sent_by_mpi = 0;

/// An info by which candidates are measured. Until then these costs choose the rule.
inline Info measuring(const char* alpha = "1e-5", const char* beta = "3e-9",
                      const char* sigma = "1e-5") {
    return info_of({{"carpool_alpha", alpha},
                    {"carpool_beta", beta},
                    {"carpool_sigma", sigma},
                    {"carpool_choice", "measure"},
                    {"carpool_requests", "immediate"}});
}

}  // namespace carpool::tests

extern "C" int MPI_Isend(const void* b, int n, MPI_Datatype y, int r, int g, MPI_Comm c,
                         MPI_Request* q) {
    using carpool::tests::delay;
    ++carpool::tests::sent_by_mpi;
    int size = 0;
    PMPI_Type_size(y, &size);
    if (delay.count() > 0 && n * size > carpool::tests::not_slow)
        std::this_thread::sleep_for(delay);
    return PMPI_Isend(b, n, y, r, g, c, q);
}
