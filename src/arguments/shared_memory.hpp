#pragma once

#include "arguments/side.hpp"
#include "mpi/shape.hpp"

#include <cstdint>
#include <span>

namespace carpool::arguments {

/// As many pieces of a side as are worth looking at once, before many exchanges.
constexpr std::int64_t many_pieces = 1 << 14;

/// Throws MPI_ERR_BUFFER if a byte that is sent is received too, which MPI forbids: what comes may
/// overwrite what has not left. Parts of one array that only lie between each other are two.
/// @param most_pieces  of each side; of more the first ones are looked at
void check_disjoint(const Side& send, std::span<const mpi::Block> sent, const Side& recv,
                    std::span<const mpi::Block> received, std::int64_t most_pieces);

}  // namespace carpool::arguments
