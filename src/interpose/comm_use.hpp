#pragma once

#include "interpose/settings.hpp"
#include "mpi/attribute.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>

namespace carpool::interpose {

/// Whether the calls on one communicator are made by Carpool; an attribute of the communicator.
///
/// Everything that this depends on is the same on all ranks: the communicator, the environment, and
/// how often an operation has been called on the communicator. So all ranks decide alike without a
/// message.
class CommUse {
public:
    explicit CommUse(MPI_Comm comm);

    /// The use of a communicator; null if none of its calls are taken.
    static CommUse* of(MPI_Comm comm);

    /// Why the host makes a call, for the report.
    /// @param use    that of the communicator, or null
    /// @param asked  whether such calls are to be taken
    static const char* why_not(const CommUse* use, bool asked, MpiOperation operation);

    /// Counts a blocking or nonblocking call, and returns whether Carpool makes it.
    bool takes_call(MpiOperation operation) {
        int& before = calls_[index_of(operation)];
        if (before >= after(operation)) return may_take(operation);
        ++before;
        return false;
    }

    /// Whether Carpool may make an operation on this communicator at all.
    bool may_take(MpiOperation operation) const {
        if (!is_neighborhood(operation)) return several_ranks_;
        return has_topology_ && (several_ranks_ || host_may_be_wrong_);
    }

    /// Whether the host's collective may give other blocks than MPI says (MPI 4.1, section 8.6), so
    /// that Carpool takes the first calls too.
    bool host_may_be_wrong(MpiOperation operation) const {
        return host_may_be_wrong_ && is_neighborhood(operation);
    }

    bool is_cartesian() const { return is_cartesian_; }

    /// Leaves the neighborhood collectives of this communicator to the host, since Carpool cannot
    /// use its topology. Called on all ranks. A duplicate does not inherit this.
    void leave_neighborhoods_to_host() { has_topology_ = false; }

private:
    int after(MpiOperation operation) const {
        return host_may_be_wrong(operation) ? 0 : Settings::of_process().after;
    }

    // all false for an intercommunicator
    bool several_ranks_ = false;
    bool has_topology_ = false;
    bool is_cartesian_ = false;
    bool host_may_be_wrong_ = false;
    std::array<int, Settings::operations> calls_ = {};
};

}  // namespace carpool::interpose
