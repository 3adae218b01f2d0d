// SPDX-License-Identifier: MIT
#include "neighbor/host_form.hpp"

#include "host/host_collective.hpp"
#include "mpi/library.hpp"

#include <set>

namespace carpool::neighbor {

using host::HostCollective;
using host::HostSide;
using schedule::Operation;

#ifdef CARPOOL_MPI_HAS_PERSISTENT_COLLECTIVES

namespace {

/// True if a rank occurs twice in one of the lists.
bool repeats_a_peer(const topology::Adjacency& edges) {
    for (const auto* list : {&edges.out, &edges.in}) {
        std::set<int> peers;
        for (const auto& edge : *list)
            if (edge.peer != topology::no_rank && !peers.insert(edge.peer).second) return true;
    }
    return false;
}

bool lacks_a_side(const Topology& topology) {
    return topology.outdegree() == 0 || topology.indegree() == 0;
}

HostCollective::Init alltoall_on(MPI_Comm comm, const NeighborArguments& arguments) {
    const auto& recv = arguments.recv;
    if (recv.varying_types)
        return [comm](const HostSide& s, const HostSide& r, MPI_Request* request) {
            return MPI_Neighbor_alltoallw_init(
                s.buffer, s.counts.data(), s.bytes.data(), s.types.data(), r.buffer,
                r.counts.data(), r.bytes.data(), r.types.data(), comm, MPI_INFO_NULL, request);
        };
    if (recv.varying_counts())
        return [comm](const HostSide& s, const HostSide& r, MPI_Request* request) {
            return MPI_Neighbor_alltoallv_init(s.buffer, s.counts.data(), s.displs.data(), s.type,
                                               r.buffer, r.counts.data(), r.displs.data(), r.type,
                                               comm, MPI_INFO_NULL, request);
        };
    return [comm](const HostSide& s, const HostSide& r, MPI_Request* request) {
        return MPI_Neighbor_alltoall_init(s.buffer, s.count, s.type, r.buffer, r.count, r.type,
                                          comm, MPI_INFO_NULL, request);
    };
}

HostCollective::Init allgather_on(MPI_Comm comm, const NeighborArguments& arguments) {
    if (arguments.recv.varying_counts())
        return [comm](const HostSide& s, const HostSide& r, MPI_Request* request) {
            return MPI_Neighbor_allgatherv_init(s.buffer, s.count, s.type, r.buffer,
                                                r.counts.data(), r.displs.data(), r.type, comm,
                                                MPI_INFO_NULL, request);
        };
    return [comm](const HostSide& s, const HostSide& r, MPI_Request* request) {
        return MPI_Neighbor_allgather_init(s.buffer, s.count, s.type, r.buffer, r.count, r.type,
                                           comm, MPI_INFO_NULL, request);
    };
}

int sent_blocks(const Topology& topology, const NeighborArguments& arguments) {
    return arguments.operation == Operation::allgather ? 1 : topology.outdegree();
}

}  // namespace

/// MPI has no neighborhoods declared to Carpool, no reductions over neighbors, and no allgather
/// with several types. For a side without blocks, it may require a valid type. Open MPI's
/// persistent collectives mix up the blocks of two directions that lead to the same rank.
bool has_host_form(const Topology& topology, const NeighborArguments& arguments) {
    const auto& [operation, send, recv, op, overlap] = arguments;
    const bool gathers = operation == Operation::allgather;
    if (topology.declared() || schedule::reduces(operation)) return false;
    if (lacks_a_side(topology)) return false;
    if (mpi::is_open_mpi() && repeats_a_peer(topology.edges())) return false;
    return !(gathers && recv.varying_types) &&
           HostSide::fits(send, sent_blocks(topology, arguments)) &&
           HostSide::fits(recv, topology.indegree());
}

std::unique_ptr<engine::Communication> host_form(const Topology& topology,
                                                 const NeighborArguments& arguments, MPI_Comm comm,
                                                 bool rehearses) {
    const bool gathers = arguments.operation == Operation::allgather;
    return std::make_unique<HostCollective>(
        HostSide(arguments.send, sent_blocks(topology, arguments)),
        HostSide(arguments.recv, topology.indegree()), rehearses,
        gathers ? allgather_on(comm, arguments) : alltoall_on(comm, arguments));
}

#else

bool has_host_form(const Topology&, const NeighborArguments&) { return false; }

std::unique_ptr<engine::Communication> host_form(const Topology&, const NeighborArguments&,
                                                 MPI_Comm, bool) {
    return nullptr;
}

#endif

}  // namespace carpool::neighbor
