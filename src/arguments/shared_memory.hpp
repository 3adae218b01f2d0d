// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/side.hpp"
#include "mpi/types/shape.hpp"

#include <cstdint>
#include <span>

namespace carpool::arguments {

/// How many pieces of a side are worth checking, if it is done once before many exchanges.
constexpr std::int64_t many_pieces = 1 << 14;

/// What is done about memory that is both sent and received.
enum class Overlap {
    refused,
    refused_where_equal,  ///< only where a rank's own blocks of both sides begin at one address
    accepted,             ///< what arrives there is undefined, as in MPI
};

/// Throws MPI_ERR_BUFFER if a byte is both sent and received, which MPI forbids: a block that
/// arrives may overwrite one that has not been sent yet. Interleaved parts of one array are
/// allowed.
/// @param most_pieces  how many pieces of each side are checked, from the first one on
void check_disjoint(const Side& send, std::span<const mpi::Block> sent, const Side& recv,
                    std::span<const mpi::Block> received, std::int64_t most_pieces);

}  // namespace carpool::arguments
