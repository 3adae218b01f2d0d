// SPDX-License-Identifier: MIT
#include "arguments/shared_memory.hpp"

#include "base/element.hpp"
#include "mpi/error.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace carpool::arguments {
namespace {

/// Contiguous bytes, by their addresses.
struct Piece {
    std::intptr_t first;
    std::intptr_t end;
    int block;
    bool received;
};

std::intptr_t address_of(const mpi::Block& block) {
    return reinterpret_cast<std::intptr_t>(block.address);
}

/// The smallest range that contains all bytes of a side.
Piece bounds(std::span<const mpi::Block> blocks) {
    Piece all{std::numeric_limits<std::intptr_t>::max(), 0, 0, false};
    for (const auto& block : blocks) {
        if (block.shape.bytes() == 0) continue;
        const auto runs = block.shape.runs();
        if (!runs) continue;
        for (const auto& run : *runs) {
            const auto last = run.stride * (run.repeat - 1);
            const auto first = address_of(block) + run.offset;
            all.first = std::min(all.first, first + std::min<std::int64_t>(0, last));
            all.end = std::max(all.end, first + std::max<std::int64_t>(0, last) + run.length);
        }
    }
    return all;
}

void add_pieces(std::vector<Piece>& pieces, std::span<const mpi::Block> blocks, bool received,
                std::int64_t most) {
    const auto end = pieces.size() + static_cast<std::size_t>(most);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const auto& block = blocks[i];
        const auto runs = block.shape.runs();
        if (!runs) continue;
        for (const auto& run : *runs)
            for (std::int64_t k = 0; k < run.repeat && pieces.size() < end; ++k) {
                const auto first = address_of(block) + run.offset + k * run.stride;
                pieces.push_back({first, first + run.length, static_cast<int>(i), received});
            }
    }
}

std::string part(const Side& side, std::span<const mpi::Block> blocks, int i) {
    if (blocks.size() <= 1) return side.names.buffer;
    return "block " + std::to_string(base::callers_index(i)) + " of " + side.names.buffer;
}

/// The first two pieces, one of each side, that share a byte.
std::optional<std::pair<Piece, Piece>> shared(std::vector<Piece>& pieces) {
    std::sort(pieces.begin(), pieces.end(),
              [](const Piece& a, const Piece& b) { return a.first < b.first; });
    Piece longest[2] = {};  // per side, the piece that ends last
    for (const auto& piece : pieces) {
        const auto& other = longest[piece.received ? 0 : 1];
        if (piece.first < other.end)
            return piece.received ? std::pair(other, piece) : std::pair(piece, other);
        auto& own = longest[piece.received ? 1 : 0];
        if (piece.end > own.end) own = piece;
    }
    return std::nullopt;
}

}  // namespace

void check_disjoint(const Side& send, std::span<const mpi::Block> sent, const Side& recv,
                    std::span<const mpi::Block> received, std::int64_t most_pieces) {
    if (sent.empty() || received.empty()) return;
    const auto out = bounds(sent);
    const auto in = bounds(received);
    if (out.end <= in.first || in.end <= out.first) return;
    std::vector<Piece> pieces;
    add_pieces(pieces, sent, false, most_pieces);
    add_pieces(pieces, received, true, most_pieces);
    if (const auto both = shared(pieces))
        throw mpi::Error(MPI_ERR_BUFFER, part(send, sent, both->first.block) + " and " +
                                             part(recv, received, both->second.block) +
                                             " share memory, expected buffers of their own");
}

}  // namespace carpool::arguments
