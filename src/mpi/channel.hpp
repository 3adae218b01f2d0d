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

    /// Tags of one neighborhood: first .. first + count - 1.
    struct Tags {
        int first;
        int count;
    };

    static constexpr int most_neighborhoods = 512;

    /// A neighborhood's share of the tags, unused on all ranks. @note Collective.
    int acquire_share();
    void release_share(int share) { used_[static_cast<std::size_t>(share)] = false; }
    Tags tags_of(int share) const;

    /// A duplicate of the user's communicator gets a channel of its own when it needs one.
    static std::shared_ptr<Channel> on_dup(const std::shared_ptr<Channel>&) { return nullptr; }
    void on_free() {}

private:
    Comm comm_;
    int tags_ = 0;
    std::bitset<most_neighborhoods> used_;
};

}  // namespace carpool::mpi
