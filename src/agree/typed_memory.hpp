#pragma once

#include "mpi/shape.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace carpool::agree {

/// Memory for blocks that operators of the user can work on: laid out as their datatypes say.
/// Blocks without holes lie one behind the other, so that neighboring ones are one piece.
class TypedMemory {
public:
    TypedMemory() = default;

    /// One block for each shape; none for a null one.
    explicit TypedMemory(std::span<const std::shared_ptr<const mpi::Shape>> shapes);

    const std::vector<mpi::Block>& blocks() const { return blocks_; }

private:
    std::unique_ptr<std::byte[]> memory_;
    std::vector<mpi::Block> blocks_;
};

}  // namespace carpool::agree
