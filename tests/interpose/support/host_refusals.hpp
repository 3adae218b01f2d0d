// SPDX-License-Identifier: MIT
#pragma once

#include "collective.hpp"
#include "host.hpp"
#include "mistake.hpp"

#include <mpi.h>

#include <initializer_list>

namespace interposed {

// Which mistakes a host refuses on the rank that makes them, before it does anything else. A
// mistake that is not listed may be accepted, hang or crash. `refused_calls table` checks each
// entry with the host.

/// A set of collectives.
class Collectives {
public:
    constexpr Collectives(std::initializer_list<Collective> all) {
        for (const auto what : all) bits_ |= bit(what);
    }
    constexpr bool has(Collective what) const { return (bits_ & bit(what)) != 0; }

private:
    static constexpr unsigned bit(Collective what) { return 1u << static_cast<unsigned>(what); }
    unsigned bits_ = 0;
};

namespace sets {
using enum Collective;
inline constexpr Collectives gathers{gather, gatherv};
inline constexpr Collectives scatters{scatter, scatterv};
inline constexpr Collectives allgathers{allgather, allgatherv, neighbor_allgather,
                                        neighbor_allgatherv};
inline constexpr Collectives alltoalls{alltoall,          alltoallv,          alltoallw,
                                       neighbor_alltoall, neighbor_alltoallv, neighbor_alltoallw};
inline constexpr Collectives listed_allgathers{allgatherv, neighbor_allgatherv};
}  // namespace sets

inline bool mpich_refuses(Mistake mistake, Collective what, Form form) {
    using enum Collective;
    const auto& shapes = described(what);
    const auto has_array = [](Shape shape) {
        return shape == Shape::varying || shape == Shape::typed;
    };
    switch (mistake) {
        case Mistake::negative_recvcount:  // others crash, or fail only when messages are prepared
            return !shapes.reduces || what == reduce_scatter;
        case Mistake::null_recvtype:  // those of reductions abort
            return !shapes.reduces;
        case Mistake::null_sendbuf:
            return shapes.reduces || !has_array(shapes.send);
        case Mistake::null_recvbuf:
            return !has_array(shapes.recv);
        case Mistake::sendbuf_in_place:
            return sets::scatters.has(what);
        case Mistake::recvbuf_in_place:
            return !of_neighbors(what) && what != bcast && !sets::scatters.has(what) &&
                   what != reduce_scatter;
        case Mistake::same_buffers:
            return shapes.reduces;
        case Mistake::comm_without_topology:  // there an init forgets a request that it has made
            return form != Form::persistent;
        case Mistake::null_sendcounts:
        case Mistake::null_recvcounts:
        case Mistake::null_sdispls:
        case Mistake::null_rdispls:
        case Mistake::null_sendtypes:
        case Mistake::null_recvtypes:
            return false;
        default:
            return true;
    }
}

inline bool open_mpi_refuses(Mistake mistake, Collective what) {
    using enum Collective;
    switch (mistake) {
        case Mistake::negative_sendcount:
        case Mistake::null_sendtype:
        case Mistake::uncommitted_sendtype:
            return what != scatter;
        case Mistake::negative_recvcount:
        case Mistake::null_recvcounts:
            return !sets::listed_allgathers.has(what);
        case Mistake::uncommitted_recvtype:
            return !sets::gathers.has(what) && !sets::scatters.has(what) &&
                   !sets::allgathers.has(what);
        case Mistake::recvbuf_in_place:
            return what != exscan;
        case Mistake::same_buffers:
            return what == reduce || what == allreduce;
        case Mistake::null_comm:
        case Mistake::comm_without_topology:
            return what != allgather && what != neighbor_allgather;
        case Mistake::null_sendbuf:
        case Mistake::null_recvbuf:
        case Mistake::null_request:
            return false;
        default:
            return true;
    }
}

inline bool host_refuses(Mistake mistake, const CollectiveCall& call) {
    return is_open_mpi ? open_mpi_refuses(mistake, call.what)
                       : mpich_refuses(mistake, call.what, call.form);
}

}  // namespace interposed
