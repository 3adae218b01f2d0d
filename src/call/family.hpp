#pragma once

#include "call/bound_call.hpp"
#include "call/call_code.hpp"
#include "call/call_trial.hpp"
#include "call/context.hpp"
#include "call/small_collective.hpp"
#include "call/tuning.hpp"
#include "choose/cheapest.hpp"
#include "choose/past_choices.hpp"
#include "engine/exchange.hpp"
#include "engine/steps.hpp"
#include "mpi/agreement.hpp"
#include "mpi/comm_state.hpp"
#include "mpi/error.hpp"
#include "mpi/tally.hpp"
#include "schedule/schedule.hpp"
#include "schedule/straight.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
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

/// Bytes on one rank for which there is memory: nobody asks whether all ranks have it.
inline constexpr std::int64_t little_memory = 1 << 20;

/// A kind of collective as the pipeline sees it: one object describes one call of it on one rank.
/// The sections stand in the order in which the pipeline (pipeline.hpp) asks. What they throw
/// they throw alike on all ranks, unless they say otherwise.
class Family {
public:
    Family() = default;
    Family(const Family&) = delete;
    Family& operator=(const Family&) = delete;
    virtual ~Family() = default;

    // ---- open ----

    /// What all ranks must find out together before this one can say what it wants; none for
    /// nothing.
    virtual std::optional<engine::Steps<void>> opening(const CallContext&) { return std::nullopt; }

    // ---- read ----

    /// Does the call ask all ranks before it is planned? Else each takes its own word. Alike on all
    /// ranks.
    virtual bool asks() const = 0;

    /// By which code all ranks come to a call that asks only since it is the first of its kind:
    /// others, which do something else by mistake, may be past theirs. None for other calls.
    virtual std::optional<CallCode> code_of_first() const { return std::nullopt; }

    /// They have not all come: the next of its kind is the first again.
    virtual void first_failed() {}

    /// What is called: the first claim of the statement. @pre there is no mistake in it
    virtual mpi::Claim operation() const = 0;

    /// What this rank has read. A mistake in it is for all to know.
    virtual Statement statement() const = 0;

    // ---- agree ----

    /// What all ranks have said; guesses in the claims are replaced by what others know.
    virtual void agree(const std::vector<mpi::Claim>& claims, const mpi::Tally& tally,
                       const Ticket& ticket) = 0;

    /// This rank's own word, where nobody asks. May throw on one rank alone, where messages have a
    /// code.
    virtual void take_own_word(const Ticket& ticket) = 0;

    /// The ranks do not agree. Throws, or keeps the error for later.
    virtual void refuse(const mpi::Error& error, const mpi::Tally&) { throw mpi::Error(error); }

    /// May it go on? Asked again and again, once the channel is there.
    virtual bool may_go_on() { return true; }

    // ---- plan ----

    /// What all ranks must plan together before candidates are known; none for nothing.
    /// @pre the channel is there
    virtual std::optional<engine::Steps<void>> planning(const CallContext&) { return std::nullopt; }

    // ---- candidates ----

    /// What must be heard from the others before candidates are known; null for nothing.
    virtual SmallCollective* lesson(const mpi::CommState&) { return nullptr; }

    /// Takes in what the lesson has brought, once it has ended.
    virtual void learn() {}

    /// The ways to do it: the one that is told, or all that may be chosen or measured.
    virtual std::vector<choose::Candidate> candidates() = 0;

    /// Tells what is to be chosen from all else; none where to choose is cheap.
    virtual choose::PastChoices::Key key() const { return {}; }

    /// What costs are reckoned for. @pre agreed
    virtual choose::Machine machine() const = 0;

    /// Are candidates to be tried instead of reckoned, where all ranks wait for it?
    virtual bool measures() const { return false; }

    /// May a persistent request, or calls that end once, go by one candidate after the other, to
    /// find the fastest? Alike on all ranks.
    virtual bool tries_at_work() const { return false; }

    /// What may be tried then, and what may not. Alike on all ranks.
    virtual Leeway leeway() const { return {}; }

    /// Of a call that ends once, and that all ranks know: what no other call on the communicator
    /// has; none if only some of it is known to all, or nothing is to be chosen. @pre candidates()
    virtual CallTrials::Key shared_key() const { return {}; }

    /// Of a call with a shared key: do all ranks know the sizes of its blocks? Else they cannot
    /// reckon alike, so it goes by the first candidate until all have been tried. Alike on all
    /// ranks.
    virtual bool all_know_sizes() const { return true; }

    /// May another way than the first be quicker, as far as this rank knows?
    /// @param may_turn  its messages may go the other way
    /// @pre all do not know sizes
    virtual bool may_gain([[maybe_unused]] bool may_turn) const { return false; }

    /// May MPI's own collective stand for it? Not where the user asks for a way to do it. As this
    /// rank knows; it does where all ranks say so.
    virtual bool has_host_form() const { return false; }

    /// May MPI's own blocking collective do calls that are alike, if it fits? Not unless the user
    /// says so: in it ranks would wait for ever for one that is mistaken. Alike on all ranks.
    /// @pre there is a shared key
    virtual bool tries_host_call() const { return false; }

    /// As this rank knows, for all such calls on the communicator.
    virtual bool host_call_fits() const { return true; }

    /// MPI's own blocking collective, for a call that ends once. @pre it fits on all ranks
    virtual std::unique_ptr<engine::Communication> host_call(MPI_Comm) const { return nullptr; }

    /// Is MPI's own collective to stand for it where it may? Alike on all ranks.
    virtual bool prefers_host() const { return false; }

    /// Is it known to send what the first candidate sends?
    virtual bool host_is_like_the_first() const { return false; }

    /// MPI's own collective. @note Collective over comm, and all ranks wait in the call.
    /// @pre has_host_form on all ranks
    virtual std::unique_ptr<engine::Communication> host_form(MPI_Comm) const { return nullptr; }

    /// Where the caller says that it is, and what it calls there, in numbers that are alike on all
    /// ranks; none unless what is tried there is to be remembered.
    virtual std::vector<std::int64_t> site() const { return {}; }

    // ---- sizes ----

    /// Writes what this rank does; sizes of blocks in transit may have to be learnt.
    virtual Written write(std::size_t candidate) = 0;

    // ---- bind ----

    /// The buffers of a schedule; what else it needs lies in the bound call.
    virtual engine::Buffers buffers(std::size_t candidate, schedule::Schedule& schedule,
                                    BoundCall& bound) const = 0;

    /// How its messages are posted and watched. @param tag  of all starts, if they share one
    virtual engine::Manner manner(const engine::Summary& summary, std::optional<int> tag) const = 0;

    /// With what goes beside the exchange of a call that ends once, by which all ranks find out
    /// whether it is right; most need nothing.
    virtual std::unique_ptr<engine::Communication> confirmed(
        std::unique_ptr<engine::Communication> exchange, const CallContext&) {
        return exchange;
    }

    /// What has been chosen: its name, phases and volume are alike on all ranks, rounds may be
    /// those of this one.
    virtual engine::Summary summary(std::size_t candidate, const choose::Load& load) const = 0;

    /// Another communication than the exchange of a schedule; null where it is that.
    virtual std::unique_ptr<engine::Communication> protocol(std::size_t, const Ticket&) {
        return nullptr;
    }

    /// What the messages of a call that ends once say of it, so that ranks find out from them
    /// whether all do the same; none where they say it otherwise.
    virtual std::optional<CallCode> code(std::size_t) const { return std::nullopt; }

    /// Copies of blocks and blocks on their way may take so much memory that not every rank has it:
    /// then all vote once more. Alike on all ranks.
    virtual bool may_run_out(const choose::Load&) const { return false; }

    /// Keeps the bound call for the same arguments to come.
    virtual void keep(const std::shared_ptr<BoundCall>&) {}
};

}  // namespace carpool::call
