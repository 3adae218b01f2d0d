// SPDX-License-Identifier: MIT
#include "neighbor/topology/mpi_topology.hpp"

#include "arguments/peer_list.hpp"
#include "mpi/error.hpp"

#include <string>
#include <utility>
#include <vector>

namespace carpool::neighbor {
namespace {

using mpi::check;

std::vector<topology::Edge> edges_to(const std::vector<int>& peers, MPI_Comm comm) {
    int size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    return arguments::edges_of({"number of neighbors of comm", "neighbors of comm",
                                static_cast<int>(peers.size()), peers.data()},
                               size);
}

topology::Adjacency graph_edges(MPI_Comm comm) {
    int rank = 0;
    int degree = 0;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    check(MPI_Graph_neighbors_count(comm, rank, &degree), "MPI_Graph_neighbors_count");
    std::vector<int> peers(static_cast<std::size_t>(degree));
    check(MPI_Graph_neighbors(comm, rank, degree, peers.data()), "MPI_Graph_neighbors");
    const auto edges = edges_to(peers, comm);
    return {edges, edges};
}

topology::Adjacency distributed_graph_edges(MPI_Comm comm) {
    int indegree = 0;
    int outdegree = 0;
    int weighted = 0;
    check(MPI_Dist_graph_neighbors_count(comm, &indegree, &outdegree, &weighted),
          "MPI_Dist_graph_neighbors_count");
    std::vector<int> sources(static_cast<std::size_t>(indegree));
    std::vector<int> targets(static_cast<std::size_t>(outdegree));
    std::vector<int> source_weights(sources.size());
    std::vector<int> target_weights(targets.size());
    check(MPI_Dist_graph_neighbors(comm, indegree, sources.data(),
                                   weighted != 0 ? source_weights.data() : MPI_UNWEIGHTED,
                                   outdegree, targets.data(),
                                   weighted != 0 ? target_weights.data() : MPI_UNWEIGHTED),
          "MPI_Dist_graph_neighbors");
    return {edges_to(targets, comm), edges_to(sources, comm)};
}

/// Lists neighbors in MPI's order: for each dimension the neighbor below, then the one above. Block
/// 2k goes down, and arrives from above at position 2k + 1 of its target, even if both neighbors
/// are the same rank.
MpiTopology cartesian(MPI_Comm comm) {
    int d = 0;
    check(MPI_Cartdim_get(comm, &d), "MPI_Cartdim_get");
    if (d == 0) return {};
    int rank = 0;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    const auto t = static_cast<std::size_t>(2 * d);
    std::vector<int> flat(t * static_cast<std::size_t>(d));
    topology::Isomorphism isomorphism{mpi::grid_of(comm), {1, {}}, {}, {}};
    for (int i = 0; i < 2 * d; ++i) {
        flat[static_cast<std::size_t>(i * d + i / 2)] = i % 2 == 0 ? -1 : 1;
        isomorphism.send_order.push_back(i);
        isomorphism.recv_order.push_back(i ^ 1);
    }
    isomorphism.neighborhood = {d, std::move(flat)};
    auto edges = topology::adjacency(isomorphism.grid, isomorphism.neighborhood, rank);
    for (std::size_t i = 0; i < t; i += 2) std::swap(edges.in[i], edges.in[i + 1]);
    return {std::move(edges), std::move(isomorphism)};
}

}  // namespace

MpiTopology read_topology(MPI_Comm comm) {
    switch (kind_of_topology(comm)) {
        case MPI_CART:
            return cartesian(comm);
        case MPI_GRAPH:
            return {graph_edges(comm), {}};
        default:
            return {distributed_graph_edges(comm), {}};
    }
}

void check_topology(MPI_Comm comm) {
    int kind = MPI_UNDEFINED;
    check(MPI_Topo_test(comm, &kind), "MPI_Topo_test");
    if (kind == MPI_UNDEFINED)
        throw mpi::Error(MPI_ERR_TOPOLOGY,
                         "comm has no neighborhood, expected a communicator made by "
                         "Carpool_Cart_neighborhood_create, Carpool_Iso_neighborhood_create, "
                         "MPI_Cart_create, MPI_Graph_create or MPI_Dist_graph_create");
}

}  // namespace carpool::neighbor
