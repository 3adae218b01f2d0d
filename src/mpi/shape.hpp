#pragma once

#include "mpi/element.hpp"
#include "mpi/handle.hpp"
#include "mpi/layout.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace carpool::mpi {

/// `count` elements of a datatype, with the datatype kept alive: what a block of a buffer looks
/// like, wherever it lies.
class Shape {
public:
    /// @pre count >= 0, type is committed
    Shape(MPI_Count count, MPI_Datatype type);

    MPI_Count count() const { return count_; }
    MPI_Datatype type() const { return type_; }

    /// The handle that the user gave, for his operators: they may look at it.
    MPI_Datatype given() const { return given_; }

    std::int64_t bytes() const { return bytes_; }

    /// Nothing for types that only MPI_Pack can read.
    const std::optional<Layout>& layout() const { return layout_; }

    /// Offset of the bytes if they are one piece.
    std::optional<std::int64_t> piece() const;

    /// Average length of its contiguous pieces.
    double mean_piece() const;

private:
    void repeat(const Element& element);

    MPI_Count count_;
    MPI_Datatype type_;
    MPI_Datatype given_;
    Datatype kept_;  // of a derived type, so that the user may free it
    std::int64_t bytes_ = 0;
    std::optional<Layout> layout_;
};

/// One block of a user's buffer.
struct Block {
    std::byte* address = nullptr;
    std::shared_ptr<const Shape> shape;
};

/// Is none of them longer? Blocks without a shape are not there.
bool none_longer(std::span<const Block> blocks, std::int64_t longest);

}  // namespace carpool::mpi
