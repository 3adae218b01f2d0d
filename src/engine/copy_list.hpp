// SPDX-License-Identifier: MIT
#pragma once

#include "engine/scattered_pieces.hpp"
#include "mpi/types/shape.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::engine {

/// Copies that are fixed at init and run at every start: packing, unpacking, and copies of blocks
/// that stay on this rank.
class CopyList {
public:
    /// Adds a copy from a user's block to contiguous bytes.
    void gather(const mpi::Block& from, std::byte* to);

    /// Adds a copy from contiguous bytes to a user's block.
    void scatter(const std::byte* from, const mpi::Block& to);

    void contiguous(const std::byte* from, std::byte* to, std::int64_t bytes);

    /// Adds a copy from one block to another of the same size. Returns false and adds nothing if
    /// only MPI can read one of them, or if their pieces match so badly that each would need a
    /// strip of its own.
    bool copy(const mpi::Block& from, const mpi::Block& to);

    void add(const CopyList& other);

    /// Stores short strips that gather or scatter as one offset per piece, which is read faster. To
    /// be called when all copies have been added.
    void compact();

    /// Forgets all copies, but keeps the memory for them.
    void clear() {
        strips_.clear();
        pieces_.clear();
        packs_.clear();
    }

    /// The distance of each side from where it was when its copy was added.
    struct Shift {
        std::ptrdiff_t from = 0;
        std::ptrdiff_t to = 0;
    };

    void run(const Shift& shift = {0, 0}) const {
        for (const auto& strip : strips_) run(strip, shift);
        pieces_.run(shift.from, shift.to);
        for (const auto& pack : packs_) run(pack, shift);
    }

private:
    /// `repeat` pieces of `length` bytes; each side has a stride of its own.
    struct Strip {
        const std::byte* from;
        std::byte* to;
        std::int64_t length;
        std::int64_t from_stride;
        std::int64_t to_stride;
        std::int64_t repeat;
    };

    /// A block whose type only MPI can read.
    struct Pack {
        mpi::Block block;
        std::byte* bytes;
        bool gathers;
    };

    using Strips = std::span<const Strip>;

    static bool join(Strip& last, const Strip& next);
    static bool is_short(ScatteredPieces::Side scattered, const Strip& strip, std::int64_t length);
    static bool follows(ScatteredPieces::Side scattered, const Strip& last, const Strip& next);
    static Strips first_scattered(ScatteredPieces::Side scattered, Strips strips);
    bool take_pieces(ScatteredPieces::Side scattered, Strips& strips);
    void add(Strip strip);
    static void run(const Strip& strip, const Shift& shift);
    static void run(const Pack& pack, const Shift& shift);

    std::vector<Strip> strips_;
    ScatteredPieces pieces_;
    std::vector<Pack> packs_;
};

}  // namespace carpool::engine
