#include "call/size_learning.hpp"

#include "call/peers.hpp"
#include "mpi/shape.hpp"

#include <utility>

namespace carpool::call {
namespace {

std::vector<mpi::Block> blocks_of(std::vector<std::int64_t>& numbers) {
    const auto shape = std::make_shared<const mpi::Shape>(1, MPI_INT64_T);
    std::vector<mpi::Block> blocks;
    for (auto& number : numbers) blocks.push_back({reinterpret_cast<std::byte*>(&number), shape});
    return blocks;
}

}  // namespace

SizeLearning::SizeLearning(const mpi::CommState& state, schedule::Schedule schedule,
                           std::vector<std::int64_t> sent, std::vector<std::int64_t> received)
    : schedule_(std::move(schedule)),
      sizes_{std::move(sent), std::move(received),
             std::vector<std::int64_t>(static_cast<std::size_t>(schedule_.temp_slots))},
      heard_(sizes_.recv.size()) {
    auto on_channel = schedule_;
    name_on_channel(on_channel, state);
    const engine::Buffers buffers{blocks_of(sizes_.send), blocks_of(heard_),
                                  blocks_of(sizes_.temp)};
    exchange_ =
        std::make_unique<engine::Exchange>(engine::bind(on_channel, buffers, engine::Packing::pack),
                                           state.channel_comm(), std::nullopt);
}

}  // namespace carpool::call
