// SPDX-License-Identifier: MIT
#pragma once

#include "base/rank_visitor.hpp"

#include <mpi.h>

#include <cstddef>

namespace carpool::mpi {

/// Combines the ballots of all ranks, by an allreduce in place that is under way after post().
class VoteTransport {
public:
    virtual ~VoteTransport() = default;

    /// This rank, among those that vote.
    virtual int rank() const = 0;

    /// @param ballot  one element of the type; belongs to the transport until the end
    virtual void post(std::byte* ballot, MPI_Datatype type, MPI_Op op) = 0;

    virtual bool test() = 0;

    /// Gives up the vote, if that is possible; the ballots of other ranks are left alone.
    virtual void withdraw() {}

    /// Visits the ranks whose messages are missing, as far as is known.
    virtual void visit_awaited(const base::RankVisitor& visit) const { static_cast<void>(visit); }
};

}  // namespace carpool::mpi
