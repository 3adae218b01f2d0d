#pragma once
// Makes Carpool's messages slow, not MPI's own, and requests find out. Include it once per program.

#include "handles.hpp"

#include <chrono>
#include <thread>

namespace carpool::tests {

/// What each message costs its sender beyond what it costs anyway.
inline std::chrono::microseconds delay{0};

/// How many this rank has sent by MPI.
inline int sent_by_mpi = 0;

/// Measured at work, by the rule that these costs say at first.
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
    if (delay.count() > 0) std::this_thread::sleep_for(delay);
    return PMPI_Isend(b, n, y, r, g, c, q);
}
