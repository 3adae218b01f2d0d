// SPDX-License-Identifier: MIT
#pragma once

#include "report.hpp"

#include <mpi.h>

#include <cstdint>
#include <random>
#include <string>

namespace bench {

/// The time budget of a race for each of its cases, and the random generator for its orders.
struct Timing {
    double budget;  ///< seconds of timing
    std::mt19937_64 random;
};

/// Reads the first two arguments of a race, SECONDS and SEED, and writes them in its first line.
inline Timing timing_of(char** argv) {
    const double budget = std::stod(argv[1]);
    const std::uint64_t seed = std::stoull(argv[2]);
    emit_run({{"seed", seed}, {"budget", budget}}, MPI_COMM_WORLD);
    return {budget, std::mt19937_64(seed)};
}

}  // namespace bench
