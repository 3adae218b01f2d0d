#include "ordinary/in_place.hpp"

#include "mpi/error.hpp"
#include "ordinary/significant.hpp"

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

}  // namespace

void check_in_place(const CollectiveArguments& arguments, int rank) {
    const auto [sends, receives] = significant(arguments, rank);
    const bool is_exscan = arguments.kind == Kind::exscan;  // hosts look on rank 0, too
    const bool is_root = rank == arguments.root;
    check(arguments.send, sends, may_stand_for_send(arguments.kind, is_root));
    check(arguments.recv, receives || is_exscan, may_stand_for_recv(arguments.kind, is_root));
}

}  // namespace carpool::ordinary
