#pragma once

#include "group/arguments.hpp"

#include <cstdint>
#include <optional>

namespace carpool::group {

/// What all ranks know of a call that ends once. Calls with the same, whatever their root, are
/// alike: their sizes lie within a factor of two, or are known to pairs of ranks alone.
struct KnownToAll {
    static constexpr std::int64_t known_to_pairs = -1;

    collectives::Kind kind;
    MPI_Op op = MPI_OP_NULL;
    std::int64_t block = 0;  ///< mean bytes, or known_to_pairs
    std::int64_t unit = 1;   ///< bytes of an element, between which blocks are cut
    bool sums = false;       ///< of numbers that may round

    std::uint64_t digest() const;
};

/// The same as the arguments alone say it. None where there is nothing to know, or something looks
/// wrong. Local, and cheap.
std::optional<KnownToAll> known_to_all(const Arguments& arguments, int rank, int ranks);

/// May MPI's own blocking collective stand for a call of which all know that? Not for sums, whose
/// bits would change from one call to the other.
bool may_be_at_host(const KnownToAll& known);

/// Are a side's counts and displacements as MPI's functions take them?
bool has_narrow_arrays(const Arguments& arguments);

}  // namespace carpool::group
