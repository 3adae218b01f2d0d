// SPDX-License-Identifier: MIT
#include "collectives/algorithm.hpp"

#include <algorithm>
#include <array>

namespace carpool::collectives {
namespace {

/// The algorithms of each kind, in the order of kinds.
constexpr std::array lists{barrier_algorithms, bcast_algorithms,     gather_algorithms,
                           scatter_algorithms, allgather_algorithms, alltoall_algorithms,
                           reduce_algorithms,  allreduce_algorithms, reduce_scatter_algorithms,
                           scan_algorithms,    exscan_algorithms};

}  // namespace

bool is_told_of(const Algorithm& algorithm, const Problem& problem) {
    return problem.nodes || !algorithm.by_node;
}

schedule::Schedule schedule_of(const Algorithm& algorithm, const Problem& problem, int rank) {
    Script script(problem, rank, algorithm.pieces(problem));
    algorithm.write(script);
    return script.take();
}

std::span<const Algorithm> algorithms(Kind kind) { return lists[static_cast<std::size_t>(kind)](); }

const Algorithm* find_algorithm(Kind kind, std::string_view name) {
    const auto all = algorithms(kind);
    const auto found = std::find_if(all.begin(), all.end(), [name](const Algorithm& algorithm) {
        return algorithm.name == name;
    });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace carpool::collectives
