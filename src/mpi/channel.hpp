#pragma once

#include "mpi/handle.hpp"

#include <bitset>
#include <memory>

namespace carpool::mpi {

/// The private communicator on which Carpool's messages for one user communicator travel.
///
/// Communicators are scarce: all neighborhoods on a communicator share one channel, each with tags
/// of its own. Errors on it are returned, not fatal.
class Channel {
public:
    /// The channel of a communicator, made at the first call. @note Collective.
    static std::shared_ptr<Channel> of(MPI_Comm comm);

    /// Lets another communicator of the same processes share this channel.
    static void share(const std::shared_ptr<Channel>& channel, MPI_Comm comm);

    explicit Channel(Comm comm);

    MPI_Comm comm() const { return comm_.get(); }

    static constexpr int most_neighborhoods = 512;

    /// The tags of one neighborhood: first .. first + count - 1, unused on all ranks as long as it
    /// lives.
    class Share {
    public:
        /// @note Collective.
        explicit Share(std::shared_ptr<Channel> channel);
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;
        ~Share() { channel_->used_[static_cast<std::size_t>(number_)] = false; }

        int first() const { return number_ * count(); }
        int count() const { return channel_->tags_ / most_neighborhoods; }

    private:
        std::shared_ptr<Channel> channel_;
        int number_;
    };

    /// A duplicate of the user's communicator gets a channel of its own when it needs one.
    static std::shared_ptr<Channel> on_dup(const std::shared_ptr<Channel>&) { return nullptr; }
    void on_free() {}

private:
    int unused_share() const;

    Comm comm_;
    int tags_ = 0;
    std::bitset<most_neighborhoods> used_;
};

}  // namespace carpool::mpi
