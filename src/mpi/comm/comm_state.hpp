// SPDX-License-Identifier: MIT
#pragma once

#include "base/call_window.hpp"
#include "base/mutex.hpp"
#include "device/driver.hpp"
#include "mpi/comm/channel.hpp"
#include "mpi/comm/endpoint_table.hpp"
#include "mpi/comm/tuning_file.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"

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
/// calls. A duplicate of the communicator has none of these until its own first use.
class CommState : public std::enable_shared_from_this<CommState> {
public:
    /// The state of a communicator. The first call makes a state with a channel of its own, begins
    /// a nonblocking duplication for the channel, and returns at once. A communicator of one rank
    /// needs no duplicate.
    /// @note Collective at the first call.
    static std::shared_ptr<CommState> of(MPI_Comm comm);

    /// The same, but the channel is only made at the first call of of(). Local.
    static std::shared_ptr<CommState> unopened(MPI_Comm comm);

    /// Gives a communicator a state on the channel of another communicator of the same processes.
    /// @note Collective, and synchronising. @pre comm has no state
    static std::shared_ptr<CommState> lent(const std::shared_ptr<Channel>& channel, MPI_Comm comm);

    explicit CommState(MPI_Comm comm);                                 ///< without a channel yet
    CommState(MPI_Comm comm, const std::shared_ptr<Channel>& lender);  ///< @note Collective.
    CommState(const CommState&) = delete;  // MPI holds the address of duplicate_
    CommState& operator=(const CommState&) = delete;

    /// Does the channel exist? Local. Throws, at every call, if MPI could not make it.
    bool ready();

    /// Same as ready(), for steps that wait for the channel.
    bool test() { return ready(); }

    /// Is the duplication for the channel over? False before it has begun. Tests it. Local, and
    /// does not throw.
    bool duplication_is_over();

    /// Did the channel exist when ready() was last called? Does not throw.
    bool has_channel() const { return ready_; }

    /// Returns when the channel exists. @param idle  called meanwhile, again and again
    void wait(const std::function<void()>& idle = [] {});

    int rank() const { return rank_; }
    int size() const { return size_; }

    /// @pre ready()
    const std::shared_ptr<Channel>& channel() const { return channel_; }
    MPI_Comm channel_comm() const { return channel_->comm(); }

    /// A duplicate of the communicator with its topology, for operations that may outlive the
    /// communicator and must not mix with what the user does on it. @note Collective over comm, to
    /// which this state belongs, at the first call. @pre ready()
    MPI_Comm twin(MPI_Comm comm);

    /// The nodes of all ranks; null if there is only one node. @pre ready()
    const std::shared_ptr<const topology::Nodes>& nodes() const { return nodes_; }

    /// Does every rank share memory with all others of its node? @pre ready()
    bool all_share_memory() const { return channel_->endpoint_table().all_share; }

    /// Is every other rank on this node, and does it share memory with this one? @pre ready()
    bool all_on_one_node() const { return all_share_memory() && !nodes(); }

    /// What was measured on this machine, the same on all ranks; null if nothing was. @pre ready()
    const choose::MachineTuning* tuned() const;

    /// The lengths from which messages are sent differently, as measured or by default; the same on
    /// all ranks. @pre ready()
    choose::CutOffs cut_offs() const;

    /// The endpoint of that rank; null if the rank shares no memory with this one. @pre ready()
    shared::Endpoint* endpoint(int rank) const {
        return channel_->endpoint_table().endpoint(channel_rank(rank));
    }

    int channel_rank(int rank) const;
    int rank_of_channel_rank(int channel_rank) const;

    /// A tag for a persistent request. Nothing else uses it on any rank as long as this object
    /// lives.
    class Tag {
    public:
        /// Local until all tags have been in use once, also before the channel exists. Throws
        /// MPI_ERR_OTHER, on all ranks, if all tags are in use.
        /// @note Collective over comm, to which this state belongs.
        /// @param idle  called while other ranks are waited for
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

    /// A call's place in the line of calls that may find out something together with all ranks, one
    /// call after the other: what is known when a call is first in line is the same on all ranks.
    class Place {
    public:
        /// Takes the place behind all others. Calls take places in the same order on all ranks.
        explicit Place(std::shared_ptr<CommState> state);
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;
        ~Place();

        /// Is the call first in line?
        bool test() const { return state_->all_left_before(number_); }

        std::int64_t number() const { return number_; }  ///< counted from 0

    private:
        std::shared_ptr<CommState> state_;
        std::int64_t number_;
    };

    /// The number of places that have been taken; the same on all ranks between calls.
    std::int64_t places();

    /// Have all calls left that took one of the first `place` places?
    bool all_left_before(std::int64_t place);

    /// The tag for the messages of the next superstep, of the call that is first in line. A rank
    /// may be one superstep ahead of another, and the tag shows to which superstep a message
    /// belongs.
    int next_superstep_tag();

    /// An operation that uses the user's communicator as long as this object lives: the user may
    /// free that communicator, but it ends with this object at the earliest.
    class PendingOperation {
    public:
        /// @param progress  brings the end nearer; returns false if it is running already
        PendingOperation(std::shared_ptr<CommState> state, MPI_Comm comm, bool (*progress)())
            : state_(std::move(state)), reference_(reference_to(comm)) {
            state_->progress_ = progress;
            ++state_->pending_;
        }
        PendingOperation(const PendingOperation&) = delete;
        PendingOperation& operator=(const PendingOperation&) = delete;
        ~PendingOperation() { --state_->pending_; }

    private:
        std::shared_ptr<CommState> state_;
        Request reference_;  // null where MPI_Comm_free waits instead
    };

    /// The number of a blocking or nonblocking call, and the first of its tags. All ranks make
    /// these calls in the same order. The first tag is for what precedes the call's messages; a
    /// message of the call has the first tag plus its code.
    struct CallTags {
        std::int64_t number;  ///< counted from 0
        int tag;              ///< the first of its tags, which is reused after many calls
    };
    /// The tags of a call that ends before the next begins. @pre The window is open
    CallTags next_call_tags() { return tags_of_call(window_.pass()); }

    /// A call that may be under way beside others, and that may have to wait before it
    /// begins. It ends with this object.
    class CallInWindow {
    public:
        explicit CallInWindow(std::shared_ptr<CommState> state)
            : state_(std::move(state)), tags_(state_->tags_of_call(state_->window_.take())) {}
        CallInWindow(CallInWindow&&) = default;
        CallInWindow& operator=(CallInWindow&&) = delete;
        ~CallInWindow() {
            if (state_) state_->window_.leave(tags_.number);
        }

        /// Ends the call and lets calls in line begin. @pre Called within a step of progress
        void end() { std::exchange(state_, nullptr)->window_.end(tags_.number); }

        std::int64_t number() const { return tags_.number; }
        int tag() const { return tags_.tag; }

    private:
        std::shared_ptr<CommState> state_;
        CallTags tags_;
    };

    /// The window of these calls, which knows how many of them have begun.
    base::CallWindow& window() { return window_; }
    const base::CallWindow& window() const { return window_; }

    /// The tags of the call with this number.
    CallTags tags_of_call(std::int64_t number) const {
        const auto place = static_cast<int>(number & (calls_before_reuse_ - 1));
        return {number, first_tag_ + tags_ / 2 + (place << code_bits_)};
    }

    /// The number of the latest call with this first tag that has begun.
    std::int64_t number_of(int tag) const {
        const std::int64_t place = (tag - first_tag_ - tags_ / 2) >> code_bits_;
        const std::int64_t latest = window_.begun() - 1;
        return latest - ((latest - place) & (calls_before_reuse_ - 1));
    }

    /// The tag of a call's messages with this code.
    int tag_in(const CallTags& call, int code) const {
        return call.tag + (code < tags_per_call() ? code : 1 + code % (tags_per_call() - 1));
    }

    /// How many tags a call has: more than there are codes, if MPI has as many tags as usual.
    int tags_per_call() const { return 1 << code_bits_; }

    /// The call and the code that a message's tag stands for.
    struct DecodedTag {
        std::int64_t sequence_number;  ///< the number of the call to which the message belongs
        int code;                      ///< the code of the message
    };
    /// Returns nothing if the tag belongs to no blocking or nonblocking call on this communicator.
    /// @param near  the number of a call: of the calls with that tag the nearest to it is returned
    std::optional<DecodedTag> decoded(int tag, std::int64_t near) const;

    /// The number of blocking and nonblocking calls that have been made on this communicator.
    std::int64_t numbered_calls() const { return window_.numbered(); }

    /// Numbers calls and inits of all kinds, from 1 on, the same on all ranks. Throws if one of
    /// them has broken off.
    std::int64_t next_call() {
        check_whole();
        return ++call_numbers_;
    }
    std::int64_t calls() const { return call_numbers_; }

    /// Records that a call or start has broken off, so messages of it may be under way for ever:
    /// there can be no other call on the communicator, and its channel is never freed.
    void break_off();

    bool is_broken() const { return broken_.load(std::memory_order_relaxed); }

    /// Throws MPI_ERR_OTHER if a call or start has broken off.
    void check_whole() const {
        if (is_broken()) [[unlikely]]
            throw_broken();
    }

    /// The stream of buffers that lie on a GPU.
    device::Stream stream() const { return stream_.load(std::memory_order_relaxed); }
    void set_stream(device::Stream stream) { stream_.store(stream, std::memory_order_relaxed); }

    /// False once the communicator has been freed.
    bool attached() const { return attached_; }

    void on_free();

private:
    void open(MPI_Comm comm);
    static Request reference_to(MPI_Comm comm);
    bool test_channel();
    bool test_duplication();
    int take_tag(MPI_Comm comm, bool (*idle)());
    void release_tag(int tag);
    int persistent_tags() const { return tags_ / 2 - 2; }
    [[noreturn]] void throw_broken() const;

    int rank_ = 0;
    int size_ = 0;
    std::shared_ptr<Channel> channel_;
    std::optional<Channel::TagBlock> tag_block_;  // on another communicator's channel
    std::shared_ptr<Channel> twin_;               // null before the first twin()
    int first_tag_ = 0;
    int tags_;
    // powers of two, because each call computes with them
    int code_bits_;
    std::int64_t calls_before_reuse_;
    base::CallWindow window_;
    std::vector<int> channel_ranks_;  // in the channel, by rank; empty if the same
    std::shared_ptr<const topology::Nodes> nodes_;
    std::vector<int> ranks_;  // by rank in the channel

    base::Mutex mutex_;  // guards what follows, except the counts of calls: any thread may progress
    std::atomic<bool> opened_ = false;      // the channel has been asked for
    std::atomic<bool> duplicated_ = false;  // or MPI could not
    std::atomic<bool> ready_ = false;
    MPI_Comm duplicate_ = MPI_COMM_NULL;  // becomes the channel's
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::optional<EndpointDiscovery> endpoint_discovery_;  // on the channel, once that is made
    std::optional<TuningFile> tuning_file_;                // likewise
    std::optional<Error> failure_;

    std::int64_t call_numbers_ = 0;
    std::atomic<bool> broken_ = false;
    std::atomic<device::Stream> stream_ = nullptr;
    int inits_ = 0;
    std::set<int> used_tags_;
    std::atomic<bool> attached_ = true;
    std::atomic<int> pending_ = 0;
    std::atomic<bool (*)()> progress_ = nullptr;

    base::Mutex line_mutex_;  // guards what follows: MPI calls back while a test holds mutex_
    std::int64_t places_ = 0;
    std::set<std::int64_t> taken_places_;
    std::int64_t supersteps_ = 0;
};

}  // namespace carpool::mpi
