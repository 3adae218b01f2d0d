// SPDX-License-Identifier: MIT
#include "interpose/call_sizes.hpp"

#include "mpi/error.hpp"
#include "neighbor/topology/mpi_topology.hpp"
#include "ordinary/in_place.hpp"
#include "schedule/operation.hpp"

#include <cstddef>

namespace carpool::interpose {
namespace {

using arguments::Side;
using collectives::Kind;
using mpi::check;

/// Empty blocks may have any type, also none.
std::int64_t bytes_of(const Side& side, int i) {
    if (side.count(i) == 0) return 0;
    MPI_Count element = 0;
    check(MPI_Type_size_x(side.type(i), &element), "MPI_Type_size_x");
    return side.count(i) * element;
}

std::int64_t bytes_of_all(const Side& side, int blocks) {
    if (!side.varying_types && !side.varying_counts()) return blocks * bytes_of(side, 0);
    std::int64_t sum = 0;
    for (int i = 0; i < blocks; ++i) sum += bytes_of(side, i);
    return sum;
}

}  // namespace

CommExtent::CommExtent(MPI_Comm comm) {
    int inter = 0;
    check(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
    is_inter = inter != 0;
    if (is_inter) return;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    check(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    if (neighbor::kind_of_topology(comm) != MPI_UNDEFINED)
        targets = neighbor::read_topology(comm).edges.out;
}

std::int64_t size_for_report(const neighbor::NeighborArguments& arguments,
                             const CommExtent& extent) {
    if (schedule::sends_one_block(arguments.operation)) return bytes_of(arguments.send, 0);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < extent.targets.size(); ++i)
        if (extent.targets[i].peer != topology::no_rank)
            sum += bytes_of(arguments.send, static_cast<int>(i));
    return sum;
}

std::int64_t size_for_report(const ordinary::CollectiveArguments& arguments,
                             const CommExtent& extent) {
    const auto& [kind, send, recv, root, op, overlap] = arguments;
    if (kind == Kind::barrier || extent.is_inter) return 0;
    const bool is_root = extent.rank == root;
    if (kind == Kind::scatter && !is_root) return bytes_of(recv, 0);
    const bool in_place = ordinary::in_place(send);
    const bool own_of_all = in_place && (kind == Kind::gather || kind == Kind::allgather);
    if (own_of_all) return bytes_of(recv, extent.rank);
    const bool to_each = kind == Kind::scatter || kind == Kind::alltoall;
    const auto& side = in_place && kind != Kind::reduce_scatter ? recv : send;
    return bytes_of_all(side, to_each || kind == Kind::reduce_scatter ? extent.ranks : 1);
}

}  // namespace carpool::interpose
