// SPDX-License-Identifier: MIT
#pragma once

#include "measure.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bench {

/// Work for the processor alone, in equal pieces.
class Computation {
public:
    static constexpr int pieces = 8;

    explicit Computation(std::int64_t steps) : steps_(steps) {}

    /// Calls `between` after each piece except the last.
    template <class F>
    void run(F between) const {
        for (int piece = 0; piece < pieces; ++piece) {
            if (piece > 0) between();
            compute(steps_ / pieces);
        }
    }

private:
    static void compute(std::int64_t steps) {
        static volatile double result = 1;
        double x = result;
        for (std::int64_t i = 0; i < steps; ++i) x = 0.5 * x + 1;
        result = x;
    }

    std::int64_t steps_;
};

/// Seconds that a computation takes the slowest rank when all ranks compute at once.
/// @note Collective
inline double seconds_of(const Computation& computation, MPI_Comm comm) {
    std::vector<double> seconds;
    for (int r = 0; r < 5; ++r)
        seconds.push_back(time_once({[&] { computation.run([] {}); }, {}}, comm));
    keep_slowest(seconds, comm);
    return quartiles(seconds).median;
}

/// A computation that takes the given time when all ranks compute at once.
/// @note Collective
inline Computation computation_of(double seconds, MPI_Comm comm) {
    double steps = 10'000;
    for (int attempt = 0; attempt < 3; ++attempt) {
        const Computation trial(static_cast<std::int64_t>(steps));
        steps = std::max(1.0 * Computation::pieces, steps * seconds / seconds_of(trial, comm));
    }
    return Computation(static_cast<std::int64_t>(steps));
}

}  // namespace bench
