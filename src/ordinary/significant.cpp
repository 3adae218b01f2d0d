// SPDX-License-Identifier: MIT
#include "ordinary/significant.hpp"

namespace carpool::ordinary {
namespace {

using collectives::Kind;

/// Rank 0 receives nothing in an exscan, but in place its summand lies in recvbuf.
bool receives(const CollectiveArguments& arguments, int rank) {
    switch (arguments.kind) {
        case Kind::barrier:
        case Kind::bcast:
            return false;
        case Kind::gather:
        case Kind::reduce:
            return rank == arguments.root;
        case Kind::exscan:
            return rank > 0 || in_place(arguments.send);
        default:
            return true;
    }
}

}  // namespace

Significant significant(const CollectiveArguments& arguments, int rank) {
    const auto kind = arguments.kind;
    const bool sends = kind != Kind::barrier && (kind != Kind::scatter || rank == arguments.root);
    return {sends, receives(arguments, rank)};
}

}  // namespace carpool::ordinary
