// SPDX-License-Identifier: MIT
#pragma once

#include "agree/votes.hpp"
#include "call/latest_plans.hpp"
#include "mpi/attribute.hpp"
#include "mpi/comm/agreement.hpp"
#include "mpi/comm/call_code.hpp"
#include "mpi/comm/comm_state.hpp"
#include "mpi/comm/vote_transport.hpp"
#include "mpi/library.hpp"
#include "report/profile.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace carpool::call {

/// The communicator of a call, its place in the order of calls, and when it returns.
struct Ticket {
    MPI_Comm comm;
    std::shared_ptr<mpi::CommState> state;  ///< the state of comm
    int tag;                                ///< the tag of its messages, or the first of their tags
    std::int64_t number;                    ///< the call's number on comm, from 1 on
    bool persistent;                        ///< a persistent request; all its starts have the tag
    bool together;                          ///< no rank leaves the call before it has been planned
};

/// The communicator for a persistent collective of the host MPI: a duplicate on Open MPI, whose
/// requests do not keep their communicator alive.
/// @note Collective at the first call.
inline MPI_Comm comm_of_host(const Ticket& ticket) {
    return mpi::is_open_mpi() ? ticket.state->twin(ticket.comm) : ticket.comm;
}

/// What a call needs until it is bound. It is looked up when the call begins, since comm may be
/// freed before the call ends.
struct CallContext {
    explicit CallContext(Ticket t)
        : ticket(std::move(t)),
          votes(mpi::Attribute<agree::VoteTransports>::of(ticket.comm)),
          plans(ticket.persistent ? nullptr : mpi::Attribute<LatestPlans>::of(ticket.comm)),
          stream(ticket.state->stream()),
          profile(report::Profile::wanted()),
          comm(profile != nullptr ? profile->number_of(ticket.comm) : 0) {}

    /// The transport of the first vote. Null for the first call, which votes on comm itself, so
    /// that the vote and the duplication of the channel run at the same time.
    std::shared_ptr<mpi::VoteTransport> first_vote() const {
        return votes_on_comm() ? nullptr : vote();
    }
    bool votes_on_comm() const { return ticket.number == 1; }

    std::shared_ptr<mpi::VoteTransport> vote() const { return vote(ticket.tag); }
    std::shared_ptr<mpi::VoteTransport> vote(int tag) const {
        return agree::VoteTransports::lend(votes, ticket.state, tag);
    }

    /// The number of a blocking or nonblocking call on comm.
    std::int64_t sequence_number() const { return ticket.state->number_of(ticket.tag); }

    /// The tag of the call's messages with that code.
    int tag_of(mpi::CallCode code) const {
        return ticket.state->tag_in(ticket.state->tags_of_call(sequence_number()), code.number());
    }

    Ticket ticket;

    std::shared_ptr<agree::VoteTransports> votes;
    std::shared_ptr<LatestPlans> plans;  ///< null for a persistent request
    device::Stream stream;               ///< the stream of buffers on a GPU
    report::Profile* profile;            ///< null if no report is wanted
    int comm;                            ///< its number in the report
};

/// The claims on which the ranks have agreed. If all ranks wait in the call, they also find out how
/// claims differ. A rank may have called the nonblocking form by mistake; then no rank sends
/// anything more.
inline std::vector<mpi::Claim> conclude(mpi::Agreement& agreement) {
    return agreement.tally().all_wait() ? agreement.conclude_together() : agreement.conclude();
}

}  // namespace carpool::call
