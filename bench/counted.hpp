#pragma once

#include "form.hpp"

#include <functional>

namespace bench {

// Functions of their own, which the compiler must neither inline nor merge, so that callgrind can
// count the instructions below each of them; see instructions.py.
#define CARPOOL_COUNTED(name) \
    [[gnu::noinline, gnu::no_icf]] inline void name(const std::function<void()>& call) { call(); }
CARPOOL_COUNTED(counted_host_start)
CARPOOL_COUNTED(counted_host_wait)
CARPOOL_COUNTED(counted_carpool_start)
CARPOOL_COUNTED(counted_carpool_wait)
#undef CARPOOL_COUNTED

/// Starts and waits for both persistent forms in turn; the first few times uncounted.
/// @note Collective
inline void count_starts(const Form& host, const Form& carpool, int starts, MPI_Comm comm) {
    constexpr int uncounted = 3;
    for (int i = -uncounted; i < starts; ++i) {
        check(MPI_Barrier(comm));
        i < 0 ? host.start() : counted_host_start(host.start);
        i < 0 ? host.wait() : counted_host_wait(host.wait);
        check(MPI_Barrier(comm));
        i < 0 ? carpool.start() : counted_carpool_start(carpool.start);
        i < 0 ? carpool.wait() : counted_carpool_wait(carpool.wait);
    }
}

}  // namespace bench
