// SPDX-License-Identifier: MIT
#pragma once

#include "graph_neighbors.hpp"
#include "handles.hpp"
#include "world.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace carpool::tests {

/// A communicator on which each rank has two neighbors, made in one of several ways.
struct Ring {
    std::string name;
    Comm comm;
    std::array<int, 2> sources;
};

inline Comm cartesian_ring() {
    const int dims[] = {world_size()}, periods[] = {1};
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm);
    return Comm(comm);
}

inline Comm graph_ring() {
    Neighbors n;
    n.targets = n.sources = {around(-1), around(1)};
    return distributed_graph(n);
}

inline Comm declared_ring() {
    const int dims[] = {world_size()}, periods[] = {1}, offsets[] = {-1, 1};
    MPI_Comm comm;
    Carpool_Cart_neighborhood_create(MPI_COMM_WORLD, 1, dims, periods, 2, offsets, MPI_UNWEIGHTED,
                                     MPI_INFO_NULL, 0, &comm);
    return Comm(comm);
}

inline std::vector<Ring> rings() {
    std::vector<Ring> all;
    all.push_back({"Cartesian", cartesian_ring(), {around(-1), around(1)}});
    all.push_back({"graph", graph_ring(), {around(-1), around(1)}});
    all.push_back({"declared", declared_ring(), {around(1), around(-1)}});
    for (auto& ring : all) MPI_Comm_set_errhandler(ring.comm, MPI_ERRORS_RETURN);
    return all;
}

/// The arguments of a call on a ring, right unless a test changes them.
struct RingCall {
    bool gathers;
    bool lists;
    int count = 1;
    MPI_Datatype type = MPI_INT;
    void* sendbuf;
};

struct RingBuffers {
    std::array<int, 8> send;
    std::array<int, 8> recv;

    explicit RingBuffers(int round) {
        send.fill(1000 * world_rank() + round);
        recv.fill(-1);
    }
};

inline int called(const RingCall& given, RingBuffers& buffers, MPI_Comm comm) {
    const int counts[] = {given.count, given.count}, displs[] = {0, 1};
    if (given.gathers)
        return given.lists
                   ? Carpool_Neighbor_allgatherv(given.sendbuf, given.count, given.type,
                                                 buffers.recv.data(), counts, displs, MPI_INT, comm)
                   : Carpool_Neighbor_allgather(given.sendbuf, given.count, given.type,
                                                buffers.recv.data(), 1, MPI_INT, comm);
    return given.lists
               ? Carpool_Neighbor_alltoallv(given.sendbuf, counts, displs, given.type,
                                            buffers.recv.data(), counts, displs, MPI_INT, comm)
               : Carpool_Neighbor_alltoall(given.sendbuf, given.count, given.type,
                                           buffers.recv.data(), given.count, MPI_INT, comm);
}

inline bool is_right(const RingBuffers& buffers, const Ring& ring, int round) {
    return buffers.recv[0] == 1000 * ring.sources[0] + round &&
           buffers.recv[1] == 1000 * ring.sources[1] + round;
}

}  // namespace carpool::tests
