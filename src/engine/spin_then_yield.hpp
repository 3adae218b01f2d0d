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
    void wait() {
        if (turns_ < short_while())
            ++turns_;
        else
            std::this_thread::yield();
    }

private:
    static int short_while() {
        static const int of_host = mpi::is_open_mpi() ? 2000 : 50;
        static const int of_memory = mpi::oversubscription() > 100 ? 3 : 50;
        return mpi::host_had_its_turn() ? of_host : of_memory;
    }

    int turns_ = 0;
};

}  // namespace carpool::engine
