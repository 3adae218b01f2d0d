#include "ordinary/in_place.hpp"

#include "mpi/error.hpp"

#include <string>

namespace carpool::ordinary {
namespace {

using collectives::Kind;

/// What MPI_IN_PLACE may mean for one side of a collective, on one rank.
enum class Meaning { refused, allowed, not_significant };

Meaning of_send(Kind kind, bool is_root) {
    switch (kind) {
        case Kind::barrier:
            return Meaning::not_significant;
        case Kind::bcast:
            return Meaning::refused;
        case Kind::gather:
        case Kind::reduce:
            return is_root ? Meaning::allowed : Meaning::refused;
        case Kind::scatter:
            return is_root ? Meaning::refused : Meaning::not_significant;
        default:
            return Meaning::allowed;
    }
}

Meaning of_recv(Kind kind, bool is_root) {
    switch (kind) {
        case Kind::barrier:
            return Meaning::not_significant;
        case Kind::gather:
        case Kind::reduce:
            return is_root ? Meaning::refused : Meaning::not_significant;
        case Kind::scatter:
            return is_root ? Meaning::allowed : Meaning::refused;
        default:
            return Meaning::refused;
    }
}

void check(const arguments::Side& side, Meaning meaning) {
    if (meaning == Meaning::refused && in_place(side))
        throw mpi::Error(MPI_ERR_BUFFER, std::string(side.names.buffer) +
                                             " is MPI_IN_PLACE, expected a buffer of its own");
}

}  // namespace

bool in_place(const arguments::Side& side) { return side.buffer == MPI_IN_PLACE; }

void check_in_place(const CollectiveArguments& arguments, bool is_root) {
    check(arguments.send, of_send(arguments.kind, is_root));
    check(arguments.recv, of_recv(arguments.kind, is_root));
}

}  // namespace carpool::ordinary
