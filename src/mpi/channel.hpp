#pragma once

#include "mpi/endpoint_table.hpp"
#include "mpi/handle.hpp"
#include "mpi/tuning_file.hpp"

#include <atomic>
#include <bitset>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace carpool::mpi {

/// With the same topology. @note Collective
Comm duplicate_of(MPI_Comm comm);

/// A private communicator on which Carpool's messages for one user communicator, and for the
/// neighborhoods made on it, travel.
///
/// Communicators are scarce: up to 16 of these share one channel, each with tags of its own; for
/// more of them there are further channels, as long as these are used. Errors on it are returned,
/// not fatal.
class Channel {
public:
    static constexpr int most_tag_blocks = 16;
    using Blocks = std::bitset<most_tag_blocks>;

    /// @param used  of the tag blocks; the first belongs to the communicator it is made for
    explicit Channel(Comm comm, Blocks used = 1);
    ~Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    /// Of this process alone, made at the first call and kept until MPI ends. The communicators of
    /// one rank share it: no message and no collective call of theirs travels on it.
    static std::shared_ptr<Channel> alone();

    /// Messages may be left that nobody takes, after a mistake of the user's: neither MPI nor a
    /// neighborhood gets its tags again.
    void keep_for_ever() { kept_ = true; }

    MPI_Comm comm() const { return comm_.get(); }

    /// Who shares memory with this rank. @pre nobody communicates yet
    void introduce(EndpointTable endpoint_table) { endpoint_table_ = std::move(endpoint_table); }
    const EndpointTable& endpoint_table() const { return endpoint_table_; }

    /// What a tuning file says. @pre nobody communicates yet
    void tune(std::optional<choose::Tuned> tuned) { tuned_ = std::move(tuned); }
    const std::optional<choose::Tuned>& tuned() const { return tuned_; }

    /// Of every channel on a communicator like this one. Local.
    static int tags_per_block(MPI_Comm comm);

    /// One of the others, unused on all ranks as long as it lives.
    class TagBlock {
    public:
        /// Of the lender or, where all of its blocks are in use, of a further channel of the same
        /// ranks.
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
    /// This channel or a further one, and what all ranks say of it: a bit per block in use, and
    /// one if it is there.
    struct Living {
        std::shared_ptr<Channel> channel;  ///< null if it is not there on this rank
        std::uint32_t bits;
    };

    std::vector<Living> living_channels(const std::shared_ptr<Channel>& self);
    std::uint32_t bits();
    void set_used(int block, bool used);

    Comm comm_;
    EndpointTable endpoint_table_;
    std::optional<choose::Tuned> tuned_;
    std::atomic<bool> kept_ = false;
    std::mutex mutex_;  // a neighborhood may be freed while another thread makes one
    Blocks used_;
    std::vector<std::weak_ptr<Channel>> further_;  // in one order on all ranks
    std::uint64_t ever_further_ = 0;               // how many there have been
};

}  // namespace carpool::mpi
