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

/// Stands for the host MPI's blocking collective in place of a candidate's number. Small enough
/// that Chosen::identity() does not overflow.
inline constexpr std::size_t host_call = std::numeric_limits<std::size_t>::max() / 2;

/// Calls on a communicator that all ranks know to be similar. Costs choose their candidate until
/// all ranks meet in one of the blocking calls and settle on a candidate for all later ones. All
/// ranks count the blocking calls, so they meet in the same one.
class SimilarCalls {
public:
    /// @param meets_in  the number of the blocking call in which ranks meet, counted from 1
    explicit SimilarCalls(int meets_in) : meets_in_(meets_in) {}

    /// Whether a call that was bound for the candidate of that identity may be made again.
    bool may_use(std::size_t identity, bool blocking) const {
        if (settled()) return identity == settled_.identity() && (blocking || !at_host());
        if (!blocking || forgotten_) return !forgotten_;
        return blocking_ > 0 && blocking_ + 1 < meets_in_;
    }

    /// The same; counts the call if it may be made and is blocking.
    bool count_use(std::size_t identity, bool blocking) {
        const bool goes = may_use(identity, blocking);
        if (goes && blocking && !settled()) ++blocking_;
        return goes;
    }

    bool settled() const { return settled_at_.load(std::memory_order_acquire) != never; }

    /// The candidate on which ranks had settled before a call. @param turn  the call's
    std::optional<choose::Chosen> settled_before(std::int64_t turn) const {
        const bool settled = settled_at_.load(std::memory_order_acquire) < turn;
        return settled ? std::optional(settled_) : std::nullopt;
    }

    /// Settles on a candidate. @param turn  the turn of the call in which all ranks meet
    void settle(choose::Chosen chosen, std::int64_t turn) {
        settled_ = std::move(chosen);
        settled_at_.store(turn, std::memory_order_release);
    }

    /// The candidate that costs choose for a call.
    struct ByCost {
        std::size_t identity;
        bool is_counted;  ///< if so, ranks may settle on another candidate
    };

private:
    friend class SimilarCallTable;

    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

    bool at_host() const { return settled_.number == host_call; }

    int meets_in_;
    std::atomic<int> blocking_ = 0;  // calls counted; a communicator has one at a time
    std::atomic<bool> forgotten_ = false;
    std::unordered_map<int, ByCost> by_cost_;  // by variant, under the table's mutex
    choose::Chosen settled_;
    std::atomic<std::int64_t> settled_at_ = never;
};

/// All similar calls of a communicator. What ranks forget depends on blocking calls alone, which
/// all ranks make in the same order.
class SimilarCallTable {
public:
    struct Found {
        std::shared_ptr<SimilarCalls> calls;
        bool meet = false;  ///< all ranks meet in this call
    };

    /// The calls with this digest, which may be new here. A blocking call is counted. Any thread
    /// may call this.
    /// @param meets_in  the number of the blocking call in which all ranks meet, counted from 1
    Found of(std::uint64_t digest, int meets_in, bool blocking);

    /// Remembers the candidate that costs choose for calls with this digest. It depends only on
    /// what all ranks know of these calls, so it is the same on all ranks and at any time.
    /// @param variant  distinguishes similar calls for which costs may choose differently
    void remember(std::uint64_t digest, int meets_in, int variant, SimilarCalls::ByCost by_cost);

    /// The candidate of a call that need not be planned.
    struct Standing {
        std::shared_ptr<SimilarCalls> calls;  ///< null if the call is not counted
        std::size_t identity;                 ///< the identity of its candidate
    };

    /// Nothing if no such call has been planned yet.
    std::optional<Standing> standing(std::uint64_t digest, int variant) const;

private:
    static constexpr int most = 1024;  // digests that are counted, and that are settled

    std::shared_ptr<SimilarCalls> made(std::uint64_t digest, int meets_in);
    bool meets(SimilarCalls& calls);
    void forget_unsettled();
    void forget_uncounted();

    mutable base::Mutex mutex_;
    std::unordered_map<std::uint64_t, std::shared_ptr<SimilarCalls>> all_;
    int counted_ = 0;  ///< digests with a blocking call counted since some were forgotten
};

}  // namespace carpool::call
