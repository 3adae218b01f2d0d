#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace carpool::mpi {

/// Where the ranks' ballots come together: an allreduce in place, under way after post().
class VoteTransport {
public:
    virtual ~VoteTransport() = default;

    /// This one, among those who vote.
    virtual int rank() const = 0;

    /// @param ballot  one element of the type; belongs to the transport until the end
    virtual void post(std::byte* ballot, MPI_Datatype type, MPI_Op op) = 0;

    virtual bool test() = 0;

    /// Gives it up, where that can be done: ballots of others are let be.
    virtual void withdraw() {}

    /// Whose messages are missing, as far as it knows.
    virtual std::vector<int> awaited() const { return {}; }
};

}  // namespace carpool::mpi
