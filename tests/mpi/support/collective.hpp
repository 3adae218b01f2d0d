// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/kind.hpp"
#include "exchange_arguments.hpp"

#include <mpi.h>

#include <array>
#include <optional>

namespace carpool::tests {

/// MPI's ordinary collectives, as its users call them.
enum class Collective {
    barrier,
    bcast,
    gather,
    gatherv,
    scatter,
    scatterv,
    allgather,
    allgatherv,
    alltoall,
    alltoallv,
    alltoallw,
    reduce,
    allreduce,
    reduce_scatter_block,
    reduce_scatter,
    scan,
    exscan,
};

inline constexpr auto all_collectives = [] {
    std::array<Collective, 17> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Collective>(i);
    return all;
}();

/// Where MPI_IN_PLACE is allowed.
enum class InPlace { nowhere, sendbuf_at_root, recvbuf_at_root, sendbuf };

/// The sides of a collective. A side without a shape does not exist. A bcast has only recv, and a
/// reduction is described by recv alone.
struct Description {
    const char* name;
    collectives::Kind kind;
    std::optional<Shape> send;
    std::optional<Shape> recv;
    InPlace in_place;
};

inline const Description& described(Collective what) {
    using enum Shape;
    using enum InPlace;
    using collectives::Kind;
    static const Description all[] = {
        {"barrier", Kind::barrier, {}, {}, nowhere},
        {"bcast", Kind::bcast, {}, one, nowhere},
        {"gather", Kind::gather, one, uniform, sendbuf_at_root},
        {"gatherv", Kind::gather, one, v, sendbuf_at_root},
        {"scatter", Kind::scatter, uniform, one, recvbuf_at_root},
        {"scatterv", Kind::scatter, v, one, recvbuf_at_root},
        {"allgather", Kind::allgather, one, uniform, sendbuf},
        {"allgatherv", Kind::allgather, one, v, sendbuf},
        {"alltoall", Kind::alltoall, uniform, uniform, sendbuf},
        {"alltoallv", Kind::alltoall, v, v, sendbuf},
        {"alltoallw", Kind::alltoall, w, w, sendbuf},
        {"reduce", Kind::reduce, {}, one, sendbuf_at_root},
        {"allreduce", Kind::allreduce, {}, one, sendbuf},
        {"reduce_scatter_block", Kind::reduce_scatter, {}, one, sendbuf},
        {"reduce_scatter", Kind::reduce_scatter, {}, v, sendbuf},
        {"scan", Kind::scan, {}, one, sendbuf},
        {"exscan", Kind::exscan, {}, one, sendbuf}};
    return all[static_cast<std::size_t>(what)];
}

inline const char* name_of(Collective what) { return described(what).name; }
inline collectives::Kind kind_of(Collective what) { return described(what).kind; }
inline bool has_root(Collective what) { return collectives::has_root(kind_of(what)); }
inline bool reduces(Collective what) { return collectives::reduces(kind_of(what)); }

/// Does each rank, or each pair of ranks, have its own count?
inline bool is_irregular(Collective what) {
    const auto listed = [](std::optional<Shape> shape) {
        return shape == Shape::v || shape == Shape::w;
    };
    return listed(described(what).send) || listed(described(what).recv);
}

/// Can it be called in place?
inline bool may_be_in_place(Collective what) {
    return described(what).in_place != InPlace::nowhere;
}

/// Does this rank pass MPI_IN_PLACE as sendbuf (here) or as recvbuf (below)?
inline bool sends_in_place(Collective what, bool is_root) {
    const auto where = described(what).in_place;
    return where == InPlace::sendbuf || (where == InPlace::sendbuf_at_root && is_root);
}
inline bool receives_in_place(Collective what, bool is_root) {
    return described(what).in_place == InPlace::recvbuf_at_root && is_root;
}

/// A collective as one rank calls it. The counts and the type of a reduction are those of recv.
struct CollectiveCall {
    Collective what;
    Side send = {};
    Side recv = {};
    int root = 0;
    MPI_Op op = MPI_OP_NULL;
};

}  // namespace carpool::tests
