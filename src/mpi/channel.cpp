#include "mpi/channel.hpp"

#include "mpi/attribute.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace carpool::mpi {
namespace {

int number_of_tags(MPI_Comm comm) {
    void* value = nullptr;
    int found = 0;
    check(MPI_Comm_get_attr(comm, MPI_TAG_UB, &value, &found), "MPI_Comm_get_attr");
    const int upper = found != 0 ? *static_cast<int*>(value) : 32767;
    return std::min(upper, std::numeric_limits<int>::max() - 1) + 1;
}

}  // namespace

std::shared_ptr<Channel> Channel::of(MPI_Comm comm) {
    if (auto channel = Attribute<Channel>::find(comm)) return channel;
    Comm duplicate;
    check(MPI_Comm_dup(comm, duplicate.out()), "MPI_Comm_dup");
    auto channel = std::make_shared<Channel>(std::move(duplicate));
    share(channel, comm);
    return channel;
}

void Channel::share(const std::shared_ptr<Channel>& channel, MPI_Comm comm) {
    Attribute<Channel>::attach(comm, channel);
}

Channel::Channel(Comm comm) : comm_(std::move(comm)), tags_(number_of_tags(comm_.get())) {
    check(MPI_Comm_set_errhandler(comm_.get(), MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

Channel::Share::Share(std::shared_ptr<Channel> channel)
    : channel_(std::move(channel)), number_(channel_->unused_share()) {
    channel_->used_[static_cast<std::size_t>(number_)] = true;
}

int Channel::unused_share() const {
    std::array<std::uint8_t, most_neighborhoods> used;
    for (std::size_t i = 0; i < used.size(); ++i) used[i] = used_[i] ? 1 : 0;
    check(MPI_Allreduce(MPI_IN_PLACE, used.data(), most_neighborhoods, MPI_UINT8_T, MPI_MAX,
                        comm_.get()),
          "MPI_Allreduce");
    const auto unused = std::find(used.begin(), used.end(), std::uint8_t{0});
    if (unused == used.end())
        throw Error(MPI_ERR_OTHER, "more than " + std::to_string(most_neighborhoods) +
                                       " neighborhoods on one communicator, free some");
    return static_cast<int>(unused - used.begin());
}

}  // namespace carpool::mpi
