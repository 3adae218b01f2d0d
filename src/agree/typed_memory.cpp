// SPDX-License-Identifier: MIT
#include "agree/typed_memory.hpp"

#include "mpi/types/byte_range.hpp"

#include <cstddef>

namespace carpool::agree {

TypedMemory::TypedMemory(std::span<const mpi::Shape> shapes) {
    for (const auto& shape : shapes) blocks_.push_back({nullptr, shape});
    lay_out();
}

void TypedMemory::lay_out_like(std::span<const mpi::Block> blocks) {
    blocks_.assign(blocks.begin(), blocks.end());
    if (mpi::device_of(blocks) != nullptr)
        for (auto& block : blocks_) block.device = nullptr;
    lay_out();
}

void TypedMemory::lay_out() {
    offsets_.clear();
    mpi::TypedLayout layout;
    for (const auto& block : blocks_) offsets_.push_back(layout.add(block.shape));
    const auto end = layout.bytes();
    if (!memory_ || end > size_) {
        memory_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(end));
        size_ = end;
    }
    for (std::size_t i = 0; i < blocks_.size(); ++i)
        if (blocks_[i].shape) blocks_[i].address = memory_.get() + offsets_[i];
}

}  // namespace carpool::agree
