// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include <unistd.h>

namespace interposed {

/// What this rank does, for a signal handler.
inline char current_step[300] = "";

inline void report_hang(int) {
    static char line[sizeof current_step + 32];
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::snprintf(line, sizeof line, "[%d] hangs in: %s\n", rank, current_step);
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line, std::strlen(line));
    sleep(1);  // until the other ranks have told theirs
    _exit(3);
}

/// Seconds within which a step ends even on a busy machine.
inline constexpr unsigned long_enough = 60;

/// Notes what this rank does next. If it takes longer than so many seconds, this is told, and the
/// program ends.
inline void note_step(const std::string& what, unsigned seconds = long_enough) {
    std::snprintf(current_step, sizeof current_step, "%s", what.c_str());
    std::signal(SIGALRM, report_hang);
    alarm(seconds);
}

}  // namespace interposed
