// SPDX-License-Identifier: MIT
#include "blocks.hpp"

#include "comm.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace tune {
namespace {

constexpr int rounds = 21;
constexpr std::size_t message = std::size_t{1} << 18;
constexpr std::size_t block = 256;

/// The median time per byte of a message's work, which all ranks begin together.
template <class Work>
double per_byte(MPI_Comm comm, Work work) {
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
        MPI_Barrier(comm);
        const double begin = MPI_Wtime();
        work();
        times.push_back(MPI_Wtime() - begin);
    }
    const auto middle = times.begin() + rounds / 2;
    std::nth_element(times.begin(), middle, times.end());
    return most(*middle, comm) / static_cast<double>(message);
}

}  // namespace

BlockCosts block_costs(MPI_Comm comm) {
    std::vector<char> apart(2 * message, 1);
    std::vector<char> together(message, 2);
    const double copy = per_byte(comm, [&] {
        for (std::size_t at = 0; at < message; at += block)
            std::memcpy(&together[at], &apart[2 * at], block);
    });
    std::vector<double> numbers(message / sizeof(double), 1);
    std::vector<double> sums(numbers.size(), 0);
    const double sum = per_byte(comm, [&] {
        MPI_Reduce_local(numbers.data(), sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE,
                         MPI_SUM);
    });
    return {copy, sum};
}

}  // namespace tune
