// SPDX-License-Identifier: MIT
#pragma once

#include "form.hpp"

#include <mpi.h>

#include <array>
#include <functional>

namespace bench {

// Separate functions, which the compiler must neither inline nor merge, so that callgrind can count
// the instructions below each of them; see instructions.py.
#define CARPOOL_COUNTED(name) \
    [[gnu::noinline, gnu::no_icf]] inline void name(const std::function<void()>& call) { call(); }
CARPOOL_COUNTED(counted_host_nonblocking_start)
CARPOOL_COUNTED(counted_host_nonblocking_wait)
CARPOOL_COUNTED(counted_host_start)
CARPOOL_COUNTED(counted_host_wait)
CARPOOL_COUNTED(counted_carpool_start)
CARPOOL_COUNTED(counted_carpool_wait)
CARPOOL_COUNTED(counted_carpool_nonblocking_start)
CARPOOL_COUNTED(counted_carpool_nonblocking_wait)
#undef CARPOOL_COUNTED

/// Forms whose starts and waits are counted, by the names of instructions.py.
struct CountedForms {
    const Form &host_nonblocking, &host, &carpool, &carpool_nonblocking;
};

inline void plainly(const std::function<void()>& call) { call(); }

/// Starts all forms in turn and waits for them. The first few rounds are not counted.
/// @note Collective
inline void count_starts(const CountedForms& forms, int starts, MPI_Comm comm) {
    constexpr int uncounted = 3;
    using Count = void (*)(const std::function<void()>&);
    struct Turn {
        const Form& form;
        Count start, wait;
    };
    const std::array turns{
        Turn{forms.host_nonblocking, counted_host_nonblocking_start, counted_host_nonblocking_wait},
        Turn{forms.host, counted_host_start, counted_host_wait},
        Turn{forms.carpool, counted_carpool_start, counted_carpool_wait},
        Turn{forms.carpool_nonblocking, counted_carpool_nonblocking_start,
             counted_carpool_nonblocking_wait}};
    for (int i = -uncounted; i < starts; ++i)
        for (const auto& [form, start, wait] : turns) {
            check(MPI_Barrier(comm));
            (i < 0 ? plainly : start)(form.start);
            (i < 0 ? plainly : wait)(form.wait);
        }
}

}  // namespace bench
