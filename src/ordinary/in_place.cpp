// SPDX-License-Identifier: MIT
#include "ordinary/in_place.hpp"

#include "mpi/error.hpp"
#include "ordinary/significant.hpp"

#include <cstddef>
#include <string>

namespace carpool::ordinary {
namespace {

using collectives::Kind;

/// Whether MPI_IN_PLACE may take the place of sendbuf, where that is significant.
bool may_stand_for_send(Kind kind, bool is_root) {
    switch (kind) {
        case Kind::bcast:
        case Kind::scatter:
            return false;
        case Kind::gather:
        case Kind::reduce:
            return is_root;
        default:
            return true;
    }
}

/// The same for recvbuf.
bool may_stand_for_recv(Kind kind, bool is_root) { return kind == Kind::scatter && is_root; }

void check(const arguments::Side& side, bool is_significant, bool may_be_in_place) {
    if (is_significant && !may_be_in_place && in_place(side))
        throw mpi::Error(MPI_ERR_BUFFER, std::string(side.names.buffer) +
                                             " is MPI_IN_PLACE, expected a buffer of its own");
}

/// The address of a rank's block, where a side has one per rank.
const std::byte* own_block(const arguments::Side& side, int rank) {
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    if (side.type(rank) == MPI_DATATYPE_NULL || arguments::lacks_array(side, rank + 1) ||
        MPI_Type_get_extent(side.type(rank), &lower, &extent) != MPI_SUCCESS)
        return nullptr;
    const bool displaced = side.order == arguments::BlockOrder::displaced;
    return side.buffer + extent * (displaced ? side.displacements[rank] : rank * side.count(0));
}

}  // namespace

CollectiveArguments in_place_where_equal(CollectiveArguments arguments, MPI_Comm comm) {
    auto& [kind, send, recv, root, op, overlap] = arguments;
    int rank = 0;
    mpi::check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    const auto [sends, receives] = significant(arguments, rank);
    auto* const in_place = static_cast<std::byte*>(MPI_IN_PLACE);
    if (!sends || !receives || kind == Kind::alltoall) return arguments;
    if (kind == Kind::scatter) {
        if (recv.buffer == own_block(send, rank)) recv.buffer = in_place;
    } else if (send.buffer == (collectives::reduces(kind) ? recv.buffer : own_block(recv, rank))) {
        send.buffer = in_place;
    }
    return arguments;
}

void check_in_place(const CollectiveArguments& arguments, int rank) {
    if (!in_place(arguments.send) && !in_place(arguments.recv)) return;
    const auto [sends, receives] = significant(arguments, rank);
    const bool is_exscan = arguments.kind == Kind::exscan;  // hosts look on rank 0, too
    const bool is_root = rank == arguments.root;
    check(arguments.send, sends, may_stand_for_send(arguments.kind, is_root));
    check(arguments.recv, receives || is_exscan, may_stand_for_recv(arguments.kind, is_root));
}

}  // namespace carpool::ordinary
