#pragma once

#include "interpose/host_order.hpp"
#include "interpose/repetition.hpp"
#include "interpose/settings.hpp"
#include "mpi/attribute.hpp"

#include <mpi.h>

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace carpool::interpose {

/// Whether the calls on one communicator are made by Carpool; an attribute of the communicator.
///
/// Everything that this depends on is the same on all ranks: the communicator, the environment, how
/// many calls of an operation the host has made on the communicator or on what it is a duplicate
/// of, and what all ranks have refused or found out together. So all ranks decide alike without a
/// message. What happens on one rank alone, such as a call that its MPI refuses, changes nothing
/// here.
class CommUse {
public:
    explicit CommUse(MPI_Comm comm);

    /// The use of a communicator; null if none of its calls are taken.
    static CommUse* of(MPI_Comm comm);

    /// Why the host makes a call, for the report.
    /// @param use    that of the communicator, or null
    /// @param asked  whether such calls are to be taken
    static const char* why_not(const CommUse* use, bool asked, MpiOperation operation, Form form);

    /// Whether Carpool makes a blocking or nonblocking call now, unless a blocking one still has to
    /// find out whether calls_repeat().
    bool takes_call(MpiOperation operation, Form form) const {
        const auto& calls = calls_[index_of(operation)];
        return calls.made >= calls.due && may_take(operation, form) &&
               (form == Form::blocking || calls.repeat);
    }

    /// Counts a blocking or nonblocking call that the host has made.
    void count(MpiOperation operation) { ++calls_[index_of(operation)].made; }

    /// Whether the arguments of a call that the host makes must be noted.
    bool watches(MpiOperation operation) const {
        const auto& calls = calls_[index_of(operation)];
        return !calls.repeat && calls.made + Repetition::looked_at >= calls.due;
    }
    void note(MpiOperation operation, std::uint64_t digest) {
        calls_[index_of(operation)].latest.note(digest);
    }

    /// Whether the calls of an operation repeat each other on all ranks. Where that matters, ranks
    /// tell each other in a call that Carpool would make, and again after four times as many calls.
    /// @note Collective
    bool calls_repeat(MpiOperation operation, MPI_Comm comm) {
        return calls_[index_of(operation)].repeat || all_repeat(operation, comm);
    }

    /// Whether Carpool may make an operation on this communicator at all.
    bool may_take(MpiOperation operation, Form form) const {
        if (!several_ranks_ || left_to_host_[index_of(operation)]) return false;
        return !is_neighborhood(operation) || (has_topology_ && is_right(operation, form));
    }

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

    bool all_repeat(MpiOperation operation, MPI_Comm comm);

    /// The blocking and nonblocking calls of an operation.
    struct Calls {
        int made = 0;         // by the host
        int due = 0;          // so many are the host's
        bool repeat = false;  // all ranks know that they do, or it does not matter
        Repetition latest = {};
    };

    bool several_ranks_ = false;  // false for an intercommunicator
    bool has_topology_ = false;
    bool is_short_torus_ = false;  // with one or two ranks along a dimension
    std::array<Calls, Settings::operations> calls_ = {};
    std::bitset<Settings::operations> left_to_host_ = {};
};

}  // namespace carpool::interpose
