// SPDX-License-Identifier: MIT
#include "ordinary/host_form.hpp"

#include "host/host_collective.hpp"
#include "mpi/library.hpp"

namespace carpool::ordinary {

using collectives::Kind;
using host::HostCollective;
using host::HostSide;

#ifdef CARPOOL_MPI_HAS_PERSISTENT_COLLECTIVES

namespace {

/// The number of blocks on each side of this rank; 0 for a side that is not significant here.
struct Blocks {
    int sent, received;
};

Blocks blocks_of(const CollectiveArguments& arguments, int rank, int ranks) {
    const bool is_root = rank == arguments.root;
    switch (arguments.kind) {
        case Kind::bcast:
            return {1, 1};
        case Kind::gather:
            return {1, is_root ? ranks : 0};
        case Kind::scatter:
            return {is_root ? ranks : 0, 1};
        case Kind::allgather:
            return {1, ranks};
        case Kind::alltoall:
            return {ranks, ranks};
        default:
            return {0, 0};
    }
}

bool may_be_in_place(const CollectiveArguments& arguments) {
    const auto* const sent = arguments.send.buffer;
    return sent == MPI_IN_PLACE ||
           (arguments.kind != Kind::bcast && sent != nullptr && sent == arguments.recv.buffer);
}

/// Calls the function of the form that the user called: with one count, a count per rank, or a type
/// per rank.
int call_host(const CollectiveArguments& a, const HostSide& s, const HostSide& r, MPI_Comm comm,
              MPI_Request* request) {
    const MPI_Info none = MPI_INFO_NULL;
    const bool sends_v = a.send.varying_counts(), receives_v = a.recv.varying_counts();
    switch (a.kind) {
        case Kind::barrier:
            return MPI_Barrier_init(comm, none, request);
        case Kind::bcast:
            return MPI_Bcast_init(s.buffer, s.count, s.type, a.root, comm, none, request);
        case Kind::gather:
            return receives_v
                       ? MPI_Gatherv_init(s.buffer, s.count, s.type, r.buffer, r.counts.data(),
                                          r.displs.data(), r.type, a.root, comm, none, request)
                       : MPI_Gather_init(s.buffer, s.count, s.type, r.buffer, r.count, r.type,
                                         a.root, comm, none, request);
        case Kind::scatter:
            return sends_v
                       ? MPI_Scatterv_init(s.buffer, s.counts.data(), s.displs.data(), s.type,
                                           r.buffer, r.count, r.type, a.root, comm, none, request)
                       : MPI_Scatter_init(s.buffer, s.count, s.type, r.buffer, r.count, r.type,
                                          a.root, comm, none, request);
        case Kind::allgather:
            return receives_v
                       ? MPI_Allgatherv_init(s.buffer, s.count, s.type, r.buffer, r.counts.data(),
                                             r.displs.data(), r.type, comm, none, request)
                       : MPI_Allgather_init(s.buffer, s.count, s.type, r.buffer, r.count, r.type,
                                            comm, none, request);
        default:
            return receives_v ? MPI_Alltoallv_init(s.buffer, s.counts.data(), s.displs.data(),
                                                   s.type, r.buffer, r.counts.data(),
                                                   r.displs.data(), r.type, comm, none, request)
                              : MPI_Alltoall_init(s.buffer, s.count, s.type, r.buffer, r.count,
                                                  r.type, comm, none, request);
    }
}

}  // namespace

/// An alltoallw has displacements in bytes, which MPI takes as ints; calling MPI's would gain
/// nothing. Open MPI's persistent alltoallv in place delivers wrong blocks if some are empty, and
/// its collectives take two buffers that begin at the same address for one in place.
bool has_host_form(const CollectiveArguments& arguments, int rank, int ranks) {
    if (collectives::reduces(arguments.kind) || arguments.recv.varying_types) return false;
    if (mpi::is_open_mpi() && may_be_in_place(arguments)) return false;
    const auto [sent, received] = blocks_of(arguments, rank, ranks);
    return HostSide::fits(arguments.send, sent) && HostSide::fits(arguments.recv, received);
}

std::unique_ptr<engine::Communication> host_form(const CollectiveArguments& arguments, int rank,
                                                 int ranks, MPI_Comm comm, bool rehearses) {
    const auto [sent, received] = blocks_of(arguments, rank, ranks);
    return std::make_unique<HostCollective>(
        HostSide(arguments.send, sent), HostSide(arguments.recv, received), rehearses,
        [&](const HostSide& s, const HostSide& r, MPI_Request* request) {
            return call_host(arguments, s, r, comm, request);
        });
}

#else

bool has_host_form(const CollectiveArguments&, int, int) { return false; }

std::unique_ptr<engine::Communication> host_form(const CollectiveArguments&, int, int, MPI_Comm,
                                                 bool) {
    return nullptr;
}

#endif

}  // namespace carpool::ordinary
