#include "mpi/channel.hpp"

#include "mpi/error.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace carpool::mpi {

Channel::Channel(Comm comm) : comm_(std::move(comm)) {
    check(MPI_Comm_set_errhandler(comm_.get(), MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    used_[0] = true;
}

/// MPICH refuses to free a communicator on which a message waits.
Channel::~Channel() {
    if (!finalized() && (kept_ || has_message())) static_cast<void>(comm_.release());
}

bool Channel::has_message() const {
    int flag = 0;
    return MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_.get(), &flag, MPI_STATUS_IGNORE) !=
               MPI_SUCCESS ||
           flag != 0;
}

int Channel::tags_per_block(MPI_Comm comm) {
    void* value = nullptr;
    int found = 0;
    check(MPI_Comm_get_attr(comm, MPI_TAG_UB, &value, &found), "MPI_Comm_get_attr");
    const int upper = found != 0 ? *static_cast<int*>(value) : 32767;
    return (std::min(upper, std::numeric_limits<int>::max() - 1) + 1) / most_tag_blocks;
}

Channel::TagBlock::TagBlock(std::shared_ptr<Channel> channel)
    : channel_(std::move(channel)), number_(channel_->take_unused_block()) {}

int Channel::take_unused_block() {
    std::array<std::uint8_t, most_tag_blocks> used;
    {
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 0; i < used.size(); ++i) used[i] = used_[i] ? 1 : 0;
    }
    check(MPI_Allreduce(MPI_IN_PLACE, used.data(), most_tag_blocks, MPI_UINT8_T, MPI_MAX,
                        comm_.get()),
          "MPI_Allreduce");
    const auto unused = std::find(used.begin(), used.end(), std::uint8_t{0});
    if (unused == used.end())
        throw Error(MPI_ERR_OTHER, "more than " + std::to_string(most_tag_blocks - 1) +
                                       " neighborhoods on one communicator, free some");
    const auto share = static_cast<int>(unused - used.begin());
    set_used(share, true);
    return share;
}

void Channel::set_used(int share, bool used) {
    const std::lock_guard lock(mutex_);
    used_[static_cast<std::size_t>(share)] = used;
}

}  // namespace carpool::mpi
