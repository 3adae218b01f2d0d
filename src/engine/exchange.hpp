// SPDX-License-Identifier: MIT
#pragma once

#include "base/rank_visitor.hpp"
#include "engine/bind.hpp"
#include "engine/communication.hpp"
#include "engine/transfers.hpp"
#include "engine/transport_choice.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace carpool::engine {

/// How an exchange watches the receives whose blocks something else waits for: `any` of them may be
/// the next to end, or all of one phase end before those of the next are tested. The latter costs
/// MPI less, and is as good where the next phase waits for all of them.
enum class Watch { any, by_phase };

/// How the messages of an exchange are packed, posted and watched.
struct Manner {
    Packing packing = Packing::pack;
    Watch watch = Watch::any;
    TransportChoice transport = TransportChoice::automatic;
    std::optional<int> tag = {};  ///< the tag of all starts; without it each start is given its own
    bool checked = false;  ///< block sizes are not agreed upon: messages may differ from them
    bool summed = false;   ///< part of a reduction: blocks are added to others, here or elsewhere
    bool fills = false;    ///< the exchange may be filled with other buffers
};

/// A bound schedule that can be started again and again. A start allocates nothing and makes no
/// datatypes.
///
/// All receives are posted at the start. A send leaves when the blocks that it forwards have
/// arrived and the sums among them have been made, whatever else is missing.
class Exchange final : public Communication {
public:
    Exchange(const schedule::Schedule& schedule, const Buffers& buffers,
             const Transports& transports, const Manner& manner);
    ~Exchange() override;

    /// Fills it with other buffers, whose blocks may have other lengths. Allocates only where these
    /// need more memory than any before.
    /// @param temp_bytes  per temporary slot, the bytes of the block that rests there
    /// Throws MPI_ERR_ARG if a block that stays on this rank has another length at its end; then it
    /// must be filled again before a start.
    /// @pre Manner::fills, and not under way
    void fill(const Buffers& buffers, std::span<const std::int64_t> temp_bytes);

    /// The same for buffers whose blocks are as long as those before.
    void fill(const Buffers& buffers);

    void start(int tag) override;
    bool advance() override;
    void withdraw() override;
    bool under_way() const override { return active_; }
    void visit_awaited(const base::RankVisitor& visit) const override {
        transfers_.visit_awaited(visit);
    }
    bool forwards() const override { return forwards_; }
    bool only_receives() const override { return only_receives_; }
    SharedUse shared_use() const { return transfers_.shared_use(); }

private:
    struct Kept;

    bool is_watched(std::size_t receive) const;
    void order_receives();
    void find_phases();
    void order_tasks();
    TransferList transfers(std::optional<int> tag);
    void unlock(const std::vector<int>& tasks);
    void run(std::size_t task);
    void run_ready();
    bool relayed();
    bool relayed_by_phase();
    void arrived(int relay);
    void complete();

    std::unique_ptr<Kept> kept_;  // null if the exchange is bound only once
    BoundSchedule bound_;
    Watch watch_;
    bool checked_;
    bool summed_;
    bool active_ = false;
    bool forwards_ = false;
    bool only_receives_ = false;
    int relays_ = 0;  // how many receives are watched; these come before all others
    int relays_left_ = 0;
    std::vector<int> order_;       // per receive, its place in the order of watching
    std::vector<int> relay_;       // per watched receive, its number among all
    std::vector<int> phase_ends_;  // per phase, the place behind its last watched receive
    std::size_t phase_ = 0;        // the first phase that has not ended
    std::vector<int> at_start_;    // tasks that wait for nothing
    std::vector<int> missing_;     // per task, how many others it still waits for
    std::vector<int> ready_;       // tasks that can run, first in, first out
    std::vector<int> ended_;       // room for the watched receives that have ended
    Transfers transfers_;
};

/// Makes an exchange: binds what one rank does to its buffers. Local.
std::unique_ptr<Exchange> exchange_of(const mpi::CommState& state,
                                      const schedule::Schedule& schedule, const Buffers& buffers,
                                      const Manner& manner);

}  // namespace carpool::engine
