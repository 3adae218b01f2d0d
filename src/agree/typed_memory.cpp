#include "agree/typed_memory.hpp"

#include "mpi/error.hpp"
#include "mpi/types/extent.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>

namespace carpool::agree {
namespace {

/// The range of bytes that a block occupies, relative to its address.
struct Range {
    std::int64_t first;
    std::int64_t end;
};

Range range_of(const mpi::Shape& shape) {
    if (const auto piece = shape.piece()) return {*piece, *piece + shape.bytes()};
    MPI_Count lower = 0;
    MPI_Count extent = 0;
    mpi::check(MPI_Type_get_true_extent_x(shape.type(), &lower, &extent),
               "MPI_Type_get_true_extent_x");
    const std::int64_t last = (shape.count() - 1) * mpi::extent_of(shape.type());
    return {std::min<std::int64_t>(0, last) + lower,
            std::max<std::int64_t>(0, last) + lower + extent};
}

constexpr std::int64_t alignment = alignof(std::max_align_t);

std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

TypedMemory::TypedMemory(std::span<const mpi::Shape> shapes) {
    for (const auto& shape : shapes) blocks_.push_back({nullptr, shape});
    lay_out();
}

void TypedMemory::lay_out_like(std::span<const mpi::Block> blocks) {
    blocks_.assign(blocks.begin(), blocks.end());
    lay_out();
}

void TypedMemory::lay_out() {
    offsets_.clear();
    std::int64_t end = 0;
    MPI_Datatype latest = MPI_DATATYPE_NULL;
    for (const auto& [address, shape] : blocks_) {
        if (shape.bytes() == 0) {
            offsets_.push_back(end);
            continue;
        }
        const auto range = range_of(shape);
        if (!shape.is_dense() || shape.type() != latest) end = aligned(end);
        latest = shape.type();
        offsets_.push_back(end - range.first);
        end += range.end - range.first;
    }
    if (!memory_ || end > size_) {
        memory_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(end));
        size_ = end;
    }
    for (std::size_t i = 0; i < blocks_.size(); ++i)
        if (blocks_[i].shape) blocks_[i].address = memory_.get() + offsets_[i];
}

}  // namespace carpool::agree
