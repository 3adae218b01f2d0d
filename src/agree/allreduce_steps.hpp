// SPDX-License-Identifier: MIT
#pragma once

#include "agree/allreduce.hpp"
#include "engine/steps.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace carpool::agree {

/// One allreduce of a few numbers.
/// @param tag  in use only until the end
/// @param own  this rank's input, equally long on all ranks
/// @pre the state is ready, and outlives the steps
/// @note Collective
inline engine::Steps<std::vector<std::int64_t>> allreduce(const mpi::CommState& state, int tag,
                                                          std::vector<std::int64_t> own,
                                                          MPI_Op op) {
    Allreduce<std::int64_t> allreduce(state, std::move(own), op);
    allreduce.start(tag);
    co_await engine::until(allreduce);
    co_return allreduce.result();
}

}  // namespace carpool::agree
