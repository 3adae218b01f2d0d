#pragma once

#include "mpi/shape.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace carpool::neighbor {

/// Memory for blocks of one shape that operators of the user can work on: laid out as the datatype
/// says. Blocks without holes lie one behind the other, so that neighboring ones are one piece.
class TypedMemory {
public:
    TypedMemory() = default;
    TypedMemory(int blocks, const std::shared_ptr<const mpi::Shape>& shape);

    const std::vector<mpi::Block>& blocks() const { return blocks_; }

private:
    std::unique_ptr<std::byte[]> memory_;
    std::vector<mpi::Block> blocks_;
};

}  // namespace carpool::neighbor
