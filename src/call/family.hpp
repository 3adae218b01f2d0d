#pragma once

#include "call/bound_call.hpp"
#include "call/choosable.hpp"
#include "call/context.hpp"
#include "choose/cheapest.hpp"
#include "engine/bind.hpp"
#include "engine/communication.hpp"
#include "engine/exchange.hpp"
#include "engine/steps.hpp"
#include "mpi/agreement.hpp"
#include "mpi/call_code.hpp"
#include "mpi/comm_state.hpp"
#include "mpi/error.hpp"
#include "mpi/tally.hpp"
#include "schedule/schedule.hpp"
#include "schedule/straight.hpp"

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::call {

/// What one rank says of a call before anybody sends anything.
struct Statement {
    std::vector<mpi::Claim> claims;  ///< what all must say alike
    std::optional<mpi::Error> mistake;
    mpi::Tally tally;
    int guesses = 0;  ///< most values of one claim of which some are guesses, alike on all ranks
};

/// A candidate's part on this rank.
struct Written {
    schedule::Schedule schedule;

    /// Where sizes are to be learnt along the schedule: all its blocks are taken for 8 bytes.
    std::optional<schedule::Divided> unsized = {};
};

/// What all ranks have said of it.
struct VoteResult {
    std::vector<mpi::Claim> claims = {};  ///< guesses in them are replaced by what others know
    mpi::Tally tally = {};
    std::optional<mpi::Error> refusal = {};  ///< they do not agree

    void throw_if_refused() const {
        if (refusal) throw mpi::Error(*refusal);
    }
};

/// What a bound schedule is given.
struct BindingParts {
    engine::Buffers buffers;
    engine::Manner manner;  ///< how its messages are posted and watched
};

/// What MPI's own collective is to do.
enum class HostUse {
    persistent,  ///< be started often
    rehearsal,   ///< the same, on memory of its own
    blocking,    ///< end once
};

// One object describes one call of a kind of collective on one rank, in three parts, in whose order
// the pipeline (pipeline.hpp) asks. What they throw they throw alike on all ranks, unless they say
// otherwise.

/// What is called.
class Claiming {
public:
    Claiming() = default;
    Claiming(const Claiming&) = delete;
    Claiming& operator=(const Claiming&) = delete;
    virtual ~Claiming() = default;

    /// What all ranks must find out together before this one can say what it wants, or that all
    /// have come for the first call of a kind; none for nothing.
    virtual std::optional<engine::Steps<void>> opening(const CallContext&) { return std::nullopt; }

    /// Does the call ask all ranks before it is planned? Else each takes its own word. Alike on all
    /// ranks.
    virtual bool asks() const = 0;

    /// What this rank has read, first the operation. A mistake in it is for all to know.
    virtual Statement statement() const = 0;

    /// Hears what all ranks have said. Throws what they refuse, or keeps it for later.
    virtual void agree(const VoteResult& vote, const Ticket& ticket) = 0;

    /// This rank's own word, where nobody asks. May throw on one rank alone, where messages have a
    /// code.
    virtual void take_own_word(const Ticket& ticket) = 0;
};

/// How it can be done.
class Offering {
public:
    virtual ~Offering() = default;

    /// What must be there, or be planned by all ranks together, before candidates are known; none
    /// for nothing. @pre the channel is there
    virtual std::optional<engine::Steps<void>> planning(const CallContext&) { return std::nullopt; }

    /// The ways to do it, and what is to be known to choose one of them.
    virtual Choosable choosable() = 0;

    /// May MPI's own persistent collective stand for it? As this rank knows; it may where all ranks
    /// say so.
    virtual bool has_host_form() const { return false; }

    /// MPI's own collective. @note Collective over comm if it is persistent, and all ranks wait in
    /// the call. @pre has_host_form, or Choosable::host_call_fits, on all ranks
    virtual std::unique_ptr<engine::Communication> at_host(MPI_Comm, HostUse) const {
        return nullptr;
    }

    /// Writes what this rank does; sizes of blocks in transit may have to be learnt.
    virtual Written write(std::size_t candidate) = 0;
};

/// How the candidate that is taken is bound.
class Binding {
public:
    virtual ~Binding() = default;

    /// What is chosen: its name, phases and volume are alike on all ranks, rounds may be those of
    /// this one.
    virtual engine::Summary summary(std::size_t candidate, const choose::Load& load) const = 0;

    /// Buffers and manner of a schedule; what else it needs lies in the bound call, whose summary
    /// is known. @param tag  of all starts, if they share one
    virtual BindingParts parts(std::size_t candidate, schedule::Schedule& schedule,
                               BoundCall& bound, std::optional<int> tag) const = 0;

    /// What is started, by default the exchange of the schedule.
    using Exchange = std::function<std::unique_ptr<engine::Communication>()>;
    virtual std::unique_ptr<engine::Communication> communication(
        [[maybe_unused]] std::size_t candidate, const CallContext&, const Exchange& exchange) {
        return exchange();
    }

    /// What the messages of a call that ends once say of it, so that ranks find out from them
    /// whether all do the same; none where they say it otherwise.
    virtual std::optional<mpi::CallCode> code(std::size_t) const { return std::nullopt; }

    /// Keeps the bound call for the same arguments to come, or what it needs.
    virtual void keep(const std::shared_ptr<BoundCall>& bound) = 0;
};

/// A kind of collective as the pipeline sees it.
class Family : public Claiming, public Offering, public Binding {};

}  // namespace carpool::call
