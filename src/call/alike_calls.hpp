#pragma once

#include "base/mutex.hpp"
#include "choose/cheapest.hpp"

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

/// Calls on a communicator that all ranks know to be alike. They go by costs, until all ranks meet
/// in a blocking one of them and settle by what they go from then on. All ranks count the blocking
/// ones, so they meet in the same call.
class AlikeCalls {
public:
    /// @param meets_in  the number of the blocking call in which ranks meet, from 1
    explicit AlikeCalls(int meets_in) : meets_in_(meets_in) {}

    /// May a call be done again as it was bound, by the candidate of that identity?
    bool may_go_by(std::size_t identity, bool blocking) const {
        if (settled()) return identity == settled_.identity() && (blocking || !at_host());
        if (!blocking || forgotten_) return !forgotten_;
        return blocking_ > 0 && blocking_ + 1 < meets_in_;
    }

    /// The same; counts it if it is blocking.
    bool goes_by(std::size_t identity, bool blocking) {
        const bool goes = may_go_by(identity, blocking);
        if (goes && blocking && !settled()) ++blocking_;
        return goes;
    }

    bool settled() const { return settled_at_.load(std::memory_order_acquire) != never; }

    /// What the ranks had settled on before a call. @param turn  of the call
    std::optional<choose::Chosen> settled_before(std::int64_t turn) const {
        const bool settled = settled_at_.load(std::memory_order_acquire) < turn;
        return settled ? std::optional(settled_) : std::nullopt;
    }

    /// In the meeting. @param turn  of the call that it is in
    void settle(choose::Chosen chosen, std::int64_t turn) {
        settled_ = std::move(chosen);
        settled_at_.store(turn, std::memory_order_release);
    }

    /// By which candidate a call goes as costs choose.
    struct ByCost {
        std::size_t identity;
        bool is_counted;  ///< and may come to go by another one
    };

private:
    friend class AlikeTable;

    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

    bool at_host() const { return settled_.number == host_call; }

    int meets_in_;
    std::atomic<int> blocking_ = 0;  // on a communicator there is one at a time
    std::atomic<bool> forgotten_ = false;
    std::unordered_map<int, ByCost> by_cost_;  // under the table's mutex
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

    /// The calls with this digest, which may be new here. A blocking one is counted. Any thread may
    /// ask. @param meets_in  the number of the blocking one in which all ranks meet, from 1
    Found of(std::uint64_t digest, int meets_in, bool blocking);

    /// Remembers by which candidate calls with this digest go. It follows from what all ranks know
    /// of these, so it is the same whoever asks and when.
    /// @param variant  tells calls that are alike, but for which costs may choose differently
    void remember(std::uint64_t digest, int meets_in, int variant, AlikeCalls::ByCost by_cost);

    /// How a call goes that need not be planned.
    struct Standing {
        std::shared_ptr<AlikeCalls> calls;  ///< where it is counted, else null
        std::size_t identity;               ///< of the candidate by which it goes
    };

    /// Nothing where no such call has been planned yet.
    std::optional<Standing> standing(std::uint64_t digest, int variant) const;

private:
    static constexpr int most = 1024;  // that are counted, and that are settled

    std::shared_ptr<AlikeCalls> made(std::uint64_t digest, int meets_in);
    bool meets(AlikeCalls& calls);
    void forget_unsettled();
    void forget_uncounted();

    mutable base::Mutex mutex_;
    std::unordered_map<std::uint64_t, std::shared_ptr<AlikeCalls>> all_;
    int counted_ = 0;  ///< of which a blocking call has been counted, since some were forgotten
};

}  // namespace carpool::call
