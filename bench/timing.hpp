#pragma once

#include "report.hpp"

#include <mpi.h>

#include <cstdint>
#include <random>
#include <string>

namespace bench {

/// How long a race takes for each of its cases, and what draws its orders.
struct Timing {
    double budget;  ///< seconds of timing
    std::mt19937_64 random;
};

/// As the first two arguments of a race say, SECONDS and SEED; its first line repeats them.
inline Timing timing_of(char** argv) {
    const double budget = std::stod(argv[1]);
    const std::uint64_t seed = std::stoull(argv[2]);
    emit_run({{"seed", seed}, {"budget", budget}}, MPI_COMM_WORLD);
    return {budget, std::mt19937_64(seed)};
}

}  // namespace bench
