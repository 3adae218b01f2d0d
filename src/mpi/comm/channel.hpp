// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/comm/endpoint_table.hpp"
#include "mpi/comm/tuning_file.hpp"
#include "mpi/handle.hpp"

#include <atomic>
#include <bitset>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace carpool::mpi {

/// A duplicate of the communicator with the same topology. @note Collective
Comm duplicate_of(MPI_Comm comm);

/// A private communicator for Carpool's messages on one user communicator, and on the neighborhoods
/// that are made on it.
///
/// Communicators are scarce: up to 16 user communicators share one channel, each with tags of its
/// own. If there are more, there are further channels as long as these are used. Errors on a
/// channel are returned, not fatal.
class Channel {
public:
    static constexpr int most_tag_blocks = 16;
    using Blocks = std::bitset<most_tag_blocks>;

    /// @param used  which tag blocks are used; the first belongs to the communicator that is
    ///              duplicated
    explicit Channel(Comm comm, Blocks used = 1);
    ~Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    /// The channel of this process alone, which is made at the first call and kept until MPI ends.
    /// All communicators of one rank share it: no message and no collective call of theirs uses it.
    static std::shared_ptr<Channel> alone();

    /// Lets neither MPI nor a neighborhood reuse the channel's tags: after a mistake of the user's,
    /// messages may be left that are never received.
    void keep_for_ever() { kept_ = true; }

    MPI_Comm comm() const { return comm_.get(); }

    /// Sets which ranks share memory with this one. @pre No rank communicates on the channel yet
    void introduce(EndpointTable endpoint_table) { endpoint_table_ = std::move(endpoint_table); }
    const EndpointTable& endpoint_table() const { return endpoint_table_; }

    /// Sets what a tuning file says. @pre No rank communicates on the channel yet
    void tune(std::optional<choose::MachineTuning> tuned) { tuned_ = std::move(tuned); }
    const std::optional<choose::MachineTuning>& tuned() const { return tuned_; }

    /// The number of tags in a block of any channel on a communicator like this one. Local.
    static int tags_per_block(MPI_Comm comm);

    /// A tag block other than the first. Nothing else uses it on any rank as long as this object
    /// lives.
    class TagBlock {
    public:
        /// Takes a block of the lender or, if all of its blocks are in use, of a further channel of
        /// the same ranks.
        /// @note Collective over the lender.
        explicit TagBlock(const std::shared_ptr<Channel>& lender);
        TagBlock(const TagBlock&) = delete;
        TagBlock& operator=(const TagBlock&) = delete;
        ~TagBlock() { channel_->set_used(number_, channel_->kept_); }

        const std::shared_ptr<Channel>& channel() const { return channel_; }
        int number() const { return number_; }

    private:
        std::shared_ptr<Channel> channel_;
        int number_ = 0;
    };

private:
    /// This channel or a further one, and the bits that any rank has set for it: one per block in
    /// use, and one if the channel exists.
    struct LivingChannel {
        std::shared_ptr<Channel> channel;  ///< null if it does not exist on this rank
        std::uint32_t bits;
    };

    std::vector<LivingChannel> living_channels(const std::shared_ptr<Channel>& self);
    std::uint32_t bits();
    void set_used(int block, bool used);

    Comm comm_;
    EndpointTable endpoint_table_;
    std::optional<choose::MachineTuning> tuned_;
    std::atomic<bool> kept_ = false;
    std::mutex mutex_;  // a neighborhood may be freed while another thread makes one
    Blocks used_;
    std::vector<std::weak_ptr<Channel>> further_;  // in the same order on all ranks
    std::uint64_t ever_further_ = 0;               // how many have been made
};

}  // namespace carpool::mpi
