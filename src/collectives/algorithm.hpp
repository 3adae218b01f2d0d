// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/problem.hpp"
#include "collectives/script.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace carpool::collectives {

/// An algorithm for one kind of collective.
struct Algorithm {
    Kind kind;
    std::string_view name;

    /// Whether the algorithm solves this problem.
    bool (*applies)(const Problem& problem);

    /// The number of pieces into which the algorithm cuts the block, if the kind has only one.
    int (*pieces)(const Problem& problem);

    /// Writes what the script's rank does.
    void (*write)(Script& script);

    /// The number of messages that all ranks together send if no block is empty.
    std::int64_t (*messages)(const Problem& problem);

    /// Blocks are forwarded by other ranks, which must learn their sizes if these differ.
    bool forwards = false;

    bool automatic = true;  ///< a candidate of "auto"
    bool by_node = false;   ///< works in stages within nodes and between nodes
};

/// False if the algorithm works by nodes and the problem has none: all ranks are on one node.
bool is_told_of(const Algorithm& algorithm, const Problem& problem);

/// The schedule of one rank. @pre the algorithm applies
schedule::Schedule schedule_of(const Algorithm& algorithm, const Problem& problem, int rank);

/// The algorithms of a kind, the simplest first; the first always applies.
std::span<const Algorithm> algorithms(Kind kind);

/// The algorithm of that name, or null if there is none.
const Algorithm* find_algorithm(Kind kind, std::string_view name);

std::span<const Algorithm> barrier_algorithms();
std::span<const Algorithm> bcast_algorithms();
std::span<const Algorithm> gather_algorithms();
std::span<const Algorithm> scatter_algorithms();
std::span<const Algorithm> allgather_algorithms();
std::span<const Algorithm> alltoall_algorithms();
std::span<const Algorithm> reduce_algorithms();
std::span<const Algorithm> allreduce_algorithms();
std::span<const Algorithm> reduce_scatter_algorithms();
std::span<const Algorithm> scan_algorithms();
std::span<const Algorithm> exscan_algorithms();

}  // namespace carpool::collectives
