// SPDX-License-Identifier: MIT
#include "interpose/host_order.hpp"

#include "mpi/comm/channel.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "mpi/library.hpp"

#include <mpi.h>

namespace carpool::interpose {
namespace {

using mpi::check;
using Words = std::array<int, 2>;

/// An exchange of two words of this process with itself: what arrives of {1, 2}. Nothing arrives
/// where the host has no such function.
struct SelfExchange {
    MPI_Comm comm;
    Words sent{1, 2}, received{};
    Words counts{1, 1}, places{0, 1};
    std::array<MPI_Aint, 2> offsets{0, sizeof(int)};
    std::array<MPI_Datatype, 2> types{MPI_INT, MPI_INT};

    int alltoall() {
        return MPI_Neighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm);
    }
    int alltoallv() {
        return MPI_Neighbor_alltoallv(sent.data(), counts.data(), places.data(), MPI_INT,
                                      received.data(), counts.data(), places.data(), MPI_INT, comm);
    }
    int alltoallw() {
        return MPI_Neighbor_alltoallw(sent.data(), counts.data(), offsets.data(), types.data(),
                                      received.data(), counts.data(), offsets.data(), types.data(),
                                      comm);
    }
    int alltoall(MPI_Request* request) {
        return MPI_Ineighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm,
                                      request);
    }
    int alltoallv(MPI_Request* request) {
        return MPI_Ineighbor_alltoallv(sent.data(), counts.data(), places.data(), MPI_INT,
                                       received.data(), counts.data(), places.data(), MPI_INT, comm,
                                       request);
    }
    int alltoallw(MPI_Request* request) {
        return MPI_Ineighbor_alltoallw(sent.data(), counts.data(), offsets.data(), types.data(),
                                       received.data(), counts.data(), offsets.data(), types.data(),
                                       comm, request);
    }
#ifdef CARPOOL_MPI_HAS_PERSISTENT_COLLECTIVES
    int alltoall_init(MPI_Request* request) {
        return MPI_Neighbor_alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT,
                                          comm, MPI_INFO_NULL, request);
    }
    int alltoallv_init(MPI_Request* request) {
        return MPI_Neighbor_alltoallv_init(sent.data(), counts.data(), places.data(), MPI_INT,
                                           received.data(), counts.data(), places.data(), MPI_INT,
                                           comm, MPI_INFO_NULL, request);
    }
    int alltoallw_init(MPI_Request* request) {
        return MPI_Neighbor_alltoallw_init(sent.data(), counts.data(), offsets.data(), types.data(),
                                           received.data(), counts.data(), offsets.data(),
                                           types.data(), comm, MPI_INFO_NULL, request);
    }
#endif
};

using BlockingCall = int (SelfExchange::*)();
using NonblockingCall = int (SelfExchange::*)(MPI_Request*);

Words exchanged(MPI_Comm comm, BlockingCall function) {
    SelfExchange exchange{comm};
    check((exchange.*function)(), "a neighborhood collective of this process alone");
    return exchange.received;
}

/// @param persistent  the function only makes a request, which is then started
Words exchanged(MPI_Comm comm, NonblockingCall function, bool persistent) {
    SelfExchange exchange{comm};
    mpi::Request request;
    check((exchange.*function)(request.out()), "a neighborhood collective of this process alone");
    if (persistent) check(MPI_Start(request.out()), "MPI_Start");
    check(MPI_Wait(request.out(), MPI_STATUS_IGNORE), "MPI_Wait");
    return exchange.received;
}

/// An operation that sends a block of its own to each neighbor, in all of its forms.
struct Operation {
    MpiOperation operation;
    BlockingCall blocking;
    NonblockingCall nonblocking;
    NonblockingCall init;  ///< null if the host has none
};

constexpr Operation operations[] = {
#ifdef CARPOOL_MPI_HAS_PERSISTENT_COLLECTIVES
    {MpiOperation::neighbor_alltoall, &SelfExchange::alltoall, &SelfExchange::alltoall,
     &SelfExchange::alltoall_init},
    {MpiOperation::neighbor_alltoallv, &SelfExchange::alltoallv, &SelfExchange::alltoallv,
     &SelfExchange::alltoallv_init},
    {MpiOperation::neighbor_alltoallw, &SelfExchange::alltoallw, &SelfExchange::alltoallw,
     &SelfExchange::alltoallw_init},
#else
    {MpiOperation::neighbor_alltoall, &SelfExchange::alltoall, &SelfExchange::alltoall, nullptr},
    {MpiOperation::neighbor_alltoallv, &SelfExchange::alltoallv, &SelfExchange::alltoallv, nullptr},
    {MpiOperation::neighbor_alltoallw, &SelfExchange::alltoallw, &SelfExchange::alltoallw, nullptr},
#endif
};

/// By form, whether the operation gives these words. Persistent collectives of Intel MPI, which
/// hang now and then, are the host's anyway.
std::array<bool, 3> gives(const Words& expected, MPI_Comm comm, const Operation& operation) {
    const bool has_init = operation.init != nullptr && !mpi::is_intel_mpi();
    return {exchanged(comm, operation.blocking) == expected,
            exchanged(comm, operation.nonblocking, false) == expected,
            !has_init || exchanged(comm, operation.init, true) == expected};
}

mpi::Comm torus_of_one(MPI_Comm alone) {
    mpi::Comm torus;
    constexpr int dims[] = {1}, periods[] = {1};
    check(MPI_Cart_create(alone, 1, dims, periods, 0, torus.out()), "MPI_Cart_create");
    return torus;
}

mpi::Comm graph_with_two_equal_edges(MPI_Comm alone) {
    mpi::Comm graph;
    constexpr int ranks[] = {0, 0};
    check(MPI_Dist_graph_create_adjacent(alone, 2, ranks, MPI_UNWEIGHTED, 2, ranks, MPI_UNWEIGHTED,
                                         MPI_INFO_NULL, 0, graph.out()),
          "MPI_Dist_graph_create_adjacent");
    return graph;
}

}  // namespace

/// What goes to the negative neighbor of a torus comes from the positive one; edges of a graph are
/// matched in their order.
HostOrder::HostOrder() {
    const auto alone = mpi::Channel::alone();
    const auto torus = torus_of_one(alone->comm());
    const auto graph = graph_with_two_equal_edges(alone->comm());
    repeated_edges_ = true;
    for (auto& of_form : short_torus_) of_form.set();
    for (const auto& operation : operations) {
        const auto right = gives({2, 1}, torus.get(), operation);
        for (std::size_t form = 0; form < right.size(); ++form)
            short_torus_[form][index_of(operation.operation)] = right[form];
        for (const bool one : gives({1, 2}, graph.get(), operation)) repeated_edges_ &= one;
    }
}

const HostOrder& HostOrder::of_process() {
    static const HostOrder known;
    return known;
}

}  // namespace carpool::interpose
