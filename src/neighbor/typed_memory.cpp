#include "neighbor/typed_memory.hpp"

#include "mpi/error.hpp"
#include "mpi/extent.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>

namespace carpool::neighbor {
namespace {

/// Bytes that a block touches, relative to its address.
struct Range {
    std::int64_t first;
    std::int64_t end;
};

Range range_of(const mpi::Shape& shape) {
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

TypedMemory::TypedMemory(int blocks, const std::shared_ptr<const mpi::Shape>& shape) {
    const auto range = range_of(*shape);
    const auto length = range.end - range.first;
    const bool dense = shape->bytes() == shape->count() * mpi::extent_of(shape->type());
    const auto stride = dense && shape->piece() ? length : aligned(length);
    memory_ =
        std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(stride * blocks));
    for (int i = 0; i < blocks; ++i)
        blocks_.push_back({memory_.get() + i * stride - range.first, shape});
}

}  // namespace carpool::neighbor
