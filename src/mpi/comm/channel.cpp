// SPDX-License-Identifier: MIT
#include "mpi/comm/channel.hpp"

#include "mpi/comm/free_later.hpp"
#include "mpi/error.hpp"
#include "mpi/library.hpp"
#include "mpi/until_end.hpp"
#include "mpi/use.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace carpool::mpi {
namespace {

constexpr std::uint32_t all_blocks = (std::uint32_t{1} << Channel::most_tag_blocks) - 1;
constexpr std::uint32_t living = all_blocks + 1;

bool is_full(std::uint32_t bits) { return (bits & all_blocks) == all_blocks; }

struct OwnChannel {
    std::shared_ptr<Channel> channel = std::make_shared<Channel>(duplicate_of(Use::own_comm()));
};

/// A communicator that has all of MPI's predefined attributes. On Open MPI a communicator with a
/// topology does not, and one that is made of MPI_COMM_WORLD.
MPI_Comm with_attributes() {
    return initialized_and_not_finalized() ? MPI_COMM_WORLD : Use::own_comm();
}

}  // namespace

Comm duplicate_of(MPI_Comm comm) {
    Comm duplicate;
    const ReturnedErrors returned(comm);
    check(MPI_Comm_dup(comm, duplicate.out()), "MPI_Comm_dup");
    return duplicate;
}

Channel::Channel(Comm comm, Blocks used) : comm_(std::move(comm)), used_(used) {
    check(MPI_Comm_set_errhandler(comm_.get(), MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    free_what_waits();
}

std::shared_ptr<Channel> Channel::alone() { return until_end<OwnChannel>()->channel; }

Channel::~Channel() {
    const bool has_messages = endpoint_table_.discard_messages() > 0;
    if (kept_ || has_messages || finalized())
        static_cast<void>(comm_.release());
    else
        free_later(std::move(comm_));
}

int Channel::tags_per_block(MPI_Comm comm) {
    void* value = nullptr;
    int found = 0;
    check(MPI_Comm_get_attr(comm, MPI_TAG_UB, &value, &found), "MPI_Comm_get_attr");
    if (found == 0)
        check(MPI_Comm_get_attr(with_attributes(), MPI_TAG_UB, &value, &found),
              "MPI_Comm_get_attr");
    const int upper = found != 0 ? *static_cast<int*>(value) : 32767;
    return (std::min(upper, std::numeric_limits<int>::max() - 1) + 1) / most_tag_blocks;
}

Channel::TagBlock::TagBlock(const std::shared_ptr<Channel>& lender) {
    const auto channels = lender->living_channels(lender);
    const auto not_full = std::find_if_not(channels.begin(), channels.end(),
                                           [](const auto& one) { return is_full(one.bits); });
    if (not_full != channels.end()) {
        channel_ = not_full->channel;
        number_ = std::countr_one(not_full->bits);
    } else {
        channel_ = std::make_shared<Channel>(duplicate_of(lender->comm()), Blocks());
        channel_->introduce(lender->endpoint_table().further(++lender->ever_further_));
        channel_->tune(lender->tuned());
        lender->further_.push_back(channel_);
    }
    channel_->set_used(number_, true);
}

/// All ranks have the same list of further channels: one that is gone on any rank counts as full on
/// all of them, and leaves the list when it is gone on the last rank.
std::vector<Channel::LivingChannel> Channel::living_channels(const std::shared_ptr<Channel>& self) {
    std::vector<LivingChannel> channels{{self, self->bits()}};
    for (const auto& further : further_) {
        const auto channel = further.lock();
        channels.push_back({channel, channel ? channel->bits() : all_blocks});
    }
    std::vector<std::uint32_t> bits;
    for (const auto& one : channels) bits.push_back(one.bits);
    check(MPI_Allreduce(MPI_IN_PLACE, bits.data(), static_cast<int>(bits.size()), MPI_UINT32_T,
                        MPI_BOR, comm_.get()),
          "MPI_Allreduce");
    for (std::size_t i = 0; i < bits.size(); ++i) channels[i].bits = bits[i];
    std::erase_if(channels, [](const LivingChannel& one) { return (one.bits & living) == 0; });
    further_.clear();
    for (std::size_t i = 1; i < channels.size(); ++i) further_.push_back(channels[i].channel);
    return channels;
}

std::uint32_t Channel::bits() {
    const std::lock_guard lock(mutex_);
    return static_cast<std::uint32_t>(used_.to_ulong()) | living;
}

void Channel::set_used(int block, bool used) {
    const std::lock_guard lock(mutex_);
    used_[static_cast<std::size_t>(block)] = used;
}

}  // namespace carpool::mpi
