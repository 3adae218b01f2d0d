// SPDX-License-Identifier: MIT
#pragma once

#include "checked_exchange.hpp"
#include "graph_neighbors.hpp"
#include "grid_cases.hpp"
#include "patterns.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <string>

namespace carpool::tests {

/// The neighbors of a pattern without those off a mesh. Each list is shuffled by itself.
inline Neighbors shuffled(const Torus& torus, const Pattern& pattern, std::mt19937& rng) {
    const auto all = neighbors_of(world_rank(), torus, pattern);
    Neighbors n;
    for (const int target : all.targets)
        if (target != MPI_PROC_NULL) n.targets.push_back(target);
    for (const int source : all.sources)
        if (source != MPI_PROC_NULL) n.sources.push_back(source);
    std::shuffle(n.targets.begin(), n.targets.end(), rng);
    std::shuffle(n.sources.begin(), n.sources.end(), rng);
    n.target_tags = occurrences(n.targets);
    n.source_tags = occurrences(n.sources);
    return n;
}

/// Checks every operation once in every form against the oracle.
inline void check_all_operations(const std::string& what, const Neighbors& n, MPI_Comm comm) {
    for (Operation operation : operations) {
        CheckedExchange exchange(along_edges(operation, n, world_rank()), n);
        for (const Form form : forms) {
            const auto fault = run_once(exchange, form, comm);
            BOOST_TEST(fault.empty(), what << ", " << name_of(operation) << ", " << name_of(form)
                                           << ": " << fault);
        }
    }
}

}  // namespace carpool::tests
