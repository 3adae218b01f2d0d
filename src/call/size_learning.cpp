// SPDX-License-Identifier: MIT
#include "call/size_learning.hpp"

#include "mpi/types/shape.hpp"

#include <utility>

namespace carpool::call {
namespace {

std::vector<mpi::Block> blocks_of(std::vector<std::int64_t>& numbers) {
    const mpi::Shape shape(1, MPI_INT64_T);
    std::vector<mpi::Block> blocks;
    for (auto& number : numbers) blocks.push_back({reinterpret_cast<std::byte*>(&number), shape});
    return blocks;
}

}  // namespace

SizeLearning::SizeLearning(const mpi::CommState& state, schedule::Schedule schedule,
                           schedule::DividedBlocks blocks)
    : schedule_(std::move(schedule)),
      straight_(std::move(blocks.straight)),
      sizes_(std::move(blocks.combined)),
      heard_(sizes_.recv.size()) {
    sizes_.temp.resize(static_cast<std::size_t>(schedule_.temp_slots));
    const engine::Buffers buffers{blocks_of(sizes_.send), blocks_of(heard_),
                                  blocks_of(sizes_.temp)};
    exchange_ = engine::exchange_of(state, schedule_, buffers, {});
}

}  // namespace carpool::call
