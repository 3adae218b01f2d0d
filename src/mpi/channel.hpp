#pragma once

#include "mpi/handle.hpp"

#include <bitset>
#include <memory>
#include <mutex>

namespace carpool::mpi {

/// The private communicator on which Carpool's messages for one user communicator, and for the
/// neighborhoods made on it, travel.
///
/// Communicators are scarce: all these share one channel, each with tags of its own. Share 0
/// belongs to the communicator for which the channel was made. Errors on it are returned, not
/// fatal.
class Channel {
public:
    explicit Channel(Comm comm);

    MPI_Comm comm() const { return comm_.get(); }

    static constexpr int most_shares = 512;

    /// Of every channel on a communicator like this one. Local.
    static int tags_per_share(MPI_Comm comm);

    /// One of the others, unused on all ranks as long as it lives.
    class Share {
    public:
        /// @note Collective over the channel.
        explicit Share(std::shared_ptr<Channel> channel);
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;
        ~Share() { channel_->set_used(number_, false); }

        int number() const { return number_; }

    private:
        std::shared_ptr<Channel> channel_;
        int number_;
    };

private:
    int take_unused_share();
    void set_used(int share, bool used);

    Comm comm_;
    std::mutex mutex_;  // a neighborhood may be freed while another thread makes one
    std::bitset<most_shares> used_;
};

}  // namespace carpool::mpi
