#pragma once

#include "base/mutex.hpp"
#include "call/comparison.hpp"
#include "choose/cheapest.hpp"
#include "choose/standings.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace carpool::call {

/// Several ways to do blocking calls that are alike, measured while they work. Which way a call
/// goes by follows from its number among all calls on the communicator, which all ranks know, and
/// from what they have compared. So they agree whichever of them finds the call in its cache, and
/// also after a call that was a mistake on some of them.
///
/// All ranks open it together, in a comparison of their own: at a call that is drawn by its number.
class CallTrial : public std::enable_shared_from_this<CallTrial> {
public:
    /// The ways that are tried, once it is opened.
    struct Rivals {
        std::vector<choose::Chosen> candidates;
        std::vector<std::string> names;
        std::optional<std::size_t> known = {};  ///< by an earlier run, of these
        std::string problem = {};               ///< by which what is found is remembered; or empty
        bool wanted = true;                     ///< worth a try, as far as this rank knows
        bool host = false;                      ///< the last is MPI's own blocking collective
        bool host_fits = false;                 ///< which can do it, as far as this rank knows
        bool only_known = false;                ///< the one that is known is in use for ever
    };

    /// @param digest  of what all ranks know of these calls
    /// @param first   that they go by until another one has won
    /// @param at_once  opened by the first call; else by one that is drawn. Alike on all ranks
    CallTrial(std::uint64_t digest, choose::Chosen first, bool at_once)
        : in_use_(first.identity()), digest_(digest), first_(std::move(first)), at_once_(at_once) {}

    /// Does a call of that number, of those that end once, go by the candidate of that identity,
    /// and at once?
    /// @param waits  it is blocking: others go by what is in use, and count nothing
    bool goes_by(std::size_t way, std::int64_t number, bool waits) {
        if (waits && number < quiet_until_) return way == in_use_;
        return waits ? !compares(number) && way == chosen(number).identity()
                     : way == in_use_at(number).identity();
    }

    /// Do all ranks compare before this blocking call?
    bool compares(std::int64_t number);

    bool opened() const { return standings_.has_value(); }

    /// Those with which it opens if the next comparison ends. Nothing is tried if there is one.
    void propose(Rivals rivals);

    /// Before this call.
    void write(Comparison& comparison, std::int64_t number) const;

    /// After it. False, and nothing changed, if another rank does not mean the same calls.
    bool conclude(const Comparison& comparison, std::int64_t number);

    /// The way of this blocking call. @pre it does not compare, or has done so
    choose::Chosen chosen(std::int64_t number);

    /// The way of one that does not wait.
    choose::Chosen in_use_at(std::int64_t number) const;

    /// Is it to be told how long that call takes?
    bool measures(std::int64_t number) const { return number == measured_; }
    void add(double seconds) { standings_->add(running_, seconds); }

private:
    static constexpr std::int64_t for_ever = std::numeric_limits<std::int64_t>::max();

    std::int64_t next_draw(std::int64_t number) const;
    double word() const;
    void open(std::int64_t number);
    void put_off(std::int64_t number);
    void leave_host_out();
    void reach(std::int64_t number);
    void take_in_use(std::int64_t number);
    void remember() const;
    void be_quiet();

    // Looked at by each call. Blocking calls on a communicator follow each other.
    std::int64_t quiet_until_ = 0;  ///< calls before go by what is in use without further thought
    std::size_t in_use_;            // the identity of the candidate
    std::int64_t measured_ = -1;

    std::uint64_t digest_;
    choose::Chosen first_;
    bool at_once_;
    Rivals rivals_;
    std::optional<choose::Standings> standings_;  ///< once opened
    std::int64_t began_ = 0;                      ///< the call before which ranks last compared
    std::int64_t spacing_ = 1;  ///< every how-manieth call on the communicator is one of these
    std::int64_t latest_ = 0;   ///< the latest of these here
    std::size_t running_ = 0;   ///< of the rivals

    mutable base::Mutex mutex_;  // of what follows: another thread may prepare a call
    std::vector<std::pair<std::int64_t, choose::Chosen>> taken_;  ///< from which call on, what
};

/// Instead of the number of a candidate: MPI's own blocking collective. Its identity is a number,
/// too.
inline constexpr std::size_t host_call = std::numeric_limits<std::size_t>::max() / 2;

/// Those of a communicator.
class CallTrials {
public:
    /// What all ranks know of a call, and what no other call has.
    using Key = std::vector<std::int64_t>;

    /// In its place where not all know the sizes.
    static constexpr std::int64_t any_sizes = -1;

    /// That of calls with this key, made with what first() says if there is none.
    template <typename First>
    std::shared_ptr<CallTrial> of(const Key& key, bool at_once, const First& first) {
        const std::lock_guard lock(mutex_);
        auto& found = trials_[key];
        auto trial = found.lock();
        if (!trial) found = trial = std::make_shared<CallTrial>(digest_of(key), first(), at_once);
        forget_some();
        return trial;
    }

    /// May one more be opened? Alike on all ranks.
    bool has_room() const { return opened_.size() < most_opened; }
    void keep(std::shared_ptr<CallTrial> opened) {
        if (std::ranges::find(opened_, opened) == opened_.end())
            opened_.push_back(std::move(opened));
    }

private:
    static constexpr std::size_t most_opened = 256;

    static std::uint64_t digest_of(const Key& key);
    void forget_some();

    base::Mutex mutex_;  // any thread may prepare a call
    std::map<Key, std::weak_ptr<CallTrial>> trials_;
    std::vector<std::shared_ptr<CallTrial>> opened_;  ///< the others live as long as calls
};

}  // namespace carpool::call
