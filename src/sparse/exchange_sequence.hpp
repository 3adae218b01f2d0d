// SPDX-License-Identifier: MIT
#pragma once

#include "agree/node_barrier.hpp"
#include "call/bound_call.hpp"
#include "mpi/comm/comm_state.hpp"
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
/// Exchanges are numbered the same on all ranks, and one begins only when all that are `most_open`
/// older have ended on this rank. An exchange that has ended here has begun on all ranks. So when
/// another exchange gets the same tags, 2 * `most_open` numbers later, no rank matches messages of
/// the first any more: tags may be used again for ever. And what the exchange `most_open` before
/// has demanded of the ranks is known to all ranks when they choose the strategy of the next.
class ExchangeSequence : public std::enable_shared_from_this<ExchangeSequence> {
public:
    /// An exchange that has been bound, which is used again for others with its strategy.
    struct Kept {
        Demand demand;  ///< for which its strategy was chosen
        std::shared_ptr<call::BoundCall> bound;
        RunningProtocol* protocol;  ///< belongs to the bound call
    };

    /// Opened by the first exchange. @note Collective over comm; `state` is its state.
    void open(const std::shared_ptr<mpi::CommState>& state, MPI_Comm comm);
    bool is_open() const { return !tags_.empty(); }

    /// @note Collective.
    std::int64_t next_number() { return numbers_++; }

    /// Which ranks check for mistakes, by the environment at the first exchange.
    arguments::Check check() const { return check_; }

    /// The barrier by which ranks that share memory find out that all has been sent; opened by the
    /// first exchange.
    agree::NodeBarrier& barrier() { return barrier_; }

    /// Ends the wait of all other exchanges for the first: all ranks have agreed on the settings,
    /// or failed to.
    void agreed(const SparseSettings& settings, double ranks_per_core);
    void failed(const mpi::Error& error);

    /// The error after which no exchange begins here any more, if there was one.
    std::optional<mpi::Error> failure();

    /// Whether an exchange may begin. The first may; any other when the first has agreed, and all
    /// that are `most_open` older have ended here. Throws on all ranks if their settings differ.
    bool may_begin(std::int64_t number);

    Tags tags(std::int64_t number) const;

    /// The settings that all ranks have agreed on. @pre agreed() was called: the first exchange has
    /// been planned, any other may begin
    const SparseSettings& settings() const { return *settings_; }
    choose::Machine machine() const { return settings_->machine(ranks_per_core_); }

    /// The demand that an exchange is planned for: that of the one `most_open` before.
    Demand expected_demand(std::int64_t number, int ranks);

    /// The state of that exchange, which is one by fixed partners.
    /// @param state  of the communicator
    PartnerState& partner_state(std::int64_t number, const Strategy& strategy,
                                const mpi::CommState& state);

    /// The bound exchange that the next one is to use, if that may begin at once; else nothing. No
    /// other call may use it meanwhile.
    std::optional<Kept> kept_for_next();
    void keep(Kept bound);

    /// The exchange has ended on this rank. @param demand  the largest of all ranks
    void end(std::int64_t number, const Demand& demand);

    /// The exchange has failed half-way on this rank. No other begins here any more, and memory
    /// that MPI may still use is never freed.
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
    std::bitset<most_open> ended_;               // later ones that have ended, each at its number
    std::array<Demand, 2 * most_open> demands_;  // of the latest exchanges

    /// The state that an exchange leaves to the next one that gets its tags.
    struct InheritedState {
        Strategy strategy;
        PartnerState partner_state;
    };
    std::array<std::unique_ptr<InheritedState>, 2 * most_open> inherited_;
    std::vector<Kept> kept_;  // the latest last
    agree::NodeBarrier barrier_;
};

}  // namespace carpool::sparse
