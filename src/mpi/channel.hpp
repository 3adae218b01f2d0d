#pragma once

#include "mpi/handle.hpp"

#include <atomic>
#include <bitset>
#include <memory>
#include <mutex>

namespace carpool::mpi {

/// The private communicator on which Carpool's messages for one user communicator, and for the
/// neighborhoods made on it, travel.
///
/// Communicators are scarce: all these share one channel, each with tags of its own. TagBlock 0
/// belongs to the communicator for which the channel was made. Errors on it are returned, not
/// fatal.
class Channel {
public:
    explicit Channel(Comm comm);
    ~Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    /// Messages may be left that nobody has taken, after a mistake of the user's: MPI must not give
    /// the communicator's place to another one.
    void keep_for_ever() { kept_ = true; }

    MPI_Comm comm() const { return comm_.get(); }

    static constexpr int most_tag_blocks = 512;

    /// Of every channel on a communicator like this one. Local.
    static int tags_per_block(MPI_Comm comm);

    /// One of the others, unused on all ranks as long as it lives.
    class TagBlock {
    public:
        /// @note Collective over the channel.
        explicit TagBlock(std::shared_ptr<Channel> channel);
        TagBlock(const TagBlock&) = delete;
        TagBlock& operator=(const TagBlock&) = delete;
        ~TagBlock() { channel_->set_used(number_, false); }

        int number() const { return number_; }

    private:
        std::shared_ptr<Channel> channel_;
        int number_;
    };

private:
    int take_unused_block();
    void set_used(int share, bool used);

    bool has_message() const;

    Comm comm_;
    std::atomic<bool> kept_ = false;
    std::mutex mutex_;  // a neighborhood may be freed while another thread makes one
    std::bitset<most_tag_blocks> used_;
};

}  // namespace carpool::mpi
