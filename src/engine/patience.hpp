#pragma once

#include <thread>

namespace carpool::engine {

/// Waits for something that is asked again and again: soon at first, then giving way to other
/// processes. Where ranks share cores that brings the end nearer than the waits of MPI, which may
/// spin on while the one that is waited for has no core (measured: docs/collectives.md).
class Patience {
public:
    void wait() {
        constexpr int short_while = 50;
        if (turns_ < short_while)
            ++turns_;
        else
            std::this_thread::yield();
    }

private:
    int turns_ = 0;
};

}  // namespace carpool::engine
