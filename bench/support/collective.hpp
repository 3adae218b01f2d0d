// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/kind.hpp"
#include "group_blocks.hpp"

#include <carpool/collectives.h>
#include <mpi.h>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

namespace bench {

using carpool::collectives::Kind;

/// One of MPI's ordinary collectives in each of its forms.
struct Collective {
    std::string_view name;
    Kind kind;
    GroupBlocks::Shape shape;
    int (*host)(GroupBlocks&, MPI_Comm) = nullptr;
    int (*host_nonblocking)(GroupBlocks&, MPI_Comm, MPI_Request*) = nullptr;
    int (*host_init)(GroupBlocks&, MPI_Comm, MPI_Info, MPI_Request*) = nullptr;
    int (*carpool)(GroupBlocks&, MPI_Comm) = nullptr;
    int (*carpool_nonblocking)(GroupBlocks&, MPI_Comm, MPI_Request*) = nullptr;
    int (*carpool_init)(GroupBlocks&, MPI_Comm, MPI_Info, Carpool_Request*) = nullptr;
};

/// The arguments of a call before its communicator.
namespace arguments {

inline auto none(GroupBlocks&) { return std::tuple{}; }
inline auto bcast(GroupBlocks& b) { return std::tuple{b.shared(), b.count, b.type, 0}; }
inline auto all_to_all(GroupBlocks& b) {
    return std::tuple{b.send.data(), b.count, b.type, b.receive.data(), b.count, b.type};
}
inline auto rooted(GroupBlocks& b) { return std::tuple_cat(all_to_all(b), std::tuple{0}); }
inline auto allgatherv(GroupBlocks& b) {
    return std::tuple{b.send.data(),          b.count, b.type, b.receive.data(), b.counts.data(),
                      b.displacements.data(), b.type};
}
inline auto gatherv(GroupBlocks& b) { return std::tuple_cat(allgatherv(b), std::tuple{0}); }
inline auto scatterv(GroupBlocks& b) {
    return std::tuple{b.send.data(),
                      b.counts.data(),
                      b.displacements.data(),
                      b.type,
                      b.receive.data(),
                      b.count,
                      b.type,
                      0};
}
inline auto alltoallv(GroupBlocks& b) {
    return std::tuple{b.send.data(),    b.counts.data(), b.displacements.data(), b.type,
                      b.receive.data(), b.counts.data(), b.displacements.data(), b.type};
}
inline auto alltoallw(GroupBlocks& b) {
    return std::tuple{
        b.send.data(),    b.counts.data(), b.byte_displacements.data(), b.types.data(),
        b.receive.data(), b.counts.data(), b.byte_displacements.data(), b.types.data()};
}
inline auto reduction(GroupBlocks& b) {
    return std::tuple{b.send.data(), b.receive.data(), b.count, b.type, MPI_SUM};
}
inline auto reduce(GroupBlocks& b) { return std::tuple_cat(reduction(b), std::tuple{0}); }
inline auto reduce_scatter(GroupBlocks& b) {
    return std::tuple{b.send.data(), b.receive.data(), b.counts.data(), b.type, MPI_SUM};
}

}  // namespace arguments

/// The call `function(arguments of b..., rest...)` as a plain function of b and the rest.
template <auto arguments, auto function, class... Rest>
int group_call(GroupBlocks& b, Rest... rest) {
    return std::apply(function, std::tuple_cat(arguments(b), std::tuple{rest...}));
}

/// Binds the forms of one collective to the function that takes their arguments from the blocks.
template <auto arguments, auto host, auto host_nonblocking, auto host_init, auto carpool,
          auto carpool_nonblocking, auto carpool_init>
Collective collective(std::string_view name, Kind kind, GroupBlocks::Shape shape) {
    return {name,
            kind,
            shape,
            group_call<arguments, host, MPI_Comm>,
            group_call<arguments, host_nonblocking, MPI_Comm, MPI_Request*>,
            group_call<arguments, host_init, MPI_Comm, MPI_Info, MPI_Request*>,
            group_call<arguments, carpool, MPI_Comm>,
            group_call<arguments, carpool_nonblocking, MPI_Comm, MPI_Request*>,
            group_call<arguments, carpool_init, MPI_Comm, MPI_Info, Carpool_Request*>};
}

namespace sides {

inline constexpr Side one{Where::everywhere, false};
inline constexpr Side one_at_root{Where::at_root, false};
inline constexpr Side one_elsewhere{Where::elsewhere, false};
inline constexpr Side many{Where::everywhere, true};
inline constexpr Side many_at_root{Where::at_root, true};

}  // namespace sides

namespace shapes {

using namespace sides;
using Shape = GroupBlocks::Shape;

inline constexpr Shape barrier{};
inline constexpr Shape bcast{one_at_root, one_elsewhere};
inline constexpr Shape gather{one, many_at_root};
inline constexpr Shape gatherv{.send = one, .receive = many_at_root, .varies = true};
inline constexpr Shape scatter{many_at_root, one};
inline constexpr Shape scatterv{.send = many_at_root, .receive = one, .varies = true};
inline constexpr Shape allgather{one, many};
inline constexpr Shape allgatherv{.send = one, .receive = many, .varies = true};
inline constexpr Shape alltoall{many, many};
inline constexpr Shape alltoallv{.send = many, .receive = many, .varies = true, .pairwise = true};
inline constexpr Shape reduce{one, one_at_root, true};
inline constexpr Shape reduction{one, one, true};
inline constexpr Shape reduce_scatter_block{many, one, true};
inline constexpr Shape reduce_scatter{
    .send = many, .receive = one, .reduces = true, .varies = true};

}  // namespace shapes

/// In the order of the collectives chapter of the standard.
inline const std::array collectives{
    collective<arguments::none, MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init, Carpool_Barrier,
               Carpool_Ibarrier, Carpool_Barrier_init>("barrier", Kind::barrier, shapes::barrier),
    collective<arguments::bcast, MPI_Bcast, MPI_Ibcast, MPI_Bcast_init, Carpool_Bcast,
               Carpool_Ibcast, Carpool_Bcast_init>("bcast", Kind::bcast, shapes::bcast),
    collective<arguments::rooted, MPI_Gather, MPI_Igather, MPI_Gather_init, Carpool_Gather,
               Carpool_Igather, Carpool_Gather_init>("gather", Kind::gather, shapes::gather),
    collective<arguments::gatherv, MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init, Carpool_Gatherv,
               Carpool_Igatherv, Carpool_Gatherv_init>("gatherv", Kind::gather, shapes::gatherv),
    collective<arguments::rooted, MPI_Scatter, MPI_Iscatter, MPI_Scatter_init, Carpool_Scatter,
               Carpool_Iscatter, Carpool_Scatter_init>("scatter", Kind::scatter, shapes::scatter),
    collective<arguments::scatterv, MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init,
               Carpool_Scatterv, Carpool_Iscatterv, Carpool_Scatterv_init>(
        "scatterv", Kind::scatter, shapes::scatterv),
    collective<arguments::all_to_all, MPI_Allgather, MPI_Iallgather, MPI_Allgather_init,
               Carpool_Allgather, Carpool_Iallgather, Carpool_Allgather_init>(
        "allgather", Kind::allgather, shapes::allgather),
    collective<arguments::allgatherv, MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init,
               Carpool_Allgatherv, Carpool_Iallgatherv, Carpool_Allgatherv_init>(
        "allgatherv", Kind::allgather, shapes::allgatherv),
    collective<arguments::all_to_all, MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init,
               Carpool_Alltoall, Carpool_Ialltoall, Carpool_Alltoall_init>(
        "alltoall", Kind::alltoall, shapes::alltoall),
    collective<arguments::alltoallv, MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init,
               Carpool_Alltoallv, Carpool_Ialltoallv, Carpool_Alltoallv_init>(
        "alltoallv", Kind::alltoall, shapes::alltoallv),
    collective<arguments::alltoallw, MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init,
               Carpool_Alltoallw, Carpool_Ialltoallw, Carpool_Alltoallw_init>(
        "alltoallw", Kind::alltoall, shapes::alltoallv),
    collective<arguments::reduce, MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, Carpool_Reduce,
               Carpool_Ireduce, Carpool_Reduce_init>("reduce", Kind::reduce, shapes::reduce),
    collective<arguments::reduction, MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init,
               Carpool_Allreduce, Carpool_Iallreduce, Carpool_Allreduce_init>(
        "allreduce", Kind::allreduce, shapes::reduction),
    collective<arguments::reduction, MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block,
               MPI_Reduce_scatter_block_init, Carpool_Reduce_scatter_block,
               Carpool_Ireduce_scatter_block, Carpool_Reduce_scatter_block_init>(
        "reduce_scatter_block", Kind::reduce_scatter, shapes::reduce_scatter_block),
    collective<arguments::reduce_scatter, MPI_Reduce_scatter, MPI_Ireduce_scatter,
               MPI_Reduce_scatter_init, Carpool_Reduce_scatter, Carpool_Ireduce_scatter,
               Carpool_Reduce_scatter_init>("reduce_scatter", Kind::reduce_scatter,
                                            shapes::reduce_scatter),
    collective<arguments::reduction, MPI_Scan, MPI_Iscan, MPI_Scan_init, Carpool_Scan,
               Carpool_Iscan, Carpool_Scan_init>("scan", Kind::scan, shapes::reduction),
    collective<arguments::reduction, MPI_Exscan, MPI_Iexscan, MPI_Exscan_init, Carpool_Exscan,
               Carpool_Iexscan, Carpool_Exscan_init>("exscan", Kind::exscan, shapes::reduction),
};

inline const Collective& collective_named(std::string_view name) {
    for (const auto& collective : collectives)
        if (collective.name == name) return collective;
    throw std::runtime_error("no collective is named " + std::string(name));
}

}  // namespace bench
