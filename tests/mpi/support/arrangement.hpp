// SPDX-License-Identifier: MIT
#pragma once

#include "collective_case.hpp"
#include "movement.hpp"

#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

namespace carpool::tests {

/// A block in a buffer.
struct Spot {
    Origin origin;
    MPI_Aint at;  ///< relative to the buffer's address
    int count;
    MPI_Datatype type;

    void write(Bytes& buffer, int start) const {
        int size = 0, position = 0;
        MPI_Type_size(type, &size);
        const int bytes = count * size;
        if (bytes == 0) return;
        const auto block =
            filled(static_cast<std::size_t>(bytes), origin.source * 1000 + origin.target, start);
        MPI_Unpack(block.data(), bytes, &position, buffer.data() + CollectiveCase::room + at, count,
                   type, MPI_COMM_SELF);
    }

    /// Overwrites the padding, so that it is the same in all buffers.
    void blur(Bytes& buffer, const TypeFamily& family) const {
        const auto size = family.padding_to - family.padding_from;
        const auto extent = extent_of(type);
        for (int i = 0; i < count; ++i)
            std::fill_n(
                buffer.begin() + CollectiveCase::room + at + i * extent + family.padding_from, size,
                poison);
    }
};

/// One side of a call, with the places of its blocks in a buffer.
struct Row {
    Side side;
    std::vector<Spot> spots;
    MPI_Aint end = 0;

    Bytes poison() const {
        return poisoned(static_cast<std::size_t>(end + 2 * CollectiveCase::room));
    }
};

/// Lays blocks out in a way that the shape allows: contiguous, or with gaps, in any order, and some
/// before the buffer's address.
class Arrangement {
public:
    Arrangement(const Movement& movement, Shape shape, std::mt19937& rng)
        : movement_(movement), shape_(shape), rng_(rng) {}

    Row row(const std::vector<Origin>& origins) {
        Row row;
        auto member = any_member();
        std::vector<std::size_t> order(origins.size());
        std::iota(order.begin(), order.end(), 0u);
        if (listed()) std::shuffle(order.begin(), order.end(), rng_);
        row.spots.resize(origins.size());
        MPI_Aint at = listed() ? -gap(member.type) : 0;
        for (const auto i : order) {
            if (shape_ == Shape::w) member = any_member();
            const auto origin = origins[i];
            const int count = movement_.units_in(origin.source, origin.target) * member.multiple;
            row.spots[i] = {origin, at, count, member.type};
            at += count * extent_of(member.type) + (listed() ? gap(member.type) : 0);
        }
        row.end = std::max<MPI_Aint>(at, 0);
        row.side = side(row.spots, extent_of(member.type), member.type);
        return row;
    }

private:
    bool listed() const { return shape_ == Shape::v || shape_ == Shape::w; }

    const TypeFamily::Member& any_member() {
        const auto& members = movement_.family->members;
        return members[rng_() % members.size()];
    }

    /// A multiple of the extent; for w a number of bytes that keeps doubles aligned and types with
    /// other bounds apart.
    MPI_Aint gap(MPI_Datatype type) {
        const auto some = static_cast<MPI_Aint>(rng_() % 3);
        return shape_ == Shape::w ? 128 + 16 * some : extent_of(type) * some;
    }

    Side side(const std::vector<Spot>& spots, MPI_Aint extent, MPI_Datatype type) const {
        Side side;
        side.types = {type};
        if (!listed()) {
            side.counts = {spots.empty() ? 0 : spots.front().count};
            return side;
        }
        if (shape_ == Shape::w) side.types.clear();
        for (const auto& spot : spots) {
            side.counts.push_back(spot.count);
            if (shape_ == Shape::w) side.types.push_back(spot.type);
            side.displs.push_back(shape_ == Shape::w || extent == 0 ? spot.at : spot.at / extent);
        }
        return side;
    }

    const Movement& movement_;
    Shape shape_;
    std::mt19937& rng_;
};

/// Arguments that must not be read: a negative count, the null type, no arrays.
inline Side garbage(std::optional<Shape> shape) {
    const bool listed = shape == Shape::v || shape == Shape::w;
    Side side;
    if (!listed) side.counts = {-7};
    if (shape != Shape::w) side.types = {MPI_DATATYPE_NULL};
    return side;
}

}  // namespace carpool::tests
