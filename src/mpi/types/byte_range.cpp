// SPDX-License-Identifier: MIT
#include "mpi/types/byte_range.hpp"

#include "mpi/error.hpp"
#include "mpi/types/extent.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>

namespace carpool::mpi {
namespace {

constexpr std::int64_t alignment = alignof(std::max_align_t);

std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

ByteRange byte_range(const Shape& shape) {
    if (const auto piece = shape.piece()) return {*piece, *piece + shape.bytes()};
    MPI_Count lower = 0;
    MPI_Count extent = 0;
    check(MPI_Type_get_true_extent_x(shape.type(), &lower, &extent), "MPI_Type_get_true_extent_x");
    const std::int64_t last = (shape.count() - 1) * extent_of(shape.type());
    return {std::min<std::int64_t>(0, last) + lower,
            std::max<std::int64_t>(0, last) + lower + extent};
}

std::int64_t TypedLayout::add(const Shape& shape) {
    if (shape.bytes() == 0) return end_;
    const auto range = byte_range(shape);
    if (!shape.is_dense() || shape.type() != latest_) end_ = aligned(end_);
    latest_ = shape.type();
    const auto offset = end_ - range.first;
    end_ += range.end - range.first;
    return offset;
}

}  // namespace carpool::mpi
