// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/types/shape.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace carpool::agree {

/// Memory for blocks that the user's operators can work on: laid out as their datatypes say. Blocks
/// of one type without holes follow each other without gaps, so that consecutive ones are
/// contiguous.
class TypedMemory {
public:
    TypedMemory() = default;

    /// One block for each shape; an empty shape gets no memory.
    explicit TypedMemory(std::span<const mpi::Shape> shapes);

    const std::vector<mpi::Block>& blocks() const { return blocks_; }

    /// Makes a block of each of these shapes, in the same memory if that is large enough.
    void lay_out_like(std::span<const mpi::Block> blocks);

    /// Gives another shape to each block that has one.
    template <typename ShapeOf>
    void reshape(const ShapeOf& shape_of) {
        for (std::size_t i = 0; i < blocks_.size(); ++i)
            if (blocks_[i].shape) blocks_[i].shape = shape_of(i);
        lay_out();
    }

private:
    void lay_out();

    std::unique_ptr<std::byte[]> memory_;
    std::int64_t size_ = 0;
    std::vector<mpi::Block> blocks_;
    std::vector<std::int64_t> offsets_;  // of the blocks' addresses in the memory
};

}  // namespace carpool::agree
