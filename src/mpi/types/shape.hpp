// SPDX-License-Identifier: MIT
#pragma once

#include "device/device.hpp"
#include "mpi/types/derived_type.hpp"
#include "mpi/types/element.hpp"
#include "mpi/types/layout.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace carpool::mpi {

/// `count` elements of a datatype, which is kept alive: what a block of a buffer looks like,
/// wherever it lies. A shape without holes takes no memory of its own.
class Shape {
public:
    /// The shape of no block.
    Shape() = default;

    /// @pre count >= 0, type is committed
    Shape(MPI_Count count, MPI_Datatype type);

    /// @param element  of the type, which must be predefined
    Shape(MPI_Count count, MPI_Datatype type, const Element& element);

    Shape(MPI_Count count, std::shared_ptr<const DerivedType> type);

    /// The shape of bytes that lie so, of no datatype of the user's. Operator == does not compare
    /// where they lie.
    static Shape of_bytes(Layout layout);

    /// Turns this into that many elements of a predefined type.
    void become(MPI_Count count, MPI_Datatype type, const Element& element) {
        if (type_ != type || derived_ || scattered_) {
            *this = Shape(count, type, element);
            return;
        }
        count_ = count;
        whole_.length = count * element.size;
    }

    /// Is it that many elements of this type?
    bool is(MPI_Count count, const DerivedType& type) const {
        return count_ == count && derived_.get() == &type;
    }

    /// Are these as many elements of the same type? Derived types are alive, so the user's handle
    /// tells them apart, whenever each was read.
    friend bool operator==(const Shape& a, const Shape& b) {
        return a.count_ == b.count_ && a.given() == b.given();
    }

    /// Is there a block?
    explicit operator bool() const { return type_ != MPI_DATATYPE_NULL; }

    /// The shape of that many elements of the same type.
    Shape with_count(MPI_Count count) const;

    MPI_Count count() const { return count_; }
    MPI_Datatype type() const { return type_; }

    /// Whether only the layout says where its bytes lie, not its type.
    bool is_layout_alone() const { return scattered_ && !derived_ && type_ == MPI_BYTE; }

    /// The handle that the user gave, for the user's operators, which may look at it.
    MPI_Datatype given() const { return derived_ ? derived_->given() : type_; }

    std::int64_t bytes() const { return whole_.length; }

    /// Are the bytes one piece as long as the extent of all elements?
    bool is_dense() const { return !scattered_; }

    /// The bytes in the order of the type map, valid as long as the shape lives; nothing for types
    /// that only MPI_Pack can read.
    std::optional<std::span<const Run>> runs() const;

    /// The offset of the bytes if they are one piece.
    std::optional<std::int64_t> piece() const;

    /// The average length of the contiguous pieces.
    double mean_piece() const;

private:
    void repeat(const Element& element);

    MPI_Count count_ = 0;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    std::shared_ptr<const DerivedType> derived_;  // null for a predefined type
    Run whole_ = {0, 0, 0,
                  1};  // all bytes as one piece; only its length counts if scattered_ is set
    /// The layout of a block that is not one piece, without a value if only MPI_Pack can read the
    /// type; null for one piece.
    std::shared_ptr<const std::optional<Layout>> scattered_;
};

/// "10 of MPI_DOUBLE (80 bytes)", or "0 bytes" of no block, for error texts.
std::string text_of(const Shape& shape);

/// One block of a user's buffer.
struct Block {
    std::byte* address = nullptr;
    Shape shape = {};
    device::Device* device = nullptr;  ///< on which it lies; null for memory of the host

    /// Whether they have one address and shape, and so one place.
    friend bool operator==(const Block& a, const Block& b) {
        return a.address == b.address && a.shape == b.shape;
    }
};

/// The device of a side whose blocks lie all in one place; null for the host.
inline device::Device* device_of(std::span<const Block> side) {
    return side.empty() ? nullptr : side.front().device;
}

/// Are these blocks so many contiguous pieces that copying them takes a while to prepare?
bool have_many_pieces(std::span<const Block> blocks);

/// The bytes of each block; 0 of a block without a shape.
std::vector<std::int64_t> sizes_of(std::span<const Block> blocks);

/// Is no block longer than that? Blocks without a shape count as empty.
bool none_longer(std::span<const Block> blocks, std::int64_t longest);

}  // namespace carpool::mpi
