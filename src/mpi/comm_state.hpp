#pragma once

#include "base/mutex.hpp"
#include "base/turn_window.hpp"
#include "mpi/channel.hpp"
#include "mpi/endpoint_table.hpp"
#include "mpi/error.hpp"
#include "mpi/tuning_file.hpp"

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace carpool::mpi {

/// What one communicator needs for messages of its own: a channel, tags on it, and numbers for its
/// calls. A duplicate has none until its own first use.
class CommState {
public:
    /// The state of a communicator. At the first call one with a channel of its own, which a
    /// nonblocking duplication then makes: returns at once. One rank alone needs no duplicate.
    /// @note Collective at the first call.
    static std::shared_ptr<CommState> of(MPI_Comm comm);

    /// The same, whose channel is only made at the first call of that. Local.
    static std::shared_ptr<CommState> unopened(MPI_Comm comm);

    /// Gives a communicator a state on the channel of another one of the same processes.
    /// @note Collective, and synchronising. @pre comm has no state
    static std::shared_ptr<CommState> lent(std::shared_ptr<Channel> channel, MPI_Comm comm);

    explicit CommState(MPI_Comm comm);                                 ///< not opened yet
    CommState(MPI_Comm comm, const std::shared_ptr<Channel>& lender);  ///< @note Collective.
    CommState(const CommState&) = delete;  // MPI holds the address of its duplicate
    CommState& operator=(const CommState&) = delete;

    /// Is the channel there? Local. Throws, at every call, if MPI could not make it.
    bool ready();

    /// The same, for who waits for it in steps.
    bool test() { return ready(); }

    /// Was it there at the last look? Does not throw.
    bool has_channel() const { return ready_; }

    /// Returns when it is. @param idle  called meanwhile, again and again
    void wait(const std::function<void()>& idle = [] {});

    int rank() const { return rank_; }
    int size() const { return size_; }

    /// @pre ready
    const std::shared_ptr<Channel>& channel() const { return channel_; }
    MPI_Comm channel_comm() const { return channel_->comm(); }

    /// A duplicate of the communicator with its topology, for what may outlive that and must not
    /// mix with what the user does there. @note Collective over comm, whose state it is, at the
    /// first call. @pre ready
    MPI_Comm twin(MPI_Comm comm);

    /// The nodes of all ranks; null for one. @pre ready
    const std::shared_ptr<const topology::Nodes>& nodes() const { return nodes_; }

    /// Does any rank share memory with all others of its node? @pre ready
    bool all_share_memory() const { return channel_->endpoint_table().all_share; }

    /// Is every other rank on this node, and shares memory with this one? @pre ready
    bool all_on_one_node() const { return all_share_memory() && !nodes(); }

    /// What was measured on this machine, alike on all ranks; null where nothing was. @pre ready
    const choose::Tuned* tuned() const;

    /// At which lengths messages go another way, as measured or usual; alike on all ranks.
    /// @pre ready
    choose::CutOffs cut_offs() const;

    /// The rank as a endpoint, where it shares memory with this one. @pre ready
    shared::Endpoint* endpoint(int rank) const {
        return channel_->endpoint_table().endpoint(channel_rank(rank));
    }

    int channel_rank(int rank) const;
    int rank_of_channel_rank(int channel_rank) const;

    /// A tag for a persistent request, unused on all ranks as long as it lives.
    class Tag {
    public:
        /// Local until all tags have been in use once, also while the channel is not there. Throws
        /// MPI_ERR_OTHER, on all ranks alike, if all are in use now.
        /// @note Collective over comm, whose state it is.
        /// @param idle  called while others are waited for
        Tag(std::shared_ptr<CommState> state, MPI_Comm comm, bool (*idle)())
            : state_(std::move(state)), value_(state_->take_tag(comm, idle)) {}
        Tag(Tag&&) = default;
        Tag& operator=(Tag&&) = delete;
        ~Tag() {
            if (state_) state_->release_tag(value_);
        }

        const std::shared_ptr<CommState>& state() const { return state_; }
        int value() const { return value_; }

    private:
        std::shared_ptr<CommState> state_;
        int value_;
    };

    /// A call's place in the line of those that may find out something together with all ranks,
    /// one after the other: what is known when its turn comes is the same on all ranks.
    class Place {
    public:
        /// Behind all that have one. Calls take it in one order on all ranks.
        explicit Place(std::shared_ptr<CommState> state);
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;
        ~Place();

        /// Has its turn come?
        bool test() const { return state_->all_left_before(number_); }

        std::int64_t number() const { return number_; }  ///< from 0 on

    private:
        std::shared_ptr<CommState> state_;
        std::int64_t number_;
    };

    /// How many places have been taken; the same on all ranks between calls.
    std::int64_t places();

    /// Have all left that took one of the first so many places?
    bool all_left_before(std::int64_t place);

    /// Of the messages of the next superstep of whose turn it is: a rank may be one ahead of
    /// another, and knows by the tag whose they are.
    int next_superstep_tag();

    /// Uses the communicator itself as long as it lives: whoever frees that waits for the end.
    class Pending {
    public:
        /// @param progress  brings the end nearer; false if it is under way already
        Pending(std::shared_ptr<CommState> state, bool (*progress)()) : state_(std::move(state)) {
            state_->progress_ = progress;
            ++state_->pending_;
        }
        Pending(const Pending&) = delete;
        Pending& operator=(const Pending&) = delete;
        ~Pending() { --state_->pending_; }

    private:
        std::shared_ptr<CommState> state_;
    };

    /// A call that ends once: calls come in one order on all ranks. Each has many tags: the first
    /// is for what precedes its messages, and with a code added for these.
    struct Turn {
        std::int64_t number;  ///< from 0 on
        int tag;              ///< the first, which comes again after many calls
    };
    /// The turn of one that ends before the next begins. @pre the window is open
    Turn next_turn() { return turn(window_.pass()); }

    /// The turn of one that may be under way beside others, and may have to wait for its
    /// beginning; it ends with this object.
    class HeldTurn {
    public:
        explicit HeldTurn(std::shared_ptr<CommState> state)
            : state_(std::move(state)), turn_(state_->turn(state_->window_.take())) {}
        HeldTurn(HeldTurn&&) = default;
        HeldTurn& operator=(HeldTurn&&) = delete;
        ~HeldTurn() {
            if (state_) state_->window_.leave(turn_.number);
        }

        /// Lets calls in line begin. @pre called within a step of progress
        void end() { std::exchange(state_, nullptr)->window_.end(turn_.number); }

        std::int64_t number() const { return turn_.number; }
        int tag() const { return turn_.tag; }

    private:
        std::shared_ptr<CommState> state_;
        Turn turn_;
    };

    /// Which of these calls have begun.
    base::TurnWindow& window() { return window_; }
    const base::TurnWindow& window() const { return window_; }

    /// That with this number.
    Turn turn(std::int64_t number) const {
        const auto place = static_cast<int>(number & (turns_before_reuse_ - 1));
        return {number, first_tag_ + tags_ / 2 + (place << turn_bits_)};
    }

    /// The number of the latest turn with this first tag that has begun.
    std::int64_t number_of(int tag) const {
        const std::int64_t place = (tag - first_tag_ - tags_ / 2) >> turn_bits_;
        const std::int64_t latest = window_.begun() - 1;
        return latest - ((latest - place) & (turns_before_reuse_ - 1));
    }

    /// That of a turn's messages with this code.
    int tag_in(const Turn& turn, int code) const {
        return turn.tag + (code < tags_per_turn() ? code : 1 + code % (tags_per_turn() - 1));
    }

    /// How many tags a call has: codes are below, where MPI has as many tags as the usual ones.
    int tags_per_turn() const { return 1 << turn_bits_; }

    /// What a tag says of a message.
    struct Sign {
        std::int64_t turn;  ///< of the call to which it belongs
        int code;           ///< of that call
    };
    /// None of messages that belong to no call that ends once on this communicator.
    /// @param near  a turn: of those with one tag the nearest is meant
    std::optional<Sign> sign_of(int tag, std::int64_t near) const;

    /// How many calls that end once have been made here.
    std::int64_t turns() const { return window_.given(); }

    /// Numbers calls and inits of all kinds, from 1 on, alike on all ranks. Throws once one has
    /// broken off.
    std::int64_t next_call() {
        check_whole();
        return ++call_numbers_;
    }
    std::int64_t calls() const { return call_numbers_; }

    /// A call or start has broken off, and messages of it may be under way for ever: there can be
    /// no other on the communicator, and its channel is never freed.
    void break_off();

    /// Throws MPI_ERR_OTHER then.
    void check_whole() const {
        if (broken_.load(std::memory_order_relaxed)) [[unlikely]]
            throw_broken();
    }

    /// False once the communicator has been freed.
    bool attached() const { return attached_; }

    void on_free();

private:
    void open(MPI_Comm comm);
    bool test_channel();
    int take_tag(MPI_Comm comm, bool (*idle)());
    void release_tag(int tag);
    int persistent_tags() const { return tags_ / 2 - 2; }
    [[noreturn]] void throw_broken() const;

    int rank_ = 0;
    int size_ = 0;
    std::shared_ptr<Channel> channel_;
    std::optional<Channel::TagBlock> tag_block_;  // of a channel that was made for another
    std::shared_ptr<Channel> twin_;               // null until it is asked for
    int first_tag_ = 0;
    int tags_;
    // powers of two, since each call reckons with them
    int turn_bits_;
    std::int64_t turns_before_reuse_;
    base::TurnWindow window_;
    std::vector<int> channel_ranks_;  // empty if ranks are the same
    std::shared_ptr<const topology::Nodes> nodes_;
    std::vector<int> ranks_;  // by rank in the channel

    base::Mutex mutex_;  // of what follows but for calls: any thread may progress what needs it
    std::atomic<bool> opened_ = false;  // the channel has been asked for
    std::atomic<bool> ready_ = false;
    MPI_Comm duplicate_ = MPI_COMM_NULL;  // the channel's to be
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::optional<EndpointDiscovery> endpoint_discovery_;  // on the channel, once that is made
    std::optional<TuningFile> tuning_file_;                // the same
    std::optional<Error> failure_;

    std::int64_t call_numbers_ = 0;
    std::atomic<bool> broken_ = false;
    int inits_ = 0;
    std::set<int> used_tags_;
    std::atomic<bool> attached_ = true;
    std::atomic<int> pending_ = 0;
    std::atomic<bool (*)()> progress_ = nullptr;

    base::Mutex line_mutex_;  // of what follows: the host may call who asks while it tests
    std::int64_t places_ = 0;
    std::set<std::int64_t> taken_places_;
    std::int64_t supersteps_ = 0;
};

}  // namespace carpool::mpi
