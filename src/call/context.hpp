#pragma once

#include "agree/votes.hpp"
#include "call/alike_calls.hpp"
#include "call/latest_plans.hpp"
#include "mpi/agreement.hpp"
#include "mpi/attribute.hpp"
#include "mpi/call_code.hpp"
#include "mpi/comm_name.hpp"
#include "mpi/comm_state.hpp"
#include "mpi/library.hpp"
#include "mpi/vote_transport.hpp"
#include "report/profile.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace carpool::call {

/// Where and when a call takes place.
struct Ticket {
    MPI_Comm comm;
    std::shared_ptr<mpi::CommState> state;  ///< of comm
    int tag;                                ///< of its messages, or the first of these
    std::int64_t number;                    ///< of the call on comm, from 1 on
    bool persistent;                        ///< the tag is that of all starts
    bool together;                          ///< no rank leaves the call before it has been planned
    bool waits = false;                     ///< no rank leaves the call before its end
};

/// For a persistent collective of MPI's own: Open MPI's do not keep their communicator.
/// @note Collective at the first call.
inline MPI_Comm comm_of_host(const Ticket& ticket) {
    return mpi::is_open_mpi() ? ticket.state->twin(ticket.comm) : ticket.comm;
}

/// What a call needs until it is bound. Looked up when the call begins: comm may be freed before it
/// ends.
struct CallContext {
    explicit CallContext(Ticket t)
        : ticket(std::move(t)),
          votes(mpi::Attribute<agree::VoteTransports>::of(ticket.comm)),
          plans(ticket.persistent ? nullptr : mpi::Attribute<LatestPlans>::of(ticket.comm)),
          alike(ticket.persistent ? nullptr : mpi::Attribute<AlikeTable>::of(ticket.comm)),
          profile(report::Profile::wanted()),
          comm_name(profile != nullptr ? mpi::comm_name(ticket.comm) : "") {}

    /// The first call votes on comm itself, so the vote and the duplication of the channel run at
    /// the same time. Null means that.
    std::shared_ptr<mpi::VoteTransport> first_vote() const {
        return votes_on_comm() ? nullptr : vote();
    }
    bool votes_on_comm() const { return ticket.number == 1; }

    std::shared_ptr<mpi::VoteTransport> vote() const { return vote(ticket.tag); }
    std::shared_ptr<mpi::VoteTransport> vote(int tag) const {
        return agree::VoteTransports::lend(votes, ticket.state, tag);
    }

    /// Of a call that ends once, on comm.
    std::int64_t turn() const { return ticket.state->number_of(ticket.tag); }

    /// The tag of its messages with that code.
    int tag_of(mpi::CallCode code) const {
        return ticket.state->tag_in(ticket.state->turn(turn()), code.number());
    }

    Ticket ticket;

    std::shared_ptr<agree::VoteTransports> votes;
    std::shared_ptr<LatestPlans> plans;  ///< of calls that end once
    std::shared_ptr<AlikeTable> alike;   ///< the same
    report::Profile* profile;            ///< null where no report is wanted
    std::string comm_name;               ///< for the report
};

/// What the ranks have agreed on. Where all wait in the call, they find out how claims differ; a
/// rank may have called the form that returns at once by mistake: then nobody talks on.
inline std::vector<mpi::Claim> conclude(mpi::Agreement& agreement) {
    return agreement.tally().all_wait() ? agreement.conclude_together() : agreement.conclude();
}

}  // namespace carpool::call
