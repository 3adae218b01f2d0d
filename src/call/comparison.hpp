#pragma once

#include "call/joint.hpp"
#include "choose/standings.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <tuple>

namespace carpool::call {

/// Of a few numbers, at each place, the most that any rank has: by which ranks compare how a trial
/// stands. The first are those of its standings.
using Comparison = Joint<double>;

inline constexpr std::size_t first_behind_standings = std::tuple_size_v<choose::Standings::Numbers>;

/// @pre the state is ready
inline std::unique_ptr<Comparison> new_comparison(const mpi::CommState& state) {
    constexpr std::size_t others = 5;
    return std::make_unique<Comparison>(state, std::vector<double>(first_behind_standings + others),
                                        MPI_MAX);
}

inline void put_standings(const choose::Standings::Numbers& times, Comparison& comparison) {
    std::ranges::copy(times, comparison.own().begin());
}

}  // namespace carpool::call
