// SPDX-License-Identifier: MIT
#pragma once

#include "call/bound_call.hpp"
#include "call/candidate_set.hpp"
#include "call/context.hpp"
#include "choose/cheapest.hpp"
#include "engine/bind.hpp"
#include "engine/communication.hpp"
#include "engine/exchange.hpp"
#include "engine/steps.hpp"
#include "mpi/comm/agreement.hpp"
#include "mpi/comm/call_code.hpp"
#include "mpi/comm/comm_state.hpp"
#include "mpi/comm/tally.hpp"
#include "mpi/error.hpp"
#include "schedule/schedule.hpp"
#include "schedule/straight.hpp"

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::call {

/// One rank's part in the vote on a call, before any block is sent.
struct Statement {
    std::vector<mpi::Claim> claims;  ///< what must be the same on all ranks
    std::optional<mpi::Error> mistake;
    mpi::Tally tally;
    int guesses = 0;  ///< most values of a claim with guesses, the same on all ranks
};

/// The schedule of a candidate on this rank, perhaps without the sizes of forwarded blocks.
struct ScheduleDraft {
    schedule::Schedule schedule;

    /// Set if sizes are still to be learnt along the schedule, in which all blocks then have 8
    /// bytes.
    std::optional<schedule::DividedBlocks> unsized = {};
};

/// The result of the vote on a call.
struct VoteResult {
    std::vector<mpi::Claim> claims = {};  ///< guesses are replaced by what other ranks know
    mpi::Tally tally = {};
    std::optional<mpi::Error> refusal = {};  ///< the error, if ranks do not agree

    void throw_if_refused() const {
        if (refusal) throw mpi::Error(*refusal);
    }
};

/// What a schedule is bound to.
struct BindingParts {
    engine::Buffers buffers;
    engine::Manner manner;  ///< how its messages are posted and watched
};

/// How the host MPI's collective is to be used.
enum class HostUse {
    persistent,  ///< as a request that is started often
    rehearsal,   ///< the same on memory of its own, for a measurement
};

// One object describes one call of a kind of collective on one rank. It has three parts, which the
// pipeline (pipeline.hpp) uses in this order. Their functions throw the same error on all ranks,
// unless their comments say otherwise.

/// The first part: what is called, and what all ranks must agree on.
class CallClaims {
public:
    CallClaims() = default;
    CallClaims(const CallClaims&) = delete;
    CallClaims& operator=(const CallClaims&) = delete;
    virtual ~CallClaims() = default;

    /// Steps that all ranks take together before this rank can state its claims, as in the first
    /// call on a communicator; none if nothing is to be done.
    virtual std::optional<engine::Steps<void>> opening(const CallContext&) { return std::nullopt; }

    /// Whether all ranks vote on the call before it is planned; else each trusts its own arguments.
    /// The same on all ranks.
    virtual bool votes() const = 0;

    /// What this rank has read; the operation is the first claim. A mistake becomes known to all
    /// ranks.
    virtual Statement statement() const = 0;

    /// Receives the result of the vote. Throws its error, or keeps the error for later.
    virtual void agree(const VoteResult& vote, const Ticket& ticket) = 0;

    /// Goes on with this rank's arguments, if there is no vote. May throw on one rank alone if
    /// messages have a code.
    virtual void proceed_without_vote(const Ticket&) {}
};

/// The second part: the candidates that can do the call.
class CallCandidates {
public:
    virtual ~CallCandidates() = default;

    /// Steps that all ranks take together, such as planning, before the candidates are known; none
    /// if nothing is to be done. @pre the channel is ready
    virtual std::optional<engine::Steps<void>> planning(const CallContext&) { return std::nullopt; }

    /// The candidates, and what is needed to choose one of them.
    virtual CandidateSet candidate_set() = 0;

    /// Whether the host MPI's persistent collective may replace the request, as far as this rank
    /// knows. It may if all ranks say so.
    virtual bool has_host_form() const { return false; }

    /// The host MPI's persistent collective.
    /// @note Collective over comm, and all ranks wait in the call. @pre has_host_form() on all
    /// ranks
    virtual std::unique_ptr<engine::Communication> at_host(MPI_Comm, HostUse) const {
        return nullptr;
    }

    /// Writes the schedule of this rank; sizes of forwarded blocks may still have to be learnt. A
    /// family whose communication() is not the exchange of a schedule has none.
    virtual ScheduleDraft write(std::size_t) { return {}; }
};

/// The third part: how the chosen candidate is bound to the user's buffers.
class CallBinding {
public:
    virtual ~CallBinding() = default;

    /// A summary of the candidate. Name, phases and volume are the same on all ranks; rounds may be
    /// those of this rank.
    virtual engine::Summary summary(std::size_t candidate, const choose::Load& load) const = 0;

    /// The buffers and the manner of a schedule. Other memory that it needs goes into the bound
    /// call, whose summary is known.
    /// Not called for a family whose communication() is not the exchange of a schedule.
    /// @param tag  the tag of all starts, if they share one
    virtual BindingParts parts(std::size_t, schedule::Schedule&, BoundCall&,
                               std::optional<int>) const {
        return {};
    }

    /// The communication that is started, by default the exchange of the schedule. parts() has
    /// given the bound call its memory once `exchange` has been called.
    using Exchange = std::function<std::unique_ptr<engine::Communication>()>;
    virtual std::unique_ptr<engine::Communication> communication(
        [[maybe_unused]] std::size_t candidate, const BoundCall&, const CallContext&,
        const Exchange& exchange) {
        return exchange();
    }

    /// The code in the tags of a blocking or nonblocking call's messages, by which ranks find out
    /// whether all make the same call; none if messages show it otherwise.
    virtual std::optional<mpi::CallCode> code(std::size_t) const { return std::nullopt; }

    /// Keeps the bound call, to be filled with the arguments of later ones, or adds to it what it
    /// needs.
    virtual void keep(const std::shared_ptr<BoundCall>&) {}
};

/// A kind of collective as the pipeline sees it.
class Family : public CallClaims, public CallCandidates, public CallBinding {};

}  // namespace carpool::call
