#include "sparse/preposted_receives.hpp"

#include "mpi/error.hpp"
#include "sparse/parcel.hpp"

#include <algorithm>
#include <utility>

namespace carpool::sparse {
namespace {

using mpi::check;

}  // namespace

PrepostedReceives::PrepostedReceives(const mpi::CommState& state, int tag, std::size_t head,
                                     std::vector<int> sources)
    : state_(state),
      tag_(tag),
      head_(head),
      sources_(std::move(sources)),
      heads_(room_for(static_cast<std::int64_t>(head_ * sources_.size()))),
      tails_(sources_.size()),
      requests_(sources_.size(), MPI_REQUEST_NULL) {}

void PrepostedReceives::expect() {
    for (std::size_t partner = 0; partner < sources_.size(); ++partner) {
        tails_[partner] = {};
        receive(partner, heads_.get() + head_ * partner, static_cast<std::int64_t>(head_));
    }
}

void PrepostedReceives::receive(std::size_t partner, std::byte* to, std::int64_t count) {
    const Bytes bytes(count);
    check(MPI_Irecv(to, bytes.count(), bytes.type(), state_.channel_rank(sources_[partner]), tag_,
                    state_.channel_comm(), &requests_[partner]),
          "MPI_Irecv");
}

void PrepostedReceives::send(PendingMessages& pending, int target,
                             std::vector<std::byte> message) const {
    const auto data = pending.keep(std::move(message));
    const auto in_head = std::min(data.size(), head_);
    pending.send(target, tag_, data.first(in_head));
    if (in_head < data.size()) pending.send(target, tag_, data.subspan(in_head));
}

std::span<const std::byte> PrepostedReceives::head_of(std::size_t partner) const {
    const std::span whole(heads_.get() + head_ * partner, head_);
    return whole.first(std::min(head_, static_cast<std::size_t>(length_of(whole))));
}

/// Receives the tail, if there is one, once the head is there.
bool PrepostedReceives::grows(std::size_t partner) {
    const auto front = head_of(partner);
    const auto length = length_of(front);
    const auto rest = length - static_cast<std::int64_t>(front.size());
    if (rest == 0 || tails_[partner].memory) return false;
    auto memory = room_for(length);
    std::copy(front.begin(), front.end(), memory.get());
    receive(partner, memory.get() + front.size(), rest);
    tails_[partner] = {{memory.get(), static_cast<std::size_t>(length)}, std::move(memory)};
    return true;
}

std::optional<PrepostedReceives::Arrival> PrepostedReceives::arrived() {
    for (;;) {
        int index = MPI_UNDEFINED, flag = 0;
        check(MPI_Testany(static_cast<int>(requests_.size()), requests_.data(), &index, &flag,
                          MPI_STATUS_IGNORE),
              "MPI_Testany");
        if (flag == 0 || index == MPI_UNDEFINED) return std::nullopt;
        const auto partner = static_cast<std::size_t>(index);
        if (grows(partner)) continue;
        auto& tail = tails_[partner];
        return Arrival{partner, tail.memory ? std::move(tail) : Message{head_of(partner)}};
    }
}

}  // namespace carpool::sparse
