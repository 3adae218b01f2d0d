#pragma once

#include "group/arguments.hpp"

#include <cstdint>
#include <optional>

namespace carpool::group {

/// What all ranks know of a call, whatever their buffers and datatypes. Calls of one digest are
/// alike: their blocks have sizes within a factor of two, or sizes that only pairs of ranks know.
struct KnownToAll {
    static constexpr std::int64_t known_to_pairs = -1;

    collectives::Kind kind;
    bool count_per_rank = false;  ///< one of the functions that end in v or w
    MPI_Op op = MPI_OP_NULL;
    int root = 0;
    std::int64_t block = 0;  ///< mean bytes, or known_to_pairs
    std::int64_t unit = 1;   ///< bytes of an element, between which blocks are cut
    bool sums = false;       ///< numbers that may round are added

    std::uint64_t digest() const;
};

/// Reads it from the arguments; none if one of them is mistaken. Local, and cheap.
std::optional<KnownToAll> known_to_all(const CollectiveArguments& arguments, int rank, int ranks);

}  // namespace carpool::group
