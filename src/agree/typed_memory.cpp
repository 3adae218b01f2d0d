#include "agree/typed_memory.hpp"

#include "mpi/error.hpp"
#include "mpi/extent.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>

namespace carpool::agree {
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

bool is_dense(const mpi::Shape& shape) {
    return shape.bytes() == shape.count() * mpi::extent_of(shape.type()) && shape.piece();
}

}  // namespace

TypedMemory::TypedMemory(std::span<const std::shared_ptr<const mpi::Shape>> shapes) {
    std::vector<std::int64_t> offsets;  // of the blocks' addresses
    std::int64_t end = 0;
    for (const auto& shape : shapes) {
        if (!shape || shape->bytes() == 0) {
            offsets.push_back(end);
            continue;
        }
        const auto range = range_of(*shape);
        if (!is_dense(*shape)) end = aligned(end);
        offsets.push_back(end - range.first);
        end += range.end - range.first;
    }
    memory_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(end));
    for (std::size_t i = 0; i < shapes.size(); ++i)
        blocks_.push_back(shapes[i] ? mpi::Block{memory_.get() + offsets[i], shapes[i]}
                                    : mpi::Block{});
}

}  // namespace carpool::agree
