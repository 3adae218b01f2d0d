// SPDX-License-Identifier: MIT
#include "mpi/types/layout.hpp"

#include "mpi/types/extent.hpp"
#include "mpi/types/type_contents.hpp"

#include <functional>

namespace carpool::mpi {
namespace {

using Read = std::optional<Layout>;

Read predefined(MPI_Datatype type) {
    Layout layout;
    if (type == MPI_SHORT_INT) {  // the one pair with a hole inside
        layout.append({0, sizeof(short), 0, 1});
        layout.append({alignof(int), sizeof(int), 0, 1});
    } else {
        layout.append({0, size_of(type), 0, 1});
    }
    return layout;
}

/// Blocks of an inner type, each of length(i) elements at displacement(i) bytes.
Read blocks(MPI_Datatype inner, std::int64_t count,
            const std::function<std::int64_t(std::size_t)>& length,
            const std::function<std::int64_t(std::size_t)>& displacement) {
    const auto element = Layout::of(inner);
    if (!element) return {};
    const auto stride = extent_of(inner);
    Layout result;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        const auto block = element->repeated(length(i), stride);
        if (!block || !result.append(*block, displacement(i))) return {};
    }
    return result;
}

/// count blocks of length elements, stride bytes apart.
Read strided(MPI_Datatype inner, std::int64_t count, std::int64_t length, std::int64_t stride) {
    const auto element = Layout::of(inner);
    const auto block = element ? element->repeated(length, extent_of(inner)) : Read{};
    return block ? block->repeated(count, stride) : Read{};
}

Read structure(const TypeContents& c) {
    const auto count = static_cast<std::size_t>(c[0]);
    Layout result;
    for (std::size_t i = 0; i < count; ++i) {
        const auto element = Layout::of(c.type(i));
        if (!element) return {};
        const auto block = element->repeated(c[1 + i], extent_of(c.type(i)));
        if (!block || !result.append(*block, c[1 + count + i])) return {};
    }
    return result;
}

/// From the fastest dimension to the slowest, each repeats what is inside it.
Read subarray(const TypeContents& c) {
    const auto d = static_cast<std::size_t>(c[0]);
    auto layout = Layout::of(c.type(0));
    auto extent = extent_of(c.type(0));
    std::int64_t start = 0;
    for (std::size_t n = 0; n < d && layout; ++n) {
        const auto k = c.order() == MPI_ORDER_C ? d - 1 - n : n;
        layout = layout->repeated(c[1 + d + k], extent);
        start += c[1 + 2 * d + k] * extent;
        extent *= c[1 + k];
    }
    if (!layout) return {};
    Layout result;
    return result.append(*layout, start) ? Read(result) : Read{};
}

Read derived(const TypeContents& c) {
    const auto count = static_cast<std::size_t>(c[0]);
    const auto inner_extent = [&c] { return extent_of(c.type(0)); };
    const auto varying = [&c](std::size_t i) { return c[1 + i]; };
    const auto constant = [&c](std::size_t) { return c[1]; };
    switch (c.combiner()) {
        case MPI_COMBINER_CONTIGUOUS:
            return strided(c.type(0), 1, c[0], 0);
        case MPI_COMBINER_VECTOR:
            return strided(c.type(0), c[0], c[1], c[2] * inner_extent());
        case MPI_COMBINER_HVECTOR:
            return strided(c.type(0), c[0], c[1], c[2]);
        case MPI_COMBINER_INDEXED:
            return blocks(c.type(0), c[0], varying, [&, extent = inner_extent()](std::size_t i) {
                return c[1 + count + i] * extent;
            });
        case MPI_COMBINER_HINDEXED:
            return blocks(c.type(0), c[0], varying,
                          [&](std::size_t i) { return c[1 + count + i]; });
        case MPI_COMBINER_INDEXED_BLOCK:
            return blocks(c.type(0), c[0], constant, [&, extent = inner_extent()](std::size_t i) {
                return c[2 + i] * extent;
            });
        case MPI_COMBINER_HINDEXED_BLOCK:
            return blocks(c.type(0), c[0], constant, [&](std::size_t i) { return c[2 + i]; });
        case MPI_COMBINER_STRUCT:
            return structure(c);
        case MPI_COMBINER_SUBARRAY:
            return subarray(c);
        default:
            return {};
    }
}

}  // namespace

std::optional<Layout> Layout::of(MPI_Datatype type) {
    const TypeContents contents(type);
    if (is_predefined(type)) return predefined(type);
    // These change only the extent, for which the enclosing type asks MPI itself.
    if (contents.combiner() == MPI_COMBINER_DUP || contents.combiner() == MPI_COMBINER_RESIZED)
        return of(contents.type(0));
    return derived(contents);
}

}  // namespace carpool::mpi
