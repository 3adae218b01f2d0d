// SPDX-License-Identifier: MIT
#include "levels.hpp"

#include "comm.hpp"

#include <unistd.h>

#include <algorithm>

namespace tune {
namespace {

constexpr int fewest_ranks = 3;  // with two, a message and a phase cost the same

/// A communicator of ranks with the same place on their nodes, one of each node.
MPI_Comm across(MPI_Comm world, MPI_Comm node) {
    MPI_Comm comm = MPI_COMM_NULL;
    const bool everywhere = rank_in(node) < least(size_of(node), world);
    MPI_Comm_split(world, everywhere ? rank_in(node) : MPI_UNDEFINED, rank_in(world), &comm);
    return comm;
}

}  // namespace

std::vector<Level> levels_of(MPI_Comm world) {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    const double cores = std::max(1.0, static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN)));
    const double ranks_per_core = std::max(1.0, most(size_of(node), world) / cores);
    std::vector<Level> levels;
    if (least(size_of(node), world) >= fewest_ranks)
        levels = {{"by_mpi", "mpi", node, ranks_per_core},
                  {"through_memory", "shared", node, ranks_per_core}};
    const auto between = across(world, node);
    const double nodes = most(between == MPI_COMM_NULL ? 0 : size_of(between), world);
    if (nodes >= fewest_ranks) levels.push_back({"between_nodes", "auto", between, ranks_per_core});
    return levels;
}

}  // namespace tune
