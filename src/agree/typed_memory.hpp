#pragma once

#include "mpi/shape.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace carpool::agree {

/// Memory for blocks that operators of the user can work on: laid out as their datatypes say.
/// Blocks without holes lie one behind the other, so that neighboring ones are one piece.
class TypedMemory {
public:
    TypedMemory() = default;

    /// One block for each shape; an empty shape gets no memory.
    explicit TypedMemory(std::span<const mpi::Shape> shapes);

    const std::vector<mpi::Block>& blocks() const { return blocks_; }

    /// Gives each block that there is another shape.
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
    std::vector<std::int64_t> offsets_;  // of their addresses
};

}  // namespace carpool::agree
