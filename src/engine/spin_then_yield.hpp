#pragma once

#include "mpi/library.hpp"
#include "mpi/oversubscription.hpp"
#include "mpi/tests.hpp"

#include <thread>

namespace carpool::engine {

/// Waits for something that is asked again and again: soon at first, then giving way to other
/// processes. Where ranks share cores that brings the end nearer than the waits of MPI, which may
/// spin on while the one that is waited for has no core (measured: docs/collectives.md). Open MPI
/// gives way itself, whenever it is asked, has nothing to do and knows that ranks share cores;
/// giving way twice is late.
class SpinThenYield {
public:
    /// @param for_one  a single message is all that is waited for. Often it is being written, so a
    ///                 few more looks cost less than to give way; but ranks of Open MPI, whose own
    ///                 waits give way at once, come later (measured: bcast, scatter)
    void wait(bool for_one = false) {
        if (turns_ < short_while(for_one))
            ++turns_;
        else
            std::this_thread::yield();
    }

private:
    static int short_while(bool for_one) {
        static const int of_host = mpi::is_open_mpi() ? 2000 : 50;
        static const bool cores_are_shared = mpi::oversubscription() > 100;
        static const int of_one = mpi::is_open_mpi() ? 3 : 200;
        if (mpi::host_had_its_turn()) return of_host;
        if (!cores_are_shared) return 50;
        return for_one ? of_one : 1;
    }

    int turns_ = 0;
};

}  // namespace carpool::engine
