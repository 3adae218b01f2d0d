#pragma once

#include "base/mutex.hpp"
#include "choose/cheapest.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::call {

/// Instead of the number of a candidate: MPI's own blocking collective. Its identity is a number,
/// too.
inline constexpr std::size_t host_call = std::numeric_limits<std::size_t>::max() / 2;

/// Calls on a communicator that all ranks know to be alike. They go by costs, until all ranks meet
/// in a blocking one of them and settle by what they go from then on. All ranks count the blocking
/// ones, so they meet in the same call.
class AlikeCalls {
public:
    /// @param meets_in  the how-manieth blocking call ranks meet in
    explicit AlikeCalls(int meets_in) : meets_in_(meets_in) {}

    /// May a call be done again as it was bound, by the candidate of that identity? Counts it if it
    /// is blocking.
    bool goes_by(std::size_t identity, bool blocking) {
        if (settled()) return identity == settled_.identity() && (blocking || !at_host());
        if (!blocking || forgotten_) return !forgotten_;
        if (blocking_ == 0 || blocking_ + 1 >= meets_in_) return false;
        ++blocking_;
        return true;
    }

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

private:
    friend class AlikeTable;

    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

    bool at_host() const { return settled_.number == host_call; }
    bool settled() const { return settled_at_.load(std::memory_order_acquire) != never; }

    int meets_in_;
    int blocking_ = 0;  // calls; of blocking ones on a communicator there is one at a time
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
        bool meet;  ///< do all ranks meet in this call?
    };

    /// The calls with this key, which may be new here. Counts this one if it is blocking. Any
    /// thread may ask.
    Found of(const std::vector<std::int64_t>& key, int meets_in, bool blocking);

private:
    static constexpr int most = 1024;  // that are counted, and that are settled

    std::shared_ptr<AlikeCalls> find(const std::vector<std::int64_t>& key, int meets_in);
    bool meets(AlikeCalls& calls);
    void forget_unsettled();
    void forget_uncounted();

    base::Mutex mutex_;
    std::map<std::vector<std::int64_t>, std::shared_ptr<AlikeCalls>> all_;
    int counted_ = 0;  ///< of which a blocking call has been counted, since some were forgotten
};

}  // namespace carpool::call
