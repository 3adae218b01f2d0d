#pragma once

#include "agree/small_collective.hpp"
#include "arguments/tuning.hpp"
#include "call/bound_call.hpp"
#include "call/choosable.hpp"
#include "call/context.hpp"
#include "choose/cheapest.hpp"
#include "engine/exchange.hpp"
#include "engine/steps.hpp"
#include "mistakes/call_code.hpp"
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
    virtual std::optional<mistakes::CallCode> code_of_first() const { return std::nullopt; }

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
    virtual agree::SmallCollective* lesson(const mpi::CommState&) { return nullptr; }

    /// Takes in what the lesson has brought, once it has ended.
    virtual void learn() {}

    /// The ways to do it, and what is to be known to choose one of them.
    virtual Choosable choosable() = 0;

    /// What costs are reckoned for. @pre agreed
    virtual choose::Machine machine() const = 0;

    /// May MPI's own persistent collective stand for it? As this rank knows; it may where all ranks
    /// say so.
    virtual bool has_host_form() const { return false; }

    /// That collective. @param rehearses  on memory of its own, not the user's
    /// @note Collective over comm, and all ranks wait in the call. @pre has_host_form on all ranks
    virtual std::unique_ptr<engine::Communication> host_form(
        MPI_Comm, [[maybe_unused]] bool rehearses) const {
        return nullptr;
    }

    /// MPI's own blocking collective, for a call that ends once. @pre Choosable::host_call_fits, on
    /// all ranks
    virtual std::unique_ptr<engine::Communication> host_call(MPI_Comm) const { return nullptr; }

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
    virtual std::optional<mistakes::CallCode> code(std::size_t) const { return std::nullopt; }

    /// Copies of blocks and blocks on their way may take so much memory that not every rank has it:
    /// then all vote once more. Alike on all ranks.
    virtual bool may_run_out(const choose::Load&) const { return false; }

    /// Keeps the bound call for the same arguments to come.
    virtual void keep(const std::shared_ptr<BoundCall>&) {}
};

}  // namespace carpool::call
