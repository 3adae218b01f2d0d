// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.hpp"

#include <chrono>
#include <functional>
#include <vector>

namespace carpool::mpi {

/// The duplications of communicators that this process has begun, so that as few as possible are
/// under way at once.
///
/// MPICH ends one within its progress, waits there until a rank below has ended the same one, and
/// progresses no other meanwhile. So ranks that end two of them in different orders may wait for
/// each other for ever. Which ones are under way differs between ranks, and a duplication must
/// begin where the user calls; so a further one can only be put off for a while.
class Duplications {
public:
    static Duplications& of_this_process();

    /// Returns when those that have begun are over, or have been waited for long enough: some rank
    /// may begin one only after this call. Then adds a further one, which begins now. Local.
    /// @param is_over  tests it; may be called for as long as the process lives
    void add(std::function<bool()> is_over);

private:
    using Duration = std::chrono::steady_clock::duration;

    struct Duplication {
        std::function<bool()> is_over;
        Duration time_left;  ///< for how much longer others wait for it
    };

    static void wait(Duplication& duplication);

    base::Mutex mutex_;
    std::vector<Duplication> under_way_;
};

}  // namespace carpool::mpi
