#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace carpool::choose {

/// How long something takes.
struct Timing {
    double median;
    double uncertainty;  ///< of the median, about one standard deviation
};

/// Of repeated measurements: few that are far off decide nothing. @pre there are some
Timing timing_of(std::vector<double> seconds);

/// Which is to be taken from now on: the fastest, but the one that is in use unless another is
/// faster by more than both are uncertain. @pre incumbent is one of them
std::size_t verdict(std::span<const Timing> timings, std::size_t incumbent);

/// Those that take at most `factor` times as long as the fastest, ascending. @pre there are some
std::vector<std::size_t> near_the_fastest(std::span<const Timing> timings, double factor);

}  // namespace carpool::choose
