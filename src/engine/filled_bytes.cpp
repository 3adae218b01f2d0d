// SPDX-License-Identifier: MIT
#include "engine/filled_bytes.hpp"

#include "base/expects.hpp"
#include "mpi/types/byte_range.hpp"

#include <algorithm>

namespace carpool::engine {
namespace {

std::span<const mpi::Run> runs_of(const mpi::Block& block) {
    const auto runs = block.shape.runs();
    CARPOOL_EXPECTS(runs.has_value());
    return *runs;
}

/// The pieces of a block, in the order of its bytes.
/// @param visit  called with the address and the length of each
template <typename Visit>
void for_each_piece(const mpi::Block& block, const Visit& visit) {
    for (const auto& run : runs_of(block))
        for (std::int64_t i = 0; i < run.repeat; ++i)
            visit(block.address + run.offset + i * run.stride, run.length);
}

}  // namespace

FilledBytes::FilledBytes(std::span<const FilledBlock> filled) {
    for (const auto& [block, mirrored] : filled) {
        auto next = mirrored;
        for_each_piece(*block, [&](const std::byte* first, std::int64_t length) {
            pieces_.push_back({first, first + length, next});
            next += length;
        });
    }
    std::ranges::sort(pieces_, {}, &Piece::first);
}

FilledBytes::Split FilledBytes::split(const mpi::Block& block, std::int64_t own) const {
    Split result;
    for_each_piece(block, [&](const std::byte* first, std::int64_t length) {
        const auto* const end = first + length;
        auto piece = std::ranges::upper_bound(pieces_, first, {}, &Piece::end);
        while (first != end) {
            const bool filled = piece != pieces_.end() && piece->first <= first;
            const auto* const until =
                piece == pieces_.end() ? end : std::min(end, filled ? piece->end : piece->first);
            const auto bytes = until - first;
            if (filled) {
                result.mirrored.append({piece->mirrored + (first - piece->first), bytes, 0, 1});
                ++piece;
            } else {
                result.own.append({first - block.address, bytes, 0, 1});
                result.mirrored.append({own, bytes, 0, 1});
                own += bytes;
            }
            first = until;
        }
    });
    return result;
}

bool ranges_overlap(const mpi::Block& a, const mpi::Block& b) {
    const auto one = mpi::byte_range(a.shape);
    const auto other = mpi::byte_range(b.shape);
    return a.address + one.first < b.address + other.end &&
           b.address + other.first < a.address + one.end;
}

}  // namespace carpool::engine
