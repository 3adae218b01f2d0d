// SPDX-License-Identifier: MIT
#include "carpool/carpool.h"

#include "api/guarded.hpp"
#include "arguments/known_keys.hpp"
#include "neighbor/topology/create.hpp"
#include "neighbor/topology/create_graph.hpp"
#include "neighbor/topology/topology.hpp"
#include "report/note_made.hpp"

#include <algorithm>
#include <span>
#include <string>

using namespace carpool;

namespace {

std::shared_ptr<neighbor::Topology> topology_of(MPI_Comm cartcomm) {
    api::check_comm(cartcomm, "cartcomm");
    return neighbor::Topology::declared(cartcomm);
}

/// The rank at the coordinates of the caller plus sign * relative.
int relative_rank(const neighbor::Topology& topology, const int* relative, int sign) {
    const auto& grid = topology.definition().grid();
    const auto d = static_cast<std::size_t>(grid.dimensions());
    const int rank = grid.rank_at(grid.coordinates(topology.rank()), std::span(relative, d), sign);
    return rank == topology::no_rank ? MPI_PROC_NULL : rank;
}

void check_most(const char* name, int most) {
    if (most < 0)
        throw mpi::Error(MPI_ERR_ARG, std::string(name) + " is " + std::to_string(most) +
                                          ", expected at least 0");
}

void copy_weights(const neighbor::Topology& topology, int count, int* weights) {
    if (weights == MPI_UNWEIGHTED || weights == nullptr) return;
    const auto& given = topology.definition().weights;
    for (int i = 0; i < count; ++i)
        weights[i] = given.empty() ? 1 : given[static_cast<std::size_t>(i)];
}

/// One side of Carpool_Cart_neighbor_get.
template <typename Neighbor>
void copy_neighbors(const neighbor::Topology& topology, int most, int* ranks, int* weights,
                    Neighbor neighbor) {
    const int count = std::min(most, topology.outdegree());
    for (int i = 0; i < count; ++i) {
        const int rank = neighbor(i);
        ranks[i] = rank == topology::no_rank ? MPI_PROC_NULL : rank;
    }
    copy_weights(topology, count, weights);
}

}  // namespace

int Carpool_Cart_neighborhood_create(MPI_Comm comm, int d, const int dims[], const int periods[],
                                     int t, const int targetrelative[], const int weight[],
                                     MPI_Info info, int reorder, MPI_Comm* cartcomm) {
    return api::guarded(__func__, comm, [&] {
        api::check_comm(comm, "comm");
        api::check_not_null("cartcomm", cartcomm, "the address of a communicator");
        arguments::warn_of_unknown_keys(info, comm);
        *cartcomm = neighbor::create_cart(
            comm, {d, dims, periods, t, targetrelative, weight, info, reorder});
        report::note_made("Carpool_Cart_neighborhood_create", comm, *cartcomm);
    });
}

int Carpool_Iso_neighborhood_create(MPI_Comm cartcomm, int s, const int relative_coordinates[],
                                    MPI_Comm* isocomm) {
    return api::guarded(__func__, cartcomm, [&] {
        api::check_comm(cartcomm, "cartcomm");
        api::check_not_null("isocomm", isocomm, "the address of a communicator");
        *isocomm = neighbor::create_iso(cartcomm, s, relative_coordinates);
        report::note_made("Carpool_Iso_neighborhood_create", cartcomm, *isocomm);
    });
}

int Carpool_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[],
                                       const int sourceweights[], int outdegree,
                                       const int destinations[], const int destweights[],
                                       MPI_Info info, int reorder, MPI_Comm* comm_dist_graph) {
    return api::guarded(__func__, comm_old, [&] {
        api::check_comm(comm_old, "comm_old");
        api::check_not_null("comm_dist_graph", comm_dist_graph, "the address of a communicator");
        arguments::warn_of_unknown_keys(info, comm_old);
        *comm_dist_graph = neighbor::create_graph(
            comm_old,
            {{"indegree", "sources", "sourceweights", indegree, sources, sourceweights},
             {"outdegree", "destinations", "destweights", outdegree, destinations, destweights},
             info,
             reorder});
        report::note_made("Carpool_Dist_graph_create_adjacent", comm_old, *comm_dist_graph);
    });
}

int Carpool_Cart_relative_rank(MPI_Comm cartcomm, const int relative[], int* rank) {
    return api::guarded(__func__, cartcomm, [&] {
        const auto topology = topology_of(cartcomm);
        api::check_not_null("relative", relative, "an array");
        *rank = relative_rank(*topology, relative, 1);
    });
}

int Carpool_Cart_relative_shift(MPI_Comm cartcomm, const int relative[], int* inrank,
                                int* outrank) {
    return api::guarded(__func__, cartcomm, [&] {
        const auto topology = topology_of(cartcomm);
        api::check_not_null("relative", relative, "an array");
        *inrank = relative_rank(*topology, relative, -1);
        *outrank = relative_rank(*topology, relative, 1);
    });
}

int Carpool_Cart_relative_coord(MPI_Comm cartcomm, int rank, int relative[]) {
    return api::guarded(__func__, cartcomm, [&] {
        const auto topology = topology_of(cartcomm);
        const auto& grid = topology->definition().grid();
        if (rank < 0 || rank >= grid.size())
            throw mpi::Error(MPI_ERR_RANK, "rank is " + std::to_string(rank) +
                                               ", expected at least 0 and less than " +
                                               std::to_string(grid.size()));
        api::check_not_null("relative", relative, "an array");
        const auto offset = grid.offset_between(topology->rank(), rank);
        std::copy(offset.begin(), offset.end(), relative);
    });
}

int Carpool_Cart_neighbor_count(MPI_Comm cartcomm, int* t) {
    return api::guarded(__func__, cartcomm, [&] { *t = topology_of(cartcomm)->outdegree(); });
}

int Carpool_Cart_neighbor_get(MPI_Comm cartcomm, int maxin, int source[], int sourceweight[],
                              int maxout, int target[], int targetweight[]) {
    return api::guarded(__func__, cartcomm, [&] {
        const auto topology = topology_of(cartcomm);
        check_most("maxin", maxin);
        check_most("maxout", maxout);
        copy_neighbors(*topology, maxin, source, sourceweight,
                       [&](int i) { return topology->source(i); });
        copy_neighbors(*topology, maxout, target, targetweight,
                       [&](int i) { return topology->target(i); });
    });
}

int Carpool_Cart_neighbor_offsets(MPI_Comm cartcomm, int maxoffsets, int targetrelative[]) {
    return api::guarded(__func__, cartcomm, [&] {
        const auto topology = topology_of(cartcomm);
        check_most("maxoffsets", maxoffsets);
        const auto& neighborhood = topology->definition().neighborhood();
        for (int i = 0; i < std::min(maxoffsets, neighborhood.size()); ++i)
            std::copy(neighborhood[i].begin(), neighborhood[i].end(),
                      targetrelative + static_cast<std::ptrdiff_t>(i) * neighborhood.dimensions());
    });
}
