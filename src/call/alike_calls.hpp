#pragma once

#include "base/mutex.hpp"
#include "choose/cheapest.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

namespace carpool::call {

/// Instead of the number of a candidate: MPI's own blocking collective. Its identity is a number,
/// too.
inline constexpr std::size_t host_call = std::numeric_limits<std::size_t>::max() / 2;

/// Calls on a communicator that all ranks know to be alike.
///
/// At first blocking ones are MPI's own: to plan a call takes as long as many of them, and pays
/// only where it comes again. Then all ranks meet in one, and tell each other whether they repeat
/// theirs. If so, calls go by costs until ranks meet again and settle by what they go from then on.
/// All ranks count the blocking ones, so they meet in the same call.
class AlikeCalls {
public:
    /// In which blocking calls ranks meet.
    struct Plan {
        int host_calls;        ///< are MPI's own at first: ranks meet in the next one
        int measured_in = 32;  ///< planned ones until ranks meet and measure
    };

    explicit AlikeCalls(const Plan& plan)
        : plan_(plan),
          at_host_(plan.host_calls > 0),
          next_meeting_(at_host_ ? plan.host_calls + 1 : plan.measured_in) {}

    /// May a call be done again as it was bound, by the candidate of that identity? Counts it if it
    /// is blocking.
    bool goes_by(std::size_t identity, bool blocking) {
        if (settled() && identity != settled_.identity()) return false;
        if (!blocking) return settled() ? !settled_at_host() : !forgotten_;
        if (at_host_ || !goes_on()) return false;
        count(true);
        return true;
    }

    /// Counts a blocking call that is MPI's own; false, and not counted, if it is not, or ranks
    /// meet in it. @param own_call  digest of all that this rank gives
    bool goes_to_host(std::uint64_t own_call) {
        if (!at_host_ || !goes_on()) return false;
        count(note(own_call));
        return true;
    }

    /// Are blocking calls MPI's own now?
    bool at_host() const { return at_host_; }

    /// Do ranks meet again once they have settled?
    bool meets_again() const { return plan_.host_calls > 0; }

    /// In a meeting: has this rank repeated nearly all of its calls since the last one? To plan one
    /// takes as long as some twenty that are MPI's own, or that are done again.
    bool repeats() const {
        constexpr std::int64_t few = 2;
        const auto calls = blocking_ - since_;
        return !meets_again() || calls - repeated_ <= std::max(few, calls / 16);
    }

    /// What the ranks had settled on before a call. @param turn  of the call
    std::optional<choose::Chosen> settled_before(std::int64_t turn) const {
        const bool settled = settled_at_.load(std::memory_order_acquire) < turn;
        return settled ? std::optional(settled_) : std::nullopt;
    }

    // A meeting ends by one of these.

    /// Calls are MPI's own until the next one.
    void stay_at_host() {
        at_host_ = true;
        meet_in(meetings_grow * blocking_);
    }

    /// Calls are planned, by costs or as settled before.
    void plan() {
        at_host_ = false;
        meet_in(settled() ? meetings_grow * blocking_ : blocking_ + plan_.measured_in);
    }

    /// Calls go by this candidate. @param turn  of the call that the meeting is in
    void settle(choose::Chosen chosen, std::int64_t turn) {
        settled_ = std::move(chosen);
        settled_at_.store(turn, std::memory_order_release);
        meet_in(meets_again() ? meetings_grow * blocking_ : never);
    }

private:
    friend class AlikeTable;

    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
    static constexpr std::int64_t meetings_grow = 4;

    bool settled_at_host() const { return settled_.number == host_call; }
    bool settled() const { return settled_at_.load(std::memory_order_acquire) != never; }

    /// Needs the next blocking call neither the table nor a meeting?
    bool goes_on() const { return !forgotten_ && blocking_ > 0 && blocking_ + 1 < next_meeting_; }

    void count(bool repeated) {
        ++blocking_;
        repeated_ += repeated ? 1 : 0;
    }

    /// Has this rank given that lately? 0 is like nothing else.
    bool note(std::uint64_t own_call) {
        if (own_call == 0) return false;
        if (std::ranges::find(latest_, own_call) != latest_.end()) return true;
        latest_[next_latest_++ % latest_.size()] = own_call;
        return false;
    }

    void meet_in(std::int64_t call) {
        next_meeting_ = call;
        since_ = blocking_;
        repeated_ = 0;
    }

    Plan plan_;
    bool at_host_;               // of blocking calls on a communicator there is one at a time
    std::int64_t blocking_ = 0;  // calls, as all that follow
    std::int64_t next_meeting_;
    std::int64_t since_ = 0;     // those before the latest meeting
    std::int64_t repeated_ = 0;  // those after it that this rank has repeated
    std::array<std::uint64_t, 32> latest_ = {};
    std::size_t next_latest_ = 0;
    std::atomic<bool> forgotten_ = false;
    choose::Chosen settled_;
    std::atomic<std::int64_t> settled_at_ = never;
};

/// All alike calls of a communicator. What ranks forget follows from blocking calls alone, which
/// all of them make in one order.
class AlikeTable {
public:
    struct Found {
        std::shared_ptr<AlikeCalls> calls;
        bool meet = false;  ///< do all ranks meet in this call?
    };

    /// The calls with this digest, which may be new here. Any thread may ask.
    Found of(std::uint64_t digest, const AlikeCalls::Plan& plan);

    /// The same for a blocking call, which is counted.
    /// @param own_call  digest of all that this rank gives, or 0
    Found counted(std::uint64_t digest, const AlikeCalls::Plan& plan, std::uint64_t own_call);

    /// Null where there are none yet.
    std::shared_ptr<AlikeCalls> find(std::uint64_t digest) const;

private:
    static constexpr int most = 1024;  // that are counted, and that are settled

    std::shared_ptr<AlikeCalls> made(std::uint64_t digest, const AlikeCalls::Plan& plan);
    bool meets(AlikeCalls& calls, std::uint64_t own_call);
    void forget_unsettled();
    void forget_uncounted();

    mutable base::Mutex mutex_;
    std::unordered_map<std::uint64_t, std::shared_ptr<AlikeCalls>> all_;
    int counted_ = 0;  ///< of which a blocking call has been counted, since some were forgotten
};

}  // namespace carpool::call
