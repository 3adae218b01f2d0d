#pragma once

#include "collectives/problem.hpp"
#include "collectives/script.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace carpool::collectives {

/// One way to do a collective.
struct Algorithm {
    Kind kind;
    std::string_view name;

    /// Does it solve this problem?
    bool (*applies)(const Problem& problem);

    /// Into how many pieces it cuts the one block that there is.
    int (*pieces)(const Problem& problem);

    /// Writes the part of the script's rank.
    void (*write)(Script& script);

    /// What all ranks together send, where no block is empty.
    std::int64_t (*messages)(const Problem& problem);

    /// Blocks rest on other ranks on their way, which must learn the sizes of those that differ.
    bool forwards = false;

    bool automatic = true;  ///< a candidate of "auto"
    bool by_node = false;   ///< in stages within nodes and between them: for more than one node
};

/// Does the problem tell of nodes, if the algorithm goes by them?
bool is_told_of(const Algorithm& algorithm, const Problem& problem);

/// What one rank does. @pre the algorithm applies
schedule::Schedule schedule_of(const Algorithm& algorithm, const Problem& problem, int rank);

/// Of a kind, the simplest first; that one always applies.
std::span<const Algorithm> algorithms(Kind kind);

/// Null if there is none of that name.
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
