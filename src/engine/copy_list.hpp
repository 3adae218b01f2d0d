#pragma once

#include "mpi/types/shape.hpp"

#include <cstddef>
#include <cstdint>
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

    /// Forgets all copies, but keeps the memory for them.
    void clear() {
        strips_.clear();
        packs_.clear();
    }

    /// The distance of each side from where it was when its copy was added.
    struct Shift {
        std::ptrdiff_t from = 0;
        std::ptrdiff_t to = 0;
    };

    void run(const Shift& shift = {0, 0}) const {
        for (const auto& strip : strips_) run(strip, shift);
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

    static bool join(Strip& last, const Strip& next);
    void add(Strip strip);
    static void run(const Strip& strip, const Shift& shift);
    static void run(const Pack& pack, const Shift& shift);

    std::vector<Strip> strips_;
    std::vector<Pack> packs_;
};

}  // namespace carpool::engine
