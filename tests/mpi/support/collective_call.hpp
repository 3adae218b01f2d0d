// SPDX-License-Identifier: MIT
#pragma once

#include "call.hpp"
#include "collective.hpp"
#include "collective_entry_points.hpp"

#include <carpool/collectives.h>
#include <mpi.h>

namespace carpool::tests {

/// Calls `enter(entry point, arguments...)` with the arguments of a call.
template <class Api, class Enter>
int entered(const CollectiveCall& c, const Enter& enter) {
    using Count = typename Api::Count;
    using Displ = typename Api::Displ;
    const Argument<Count> scounts(c.send.counts, -99), rcounts(c.recv.counts, -99);
    const Argument<Displ> sdispls(c.send.displs, -99), rdispls(c.recv.displs, -99);
    const Argument<MPI_Datatype> stypes(c.send.types, MPI_DATATYPE_NULL),
        rtypes(c.recv.types, MPI_DATATYPE_NULL);
    const void* from = c.send.buffer;
    void* into = c.recv.buffer;
    switch (c.what) {
        case Collective::barrier:
            return enter(Api::barrier);
        case Collective::bcast:
            return enter(Api::bcast, into, rcounts.first(), rtypes.first(), c.root);
        case Collective::gather:
            return enter(Api::gather, from, scounts.first(), stypes.first(), into, rcounts.first(),
                         rtypes.first(), c.root);
        case Collective::gatherv:
            return enter(Api::gatherv, from, scounts.first(), stypes.first(), into, rcounts.array(),
                         rdispls.array(), rtypes.first(), c.root);
        case Collective::scatter:
            return enter(Api::scatter, from, scounts.first(), stypes.first(), into, rcounts.first(),
                         rtypes.first(), c.root);
        case Collective::scatterv:
            return enter(Api::scatterv, from, scounts.array(), sdispls.array(), stypes.first(),
                         into, rcounts.first(), rtypes.first(), c.root);
        case Collective::allgather:
            return enter(Api::allgather, from, scounts.first(), stypes.first(), into,
                         rcounts.first(), rtypes.first());
        case Collective::allgatherv:
            return enter(Api::allgatherv, from, scounts.first(), stypes.first(), into,
                         rcounts.array(), rdispls.array(), rtypes.first());
        case Collective::alltoall:
            return enter(Api::alltoall, from, scounts.first(), stypes.first(), into,
                         rcounts.first(), rtypes.first());
        case Collective::alltoallv:
            return enter(Api::alltoallv, from, scounts.array(), sdispls.array(), stypes.first(),
                         into, rcounts.array(), rdispls.array(), rtypes.first());
        case Collective::alltoallw:
            return enter(Api::alltoallw, from, scounts.array(), sdispls.array(), stypes.array(),
                         into, rcounts.array(), rdispls.array(), rtypes.array());
        case Collective::reduce:
            return enter(Api::reduce, from, into, rcounts.first(), rtypes.first(), c.op, c.root);
        case Collective::allreduce:
            return enter(Api::allreduce, from, into, rcounts.first(), rtypes.first(), c.op);
        case Collective::reduce_scatter_block:
            return enter(Api::reduce_scatter_block, from, into, rcounts.first(), rtypes.first(),
                         c.op);
        case Collective::reduce_scatter:
            return enter(Api::reduce_scatter, from, into, rcounts.array(), rtypes.first(), c.op);
        case Collective::scan:
            return enter(Api::scan, from, into, rcounts.first(), rtypes.first(), c.op);
        case Collective::exscan:
            return enter(Api::exscan, from, into, rcounts.first(), rtypes.first(), c.op);
    }
    return MPI_ERR_INTERN;
}

/// The forms of an init: with int or MPI_Count counts, planned at once or in the background.
enum class Init { narrow, large, narrow_at_once, large_at_once };

inline constexpr Init inits[] = {Init::narrow, Init::large, Init::narrow_at_once,
                                 Init::large_at_once};

inline bool is_large(Init init) { return static_cast<int>(init) % 2 == 1; }
inline bool is_at_once(Init init) { return init >= Init::narrow_at_once; }

inline const char* name_of(Init init) {
    const char* names[] = {"init", "init_c", "I init", "I init_c"};
    return names[static_cast<int>(init)];
}

/// The form and the communicator of an init, and its info.
struct Initialisation {
    Init form;
    MPI_Comm comm;
    MPI_Info info = MPI_INFO_NULL;
};

/// Calls Carpool's entry point for the collective and form.
inline int init(const CollectiveCall& call, const Initialisation& by, Carpool_Request* request) {
    const auto enter = [&](const auto& entries, auto... arguments) {
        return entries[is_at_once(by.form)](arguments..., by.comm, by.info, request);
    };
    return is_large(by.form) ? entered<LargeInits>(call, enter) : entered<NarrowInits>(call, enter);
}

/// Calls Carpool's blocking or nonblocking entry point, with int or MPI_Count counts.
inline int call_once(const CollectiveCall& call, MPI_Comm comm, bool large = false) {
    const auto enter = [comm](auto* entry, auto... arguments) { return entry(arguments..., comm); };
    return large ? entered<LargeCalls>(call, enter) : entered<NarrowCalls>(call, enter);
}

inline int call_once(const CollectiveCall& call, MPI_Comm comm, bool large, MPI_Request* request) {
    const auto enter = [=](auto* entry, auto... arguments) {
        return entry(arguments..., comm, request);
    };
    return large ? entered<LargeNonblocking>(call, enter) : entered<NarrowNonblocking>(call, enter);
}

/// Calls the host MPI's blocking collective.
inline int call_host(const CollectiveCall& call, MPI_Comm comm) {
    return entered<Host>(
        call, [comm](auto* entry, auto... arguments) { return entry(arguments..., comm); });
}

}  // namespace carpool::tests
