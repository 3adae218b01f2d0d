#include "ordinary/host_form.hpp"

#include "host/host_call.hpp"
#include "host/host_collective.hpp"
#include "mpi/library.hpp"

#include <tuple>

namespace carpool::ordinary {

using collectives::Kind;
using host::HostCall;
using host::HostCollective;
using host::HostSide;
using host::PlainSide;

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

namespace {

/// A reduction. Both sides have the same count and type, which the send side need not state in
/// place.
int sum_at_host(collectives::Kind kind, const PlainSide& one, void* sent, void* received, MPI_Op op,
                int root, MPI_Comm comm) {
    const int count = one.narrow();
    switch (kind) {
        case Kind::reduce:
            return MPI_Reduce(sent, received, count, one.type, op, root, comm);
        case Kind::allreduce:
            return MPI_Allreduce(sent, received, count, one.type, op, comm);
        case Kind::scan:
            return MPI_Scan(sent, received, count, one.type, op, comm);
        case Kind::exscan:
            return MPI_Exscan(sent, received, count, one.type, op, comm);
        default:
            return MPI_Reduce_scatter_block(sent, received, count, one.type, op, comm);
    }
}

int call_at_host(collectives::Kind kind, const PlainSide& s, const PlainSide& r, int root,
                 MPI_Comm comm) {
    switch (kind) {
        case Kind::barrier:
            return MPI_Barrier(comm);
        case Kind::bcast:
            return MPI_Bcast(s.buffer, s.narrow(), s.type, root, comm);
        case Kind::gather:
            return MPI_Gather(s.buffer, s.narrow(), s.type, r.buffer, r.narrow(), r.type, root,
                              comm);
        case Kind::scatter:
            return MPI_Scatter(s.buffer, s.narrow(), s.type, r.buffer, r.narrow(), r.type, root,
                               comm);
        case Kind::allgather:
            return MPI_Allgather(s.buffer, s.narrow(), s.type, r.buffer, r.narrow(), r.type, comm);
        default:
            return MPI_Alltoall(s.buffer, s.narrow(), s.type, r.buffer, r.narrow(), r.type, comm);
    }
}

}  // namespace

std::unique_ptr<engine::Communication> host_call(const CollectiveArguments& arguments,
                                                 MPI_Comm comm) {
    const PlainSide send(arguments.send), recv(arguments.recv);
    const auto [kind, op, root] = std::tuple(arguments.kind, arguments.op, arguments.root);
    if (!collectives::reduces(kind))
        return std::make_unique<HostCall>(
            [=] { return call_at_host(kind, send, recv, root, comm); });
    const auto one = in_place(arguments.send) ? recv : send;
    return std::make_unique<HostCall>(
        [=] { return sum_at_host(kind, one, send.buffer, recv.buffer, op, root, comm); });
}

}  // namespace carpool::ordinary
