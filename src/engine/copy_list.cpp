// SPDX-License-Identifier: MIT
#include "engine/copy_list.hpp"

#include "mpi/error.hpp"
#include "mpi/types/extent.hpp"
#include "mpi/use.hpp"

#include <algorithm>
#include <cstring>
#include <span>
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

/// A position in the bytes of a block, in the order of its type map.
class Cursor {
public:
    Cursor(std::byte* block, std::span<const mpi::Run> runs) : block_(block), runs_(runs) {}

    bool at_end() const { return run_ == runs_.size(); }
    std::byte* address() const { return block_ + run().offset + piece_ * run().stride + within_; }

    /// The bytes left of the piece.
    std::int64_t left() const { return run().length - within_; }

    /// How many pieces of that length, evenly spaced, the run yields from here on.
    std::int64_t even_pieces(std::int64_t length) const {
        if (length < left()) return left() / length;
        return within_ == 0 ? run().repeat - piece_ : 1;
    }

    std::int64_t stride(std::int64_t length) const {
        return length < left() ? length : run().stride;
    }

    void skip(std::int64_t bytes) {
        within_ += bytes;
        piece_ += within_ / run().length;
        within_ %= run().length;
        if (piece_ < run().repeat) return;
        ++run_;
        piece_ = 0;
    }

private:
    const mpi::Run& run() const { return runs_[run_]; }

    std::byte* block_;
    std::span<const mpi::Run> runs_;
    std::size_t run_ = 0;
    std::int64_t piece_ = 0;
    std::int64_t within_ = 0;
};

/// MPI_Pack takes int counts: a block that does not fit is packed in groups of elements.
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
    const auto runs = from.shape.runs();
    if (!runs) {
        packs_.push_back({from, to, true});
        return;
    }
    for (const auto& run : *runs) {
        add({from.address + run.offset, to, run.length, run.stride, run.length, run.repeat});
        to += run.length * run.repeat;
    }
}

void CopyList::scatter(const std::byte* from, const mpi::Block& to) {
    const auto runs = to.shape.runs();
    if (!runs) {
        packs_.push_back({to, const_cast<std::byte*>(from), false});
        return;
    }
    for (const auto& run : *runs) {
        add({from, to.address + run.offset, run.length, run.length, run.stride, run.repeat});
        from += run.length * run.repeat;
    }
}

bool CopyList::copy(const mpi::Block& from, const mpi::Block& to) {
    constexpr std::int64_t ample_bytes = 256;
    const auto from_runs = from.shape.runs();
    const auto to_runs = to.shape.runs();
    if (!from_runs || !to_runs) return false;
    const auto before = strips_.size();
    const auto last = strips_.empty() ? Strip{} : strips_.back();  // add() may lengthen it
    const auto most = before + from_runs->size() + to_runs->size() +
                      static_cast<std::size_t>(from.shape.bytes() / ample_bytes);
    Cursor read(from.address, *from_runs);
    Cursor write(to.address, *to_runs);
    while (!read.at_end() && !write.at_end() && strips_.size() <= most) {
        const auto length = std::min(read.left(), write.left());
        const auto repeat = std::min(read.even_pieces(length), write.even_pieces(length));
        add({read.address(), write.address(), length, read.stride(length), write.stride(length),
             repeat});
        read.skip(length * repeat);
        write.skip(length * repeat);
    }
    if (read.at_end()) return true;
    strips_.resize(before);
    if (before > 0) strips_.back() = last;
    return false;
}

void CopyList::contiguous(const std::byte* from, std::byte* to, std::int64_t bytes) {
    add({from, to, bytes, 0, 0, 1});
}

/// Whether a strip is a few pieces of this length, one behind the other on the side that is not
/// scattered.
bool CopyList::is_short(ScatteredPieces::Side scattered, const Strip& strip, std::int64_t length) {
    // more offsets would take more memory than the strip
    constexpr std::int64_t most_pieces_per_strip = sizeof(Strip) / sizeof(std::int64_t);
    const auto dense_stride =
        scattered == ScatteredPieces::Side::read ? strip.to_stride : strip.from_stride;
    return strip.length % length == 0 &&
           strip.length * strip.repeat <= most_pieces_per_strip * length &&
           (strip.repeat == 1 || dense_stride == strip.length);
}

/// Whether a strip comes behind the one before it on the side that is not scattered.
bool CopyList::follows(ScatteredPieces::Side scattered, const Strip& last, const Strip& next) {
    const auto bytes = last.length * last.repeat;
    return scattered == ScatteredPieces::Side::read ? next.to == last.to + bytes
                                                    : next.from == last.from + bytes;
}

/// The first strips that are worth storing piece by piece; none if these are few.
CopyList::Strips CopyList::first_scattered(ScatteredPieces::Side scattered, Strips strips) {
    constexpr std::size_t least_strips = 4;  // a group alone takes as much memory as a strip
    const auto length = strips.front().length;
    std::size_t number = 0;
    while (number < strips.size() && is_short(scattered, strips[number], length) &&
           (number == 0 || follows(scattered, strips[number - 1], strips[number])))
        ++number;
    return strips.first(number < least_strips ? 0 : number);
}

/// Moves the first strips to pieces_ if they are worth it.
bool CopyList::take_pieces(ScatteredPieces::Side scattered, Strips& strips) {
    const auto taken = first_scattered(scattered, strips);
    if (taken.empty()) return false;
    const auto& first = taken.front();
    const bool reads = scattered == ScatteredPieces::Side::read;
    pieces_.begin_group(scattered, first.from, first.to, first.length);
    for (const auto& strip : taken) {
        const auto offset = reads ? strip.from - first.from : strip.to - first.to;
        const auto stride = reads ? strip.from_stride : strip.to_stride;
        for (std::int64_t i = 0; i < strip.repeat; ++i)
            for (std::int64_t at = 0; at < strip.length; at += first.length)
                pieces_.add_piece(offset + i * stride + at);
    }
    strips = strips.subspan(taken.size());
    return true;
}

void CopyList::compact() {
    std::size_t kept = 0;
    for (Strips rest(strips_); !rest.empty();) {
        if (take_pieces(ScatteredPieces::Side::read, rest) ||
            take_pieces(ScatteredPieces::Side::written, rest))
            continue;
        strips_[kept++] = rest.front();
        rest = rest.subspan(1);
    }
    strips_.resize(kept);
}

void CopyList::add(const CopyList& other) {
    for (const auto& strip : other.strips_) add(strip);
    pieces_.append(other.pieces_);
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
    const auto& shape = pack.block.shape;
    in_int_sized_parts(shape, [&](std::int64_t first, std::int64_t count, std::int64_t element) {
        std::byte* block = pack.block.address + first * mpi::extent_of(shape.type());
        std::byte* bytes = pack.bytes + (pack.gathers ? shift.to : shift.from) + first * element;
        const int size = static_cast<int>(count * element);
        int position = 0;
        if (pack.gathers)
            mpi::check(MPI_Pack(block, static_cast<int>(count), shape.type(), bytes, size,
                                &position, mpi::Use::own_comm()),
                       "MPI_Pack");
        else
            mpi::check(MPI_Unpack(bytes, size, &position, block, static_cast<int>(count),
                                  shape.type(), mpi::Use::own_comm()),
                       "MPI_Unpack");
    });
}

}  // namespace carpool::engine
