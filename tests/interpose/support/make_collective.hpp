// SPDX-License-Identifier: MIT
#pragma once

#include "collective.hpp"

#include <mpi.h>

namespace interposed {

/// The functions of a collective in its three forms.
template <typename Blocking, typename Nonblocking, typename Persistent>
struct Functions {
    Blocking blocking;
    Nonblocking nonblocking;
    Persistent persistent;
};
template <typename Blocking, typename Nonblocking, typename Persistent>
Functions(Blocking, Nonblocking, Persistent) -> Functions<Blocking, Nonblocking, Persistent>;

// MPI's functions of a collective, which may be Carpool's, and the host's own.
#define BOTH_LIBRARIES(Name, name)                                     \
    Functions{MPI_##Name, MPI_I##name, MPI_##Name##_init}, Functions { \
        PMPI_##Name, PMPI_I##name, PMPI_##Name##_init                  \
    }

/// Calls `enter(MPI's functions, the host's, arguments...)` with the arguments of a call up to its
/// communicator.
template <typename Enter>
int entered(const CollectiveCall& c, const Enter& enter) {
    const Side &s = c.send, &r = c.recv;
    const void* const from = s.buffer;
    void* const into = r.buffer;
    const int root = c.root;
    switch (c.what) {
        case Collective::barrier:
            return enter(BOTH_LIBRARIES(Barrier, barrier));
        case Collective::bcast:
            return enter(BOTH_LIBRARIES(Bcast, bcast), into, r.count(), r.type(), root);
        case Collective::gather:
            return enter(BOTH_LIBRARIES(Gather, gather), from, s.count(), s.type(), into, r.count(),
                         r.type(), root);
        case Collective::gatherv:
            return enter(BOTH_LIBRARIES(Gatherv, gatherv), from, s.count(), s.type(), into,
                         r.counts.data(), r.displs.data(), r.type(), root);
        case Collective::scatter:
            return enter(BOTH_LIBRARIES(Scatter, scatter), from, s.count(), s.type(), into,
                         r.count(), r.type(), root);
        case Collective::scatterv:
            return enter(BOTH_LIBRARIES(Scatterv, scatterv), from, s.counts.data(), s.displs.data(),
                         s.type(), into, r.count(), r.type(), root);
        case Collective::allgather:
            return enter(BOTH_LIBRARIES(Allgather, allgather), from, s.count(), s.type(), into,
                         r.count(), r.type());
        case Collective::allgatherv:
            return enter(BOTH_LIBRARIES(Allgatherv, allgatherv), from, s.count(), s.type(), into,
                         r.counts.data(), r.displs.data(), r.type());
        case Collective::alltoall:
            return enter(BOTH_LIBRARIES(Alltoall, alltoall), from, s.count(), s.type(), into,
                         r.count(), r.type());
        case Collective::alltoallv:
            return enter(BOTH_LIBRARIES(Alltoallv, alltoallv), from, s.counts.data(),
                         s.displs.data(), s.type(), into, r.counts.data(), r.displs.data(),
                         r.type());
        case Collective::alltoallw:
            return enter(BOTH_LIBRARIES(Alltoallw, alltoallw), from, s.counts.data(),
                         s.displs.data(), s.types.data(), into, r.counts.data(), r.displs.data(),
                         r.types.data());
        case Collective::reduce:
            return enter(BOTH_LIBRARIES(Reduce, reduce), from, into, r.count(), r.type(), c.op,
                         root);
        case Collective::allreduce:
            return enter(BOTH_LIBRARIES(Allreduce, allreduce), from, into, r.count(), r.type(),
                         c.op);
        case Collective::reduce_scatter_block:
            return enter(BOTH_LIBRARIES(Reduce_scatter_block, reduce_scatter_block), from, into,
                         r.count(), r.type(), c.op);
        case Collective::reduce_scatter:
            return enter(BOTH_LIBRARIES(Reduce_scatter, reduce_scatter), from, into,
                         r.counts.data(), r.type(), c.op);
        case Collective::scan:
            return enter(BOTH_LIBRARIES(Scan, scan), from, into, r.count(), r.type(), c.op);
        case Collective::exscan:
            return enter(BOTH_LIBRARIES(Exscan, exscan), from, into, r.count(), r.type(), c.op);
        case Collective::neighbor_alltoall:
            return enter(BOTH_LIBRARIES(Neighbor_alltoall, neighbor_alltoall), from, s.count(),
                         s.type(), into, r.count(), r.type());
        case Collective::neighbor_alltoallv:
            return enter(BOTH_LIBRARIES(Neighbor_alltoallv, neighbor_alltoallv), from,
                         s.counts.data(), s.displs.data(), s.type(), into, r.counts.data(),
                         r.displs.data(), r.type());
        case Collective::neighbor_alltoallw:
            return enter(BOTH_LIBRARIES(Neighbor_alltoallw, neighbor_alltoallw), from,
                         s.counts.data(), s.byte_displs.data(), s.types.data(), into,
                         r.counts.data(), r.byte_displs.data(), r.types.data());
        case Collective::neighbor_allgather:
            return enter(BOTH_LIBRARIES(Neighbor_allgather, neighbor_allgather), from, s.count(),
                         s.type(), into, r.count(), r.type());
        case Collective::neighbor_allgatherv:
            return enter(BOTH_LIBRARIES(Neighbor_allgatherv, neighbor_allgatherv), from, s.count(),
                         s.type(), into, r.counts.data(), r.displs.data(), r.type());
    }
    return MPI_ERR_INTERN;
}

#undef BOTH_LIBRARIES

/// MPI's functions by their names, or the host's own, whose names begin with PMPI_.
enum class Library { by_name, host };

/// Makes a call, or begins it, or makes a persistent request of it. `request` may be null.
inline int make(const CollectiveCall& call, MPI_Request* request,
                Library library = Library::by_name) {
    return entered(call, [&](const auto& by_name, const auto& host, auto... arguments) {
        const auto& functions = library == Library::host ? host : by_name;
        switch (call.form) {
            case Form::blocking:
                return functions.blocking(arguments..., call.comm);
            case Form::nonblocking:
                return functions.nonblocking(arguments..., call.comm, request);
            case Form::persistent:
                return functions.persistent(arguments..., call.comm, MPI_INFO_NULL, request);
        }
        return MPI_ERR_INTERN;
    });
}

}  // namespace interposed
