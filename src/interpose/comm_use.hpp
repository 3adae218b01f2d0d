// SPDX-License-Identifier: MIT
#pragma once

#include "interpose/call_history.hpp"
#include "interpose/host_order.hpp"
#include "interpose/settings.hpp"
#include "mpi/attribute.hpp"

#include <mpi.h>

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace carpool::interpose {

/// Whether the calls on one communicator are made by Carpool; an attribute of the communicator.
///
/// Everything that this depends on is the same on all ranks: the communicator, the environment, how
/// many calls of an operation the host has made on the communicator or on the one that it
/// duplicates, and what all ranks have refused or found out together. So all ranks decide alike,
/// and only ask() sends messages for it. What happens on one rank alone, such as a call that
/// its MPI refuses, changes nothing here.
class CommUse {
public:
    explicit CommUse(MPI_Comm comm);

    /// The use of a communicator; null if none of its calls are taken. @pre mpi::in_use(comm)
    static CommUse* of(MPI_Comm comm);

    /// Why the host makes a call, for the report.
    /// @param use    that of the communicator, or null
    /// @param asked  whether such calls are to be taken
    static std::string_view why_not(const CommUse* use, bool asked, MpiOperation operation,
                                    Form form);

    /// Whether Carpool makes a blocking or nonblocking call now, as far as is known before ranks
    /// ask each other.
    bool takes_call(MpiOperation operation, Form form) const {
        const auto& calls = calls_[index_of(operation)];
        if (calls.made() < Settings::of_process().after[index_of(operation)]) return false;
        const bool asks = form == Form::blocking && calls.must_ask();
        return (calls.is_taken() || asks) && may_take(operation, form);
    }

    /// The blocking and nonblocking calls of an operation.
    CallHistory& calls(MpiOperation operation) { return calls_[index_of(operation)]; }

    /// Asks all ranks who makes the calls of an operation from now on. @return whether Carpool does
    /// @note Collective
    bool ask(MpiOperation operation, MPI_Comm comm);

    /// Whether Carpool may make an operation on this communicator at all.
    bool may_take(MpiOperation operation, Form form) const {
        if (!several_ranks_ || left_to_host_[index_of(operation)]) return false;
        return !is_neighborhood(operation) || (has_topology_ && is_right(operation, form));
    }

    /// Must be called before Carpool adopts a communicator. Where the host exchanges the blocks of
    /// edges that a graph lists more than once, all ranks then refuse to adopt such a graph: only
    /// the ranks that have such edges know of them. Local.
    void look_at_edges(MPI_Comm comm);

    /// Leaves an operation to the host from now on. Called on all ranks, which have refused a call
    /// together.
    void leave_to_host(MpiOperation operation) { left_to_host_.set(index_of(operation)); }

    /// Libraries duplicate communicators, some in each of their steps.
    static std::shared_ptr<CommUse> on_dup(const std::shared_ptr<CommUse>& original) {
        if (!Settings::of_process().duplicates_inherit) return nullptr;
        return std::make_shared<CommUse>(*original);
    }

private:
    bool is_right(MpiOperation operation, Form form) const {
        return !is_short_torus_ || HostOrder::of_process().right_on_short_torus(operation, form);
    }

    bool several_ranks_ = false;  // false for an intercommunicator
    bool has_topology_ = false;
    bool looks_at_edges_ = false;  // a graph at which nobody has looked yet
    bool is_short_torus_ = false;  // with one or two ranks along a dimension
    std::array<CallHistory, Settings::operations> calls_ = {};
    std::bitset<Settings::operations> left_to_host_ = {};
};

}  // namespace carpool::interpose
