// SPDX-License-Identifier: MIT
#pragma once

#include "blocks.hpp"
#include "check.hpp"
#include "handle.hpp"
#include "operation.hpp"
#include "pattern.hpp"
#include "torus.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <array>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// What is measured: a pattern, an operation and its base size in bytes.
struct Case {
    std::string name;
    Pattern pattern;
    const Operation* operation = nullptr;
    std::int64_t base = 0;
};

/// The case with a name such as grid-d3-n5/alltoall/40.
inline Case case_named(const std::string& name) {
    std::istringstream words(name);
    std::string pattern, operation, base;
    std::getline(words, pattern, '/');
    std::getline(words, operation, '/');
    std::getline(words, base, '/');
    if (base.empty()) throw std::runtime_error("a case reads pattern/operation/bytes, not " + name);
    return {name, pattern_named(pattern), &operation_named(operation), std::stoll(base)};
}

/// An info object that holds the given keys.
inline Info info_with(const std::vector<std::pair<std::string, std::string>>& keys) {
    MPI_Info info = MPI_INFO_NULL;
    check(MPI_Info_create(&info));
    for (const auto& [key, value] : keys) check(MPI_Info_set(info, key.c_str(), value.c_str()));
    return Info(info);
}

/// A communicator with the neighborhood attached.
/// @note Collective
inline Communicator neighborhood(MPI_Comm comm, const Torus& torus, const Pattern& pattern,
                                 const Info& info) {
    const std::vector<int> periods(torus.dims.size(), 1);
    MPI_Comm result = MPI_COMM_NULL;
    check(Carpool_Cart_neighborhood_create(comm, pattern.dimensions, torus.dims.data(),
                                           periods.data(), pattern.neighbors(), pattern.flat.data(),
                                           MPI_UNWEIGHTED, info.get(), 0, &result));
    check(MPI_Comm_set_errhandler(result, MPI_ERRORS_RETURN));
    return Communicator(result);
}

/// The same neighborhood as a graph communicator of the host MPI, from Carpool's lists of sources
/// and targets. Its base is the plain communicator with the same ranks as cartcomm: on a Cartesian
/// one Open MPI's collectives take the graph for a grid and crash (ompi#14438).
/// @note Collective
inline Communicator host_graph(MPI_Comm comm, MPI_Comm cartcomm) {
    int t = 0;
    check(Carpool_Cart_neighbor_count(cartcomm, &t));
    const auto length = static_cast<std::size_t>(t);
    std::vector<int> sources(length), targets(length), weights(length);
    check(Carpool_Cart_neighbor_get(cartcomm, t, sources.data(), weights.data(), t, targets.data(),
                                    weights.data()));
    MPI_Comm result = MPI_COMM_NULL;
    check(MPI_Dist_graph_create_adjacent(comm, t, sources.data(), MPI_UNWEIGHTED, t, targets.data(),
                                         MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &result));
    check(MPI_Comm_set_errhandler(result, MPI_ERRORS_RETURN));
    return Communicator(result);
}

inline std::vector<std::int64_t> block_sizes(const Case& c) {
    std::vector<std::int64_t> sizes;
    for (int i = 0; i < c.pattern.neighbors(); ++i)
        sizes.push_back(c.operation->block_bytes(c.pattern.offset(i), c.base));
    return sizes;
}

/// One case set up on a communicator, with everything that its contenders share, such as buffers.
struct Scene {
    Case what;
    MPI_Comm world;
    int rank = 0;
    Torus torus;
    Blocks blocks;
    Communicator plain;    // Carpool with default settings
    Communicator checked;  // Carpool, where all ranks check every blocking call
    Communicator host;

    /// @note Collective
    Scene(MPI_Comm comm, Case c)
        : what(std::move(c)),
          world(comm),
          torus(torus_of(comm, what.pattern.dimensions)),
          blocks(blocks_of(block_sizes(what), what.operation->shared)),
          plain(neighborhood(comm, torus, what.pattern, info_with({}))),
          checked(neighborhood(comm, torus, what.pattern, info_with({{"carpool_check", "all"}}))),
          host(host_graph(comm, plain.get())) {
        check(MPI_Comm_rank(comm, &rank));
        fill_send(blocks, rank);
    }
};

}  // namespace bench
