// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <vector>

namespace interposed {

/// MPI's collectives: the ordinary ones, and those of neighborhoods.
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
    neighbor_alltoall,
    neighbor_alltoallv,
    neighbor_alltoallw,
    neighbor_allgather,
    neighbor_allgatherv,
};

inline constexpr auto all_collectives = [] {
    std::array<Collective, 22> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Collective>(i);
    return all;
}();

enum class Form { blocking, nonblocking, persistent };
inline constexpr std::array forms_of_calls{Form::blocking, Form::nonblocking, Form::persistent};

/// How the blocks of a side are described: not at all, one block, blocks of one count, blocks with
/// counts of their own, and with types of their own.
enum class Shape { none, one, row, varying, typed };

/// Where MPI_IN_PLACE may be given.
enum class InPlace { nowhere, sendbuf_at_root, recvbuf_at_root, sendbuf };

/// The arguments of a collective. The one count and type of a reduction are those of recv.
struct Description {
    const char* name;
    Shape send, recv;
    InPlace in_place;
    bool has_root = false;
    bool reduces = false;
};

inline const Description& described(Collective what) {
    using enum Shape;
    using enum InPlace;
    static constexpr Description all[] = {{"barrier", none, none, nowhere},
                                          {"bcast", none, one, nowhere, true},
                                          {"gather", one, row, sendbuf_at_root, true},
                                          {"gatherv", one, varying, sendbuf_at_root, true},
                                          {"scatter", row, one, recvbuf_at_root, true},
                                          {"scatterv", varying, one, recvbuf_at_root, true},
                                          {"allgather", one, row, sendbuf},
                                          {"allgatherv", one, varying, sendbuf},
                                          {"alltoall", row, row, sendbuf},
                                          {"alltoallv", varying, varying, sendbuf},
                                          {"alltoallw", typed, typed, sendbuf},
                                          {"reduce", none, one, sendbuf_at_root, true, true},
                                          {"allreduce", none, one, sendbuf, false, true},
                                          {"reduce_scatter_block", none, one, sendbuf, false, true},
                                          {"reduce_scatter", none, varying, sendbuf, false, true},
                                          {"scan", none, one, sendbuf, false, true},
                                          {"exscan", none, one, sendbuf, false, true},
                                          {"neighbor_alltoall", row, row, nowhere},
                                          {"neighbor_alltoallv", varying, varying, nowhere},
                                          {"neighbor_alltoallw", typed, typed, nowhere},
                                          {"neighbor_allgather", one, row, nowhere},
                                          {"neighbor_allgatherv", one, varying, nowhere}};
    return all[static_cast<std::size_t>(what)];
}

inline const char* name_of(Collective what) { return described(what).name; }
inline bool of_neighbors(Collective what) { return what >= Collective::neighbor_alltoall; }
inline const char* name_of(Form form) {
    return std::array{"blocking", "nonblocking", "persistent"}[static_cast<std::size_t>(form)];
}

/// One side of a call. An empty vector stands for a null pointer, or for a count of 0.
struct Side {
    void* buffer = nullptr;
    std::vector<int> counts, displs;
    std::vector<MPI_Aint> byte_displs;  ///< for neighbor_alltoallw
    std::vector<MPI_Datatype> types;

    int count() const { return counts.empty() ? 0 : counts[0]; }
    MPI_Datatype type() const { return types.empty() ? MPI_DATATYPE_NULL : types[0]; }
};

/// A collective with the arguments of one rank.
struct CollectiveCall {
    Collective what;
    Form form;
    MPI_Comm comm;
    Side send, recv;
    int root = 0;
    MPI_Op op = MPI_OP_NULL;
};

}  // namespace interposed
