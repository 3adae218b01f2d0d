#pragma once

#include "agree/node_barrier.hpp"
#include "call/bound_call.hpp"
#include "mpi/comm_state.hpp"
#include "mpi/error.hpp"
#include "sparse/parcel_sorter.hpp"
#include "sparse/partner_state.hpp"
#include "sparse/settings.hpp"

#include <mpi.h>

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace carpool::sparse {

class RunningProtocol;

/// What the exchanges on a communicator share.
///
/// Exchanges are numbered alike on all ranks, and one begins only when all that are `most_open`
/// older have ended here. An exchange that has ended here has begun on all ranks. So when another
/// one gets the same tags, twice as many later, nobody looks for messages of the first any more:
/// tags may come again for ever. And what the one `most_open` before has asked of the ranks is
/// known to all when they choose the strategy of the next.
class ExchangeSequence : public std::enable_shared_from_this<ExchangeSequence> {
public:
    /// An exchange that has been bound: others go the same way, by its strategy.
    struct Kept {
        Demand demand;  ///< that it was taken to have
        std::shared_ptr<call::BoundCall> bound;
        RunningProtocol* protocol;  ///< the bound call's
    };

    /// Opened by the first exchange. @note Collective over comm, whose state it is.
    void open(const std::shared_ptr<mpi::CommState>& state, MPI_Comm comm);
    bool is_open() const { return !tags_.empty(); }

    /// @note Collective.
    std::int64_t next_number() { return numbers_++; }

    /// Who finds mistakes, as the environment of the first exchange says.
    arguments::Check check() const { return check_; }

    /// By which ranks find out that all has been sent, where they share memory; opened by the first
    /// exchange.
    agree::NodeBarrier& barrier() { return barrier_; }

    /// Ends the wait of all other exchanges for the first: all ranks have agreed on the settings,
    /// or failed to.
    void agreed(const SparseSettings& settings, double ranks_per_core);
    void failed(const mpi::Error& error);

    /// Why none begins here any more.
    std::optional<mpi::Error> failure();

    /// May an exchange begin? The first may; another one when the first has agreed, and those that
    /// are `most_open` older have ended here. Throws, on all ranks, if their settings differ.
    bool may_begin(std::int64_t number);

    Tags tags(std::int64_t number) const;

    /// What all ranks have agreed on. @pre agreed: for the first exchange behind its planning, for
    /// others once they may begin
    const SparseSettings& settings() const { return *settings_; }
    choose::Machine machine() const { return settings_->machine(ranks_per_core_); }

    /// What an exchange is taken to demand: as much as the one `most_open` before.
    Demand expected_demand(std::int64_t number, int ranks);

    /// For that exchange, which goes by fixed partners. @param state  whose sequence it is
    PartnerState& partner_state(std::int64_t number, const Strategy& strategy,
                                const mpi::CommState& state);

    /// The one that the next exchange goes by, if that may begin at once; else null. No other call
    /// may use it meanwhile.
    std::optional<Kept> kept_for_next();
    void keep(Kept bound);

    /// It has ended on this rank. @param demand  that of all ranks
    void end(std::int64_t number, const Demand& demand);

    /// It has failed half-way on this rank. None begins here any more, and memory that MPI may
    /// still use is never freed.
    void break_off(std::int64_t number);

    void on_free();

private:
    static constexpr int most_open = 4;

    std::vector<mpi::CommState::Tag> tags_;
    arguments::Check check_ = arguments::Check::local;
    std::int64_t numbers_ = 0;

    std::mutex mutex_;  // any thread may progress an exchange to its end
    std::optional<SparseSettings> settings_;
    double ranks_per_core_ = 1;
    std::optional<mpi::Error> failure_;
    std::int64_t all_ended_before_ = 0;
    std::bitset<most_open> ended_;               // of the later ones, each at its number
    std::array<Demand, 2 * most_open> demands_;  // of the latest

    /// What an exchange leaves to the next one that gets its tags.
    struct Inherited {
        Strategy strategy;
        PartnerState partner_state;
    };
    std::array<std::unique_ptr<Inherited>, 2 * most_open> inherited_;
    std::vector<Kept> kept_;  // the latest last
    agree::NodeBarrier barrier_;
};

}  // namespace carpool::sparse
