// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/comm/oversubscription.hpp"
#include "mpi/library.hpp"
#include "mpi/tests.hpp"

#include <thread>

namespace carpool::engine {

/// Paces a loop that polls for something: it spins at first, then yields the core to other
/// processes. Where ranks share cores this ends a wait sooner than the waits of MPI, which may spin
/// on while the awaited process has no core (measured: docs/measurements). Open MPI yields by
/// itself when it is polled, has nothing to do and knows that ranks share cores; a second yield
/// only delays.
class SpinThenYield {
public:
    /// @param for_one  a single message is all that is waited for. It is often being written
    ///                 already, so a few more polls cost less than a yield; but ranks of Open MPI,
    ///                 whose own waits yield at once, come later (measured: bcast, scatter)
    void wait(bool for_one = false) {
        if (spins_ < short_while(for_one))
            ++spins_;
        else
            std::this_thread::yield();
    }

private:
    static int short_while(bool for_one) {
        static const int of_host = mpi::is_open_mpi() ? 2000 : 50;
        static const bool cores_are_shared = mpi::oversubscription() > 100;
        static const int of_one = mpi::is_open_mpi() ? 3 : 200;
        if (mpi::host_has_progressed()) return of_host;
        if (!cores_are_shared) return 50;
        return for_one ? of_one : 1;
    }

    int spins_ = 0;
};

}  // namespace carpool::engine
