// SPDX-License-Identifier: MIT
#include "agree/mean_block.hpp"

#include "agree/allreduce_steps.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace carpool::agree {
namespace {

std::vector<std::int64_t> blocks_and_bytes(std::span<const std::int64_t> sent) {
    constexpr std::int64_t most = 4096;
    std::int64_t bytes = 0;
    for (const auto size : sent) bytes += std::min(most, size);
    return {std::ssize(sent), bytes};
}

}  // namespace

engine::Steps<std::int64_t> mean_block(const mpi::CommState& state, int tag,
                                       std::span<const std::int64_t> sent) {
    auto own = blocks_and_bytes(sent);
    const auto all = co_await allreduce(state, tag, std::move(own), MPI_SUM);
    co_return all[1] / std::max<std::int64_t>(1, all[0]);
}

}  // namespace carpool::agree
