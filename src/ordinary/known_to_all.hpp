#pragma once

#include "ordinary/arguments.hpp"

#include <cstdint>
#include <optional>

namespace carpool::ordinary {

/// What all ranks know about a call, whatever their buffers and datatypes are. Calls with the same
/// digest have blocks whose sizes are within a factor of two, or whose sizes only pairs of ranks
/// know.
struct KnownToAll {
    static constexpr std::int64_t known_to_pairs = -1;

    collectives::Kind kind;
    bool count_per_rank = false;  ///< for the functions that end in v or w
    MPI_Op op = MPI_OP_NULL;
    int root = 0;
    std::int64_t block = 0;  ///< mean bytes of a block, or known_to_pairs
    std::int64_t unit = 1;   ///< bytes of an element; blocks are cut between elements
    bool sums = false;       ///< a reduction of numbers that may round

    /// Local: another rank may have another digest of the same call.
    std::uint64_t digest() const;
};

/// Reads it from the arguments; nothing if one of them is wrong. Local, and cheap.
std::optional<KnownToAll> known_to_all(const CollectiveArguments& arguments, int rank, int ranks);

}  // namespace carpool::ordinary
