#include "engine/copy_list.hpp"

#include "mpi/error.hpp"
#include "mpi/extent.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace carpool::engine {
namespace {

/// A fixed length lets the compiler turn memcpy into one load and one store.
template <std::size_t Length>
void copy_pieces(const std::byte* from, std::byte* to, std::int64_t from_stride,
                 std::int64_t to_stride, std::int64_t repeat) {
    for (std::int64_t i = 0; i < repeat; ++i)
        std::memcpy(to + i * to_stride, from + i * from_stride, Length);
}

/// MPI_Pack counts in int: elements one by one where a whole block does not fit.
template <typename Move>
void in_int_sized_parts(const mpi::Shape& shape, Move move) {
    constexpr std::int64_t most = std::int64_t{1} << 30;
    const auto element = shape.count() > 0 ? shape.bytes() / shape.count() : 0;
    if (element > most)
        throw mpi::Error(MPI_ERR_COUNT, "an element of " + std::to_string(element) +
                                            " bytes cannot be packed, expected at most 2^30");
    const auto at_once = element > 0 ? most / element : shape.count();
    for (std::int64_t first = 0; first < shape.count(); first += at_once)
        move(first, std::min(at_once, shape.count() - first), element);
}

}  // namespace

/// Blocks that lie evenly on both sides become one strip: stencils have long rows of them.
bool CopyList::join(Strip& last, const Strip& next) {
    if (next.repeat != 1) return false;
    if (last.repeat == 1 && last.from + last.length == next.from &&
        last.to + last.length == next.to) {
        last.length += next.length;
        return true;
    }
    if (last.length != next.length) return false;
    if (last.repeat == 1) {
        last.from_stride = next.from - last.from;
        last.to_stride = next.to - last.to;
    }
    if (next.from != last.from + last.repeat * last.from_stride ||
        next.to != last.to + last.repeat * last.to_stride)
        return false;
    ++last.repeat;
    return true;
}

void CopyList::add(Strip strip) {
    if (strip.length == 0 || strip.repeat == 0) return;
    if (strips_.empty() || !join(strips_.back(), strip)) strips_.push_back(strip);
}

void CopyList::gather(const mpi::Block& from, std::byte* to) {
    if (!from.shape->layout()) {
        packs_.push_back({from, to, true});
        return;
    }
    for (const auto& run : from.shape->layout()->runs()) {
        add({from.address + run.offset, to, run.length, run.stride, run.length, run.repeat});
        to += run.length * run.repeat;
    }
}

void CopyList::scatter(const std::byte* from, const mpi::Block& to) {
    if (!to.shape->layout()) {
        packs_.push_back({to, const_cast<std::byte*>(from), false});
        return;
    }
    for (const auto& run : to.shape->layout()->runs()) {
        add({from, to.address + run.offset, run.length, run.length, run.stride, run.repeat});
        from += run.length * run.repeat;
    }
}

void CopyList::contiguous(const std::byte* from, std::byte* to, std::int64_t bytes) {
    add({from, to, bytes, 0, 0, 1});
}

void CopyList::add(const CopyList& other) {
    for (const auto& strip : other.strips_) add(strip);
    packs_.insert(packs_.end(), other.packs_.begin(), other.packs_.end());
}

void CopyList::run(const Strip& s, const Shift& shift) {
    const auto* const from = s.from + shift.from;
    auto* const to = s.to + shift.to;
    switch (s.length) {
        case 4:
            return copy_pieces<4>(from, to, s.from_stride, s.to_stride, s.repeat);
        case 8:
            return copy_pieces<8>(from, to, s.from_stride, s.to_stride, s.repeat);
        case 16:
            return copy_pieces<16>(from, to, s.from_stride, s.to_stride, s.repeat);
        default:
            for (std::int64_t i = 0; i < s.repeat; ++i)
                std::memcpy(to + i * s.to_stride, from + i * s.from_stride,
                            static_cast<std::size_t>(s.length));
    }
}

void CopyList::run(const Pack& pack, const Shift& shift) {
    const auto& shape = *pack.block.shape;
    in_int_sized_parts(shape, [&](std::int64_t first, std::int64_t count, std::int64_t element) {
        std::byte* block = pack.block.address + first * mpi::extent_of(shape.type());
        std::byte* bytes = pack.bytes + (pack.gathers ? shift.to : shift.from) + first * element;
        const int size = static_cast<int>(count * element);
        int position = 0;
        if (pack.gathers)
            mpi::check(MPI_Pack(block, static_cast<int>(count), shape.type(), bytes, size,
                                &position, MPI_COMM_SELF),
                       "MPI_Pack");
        else
            mpi::check(MPI_Unpack(bytes, size, &position, block, static_cast<int>(count),
                                  shape.type(), MPI_COMM_SELF),
                       "MPI_Unpack");
    });
}

}  // namespace carpool::engine
