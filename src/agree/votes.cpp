// SPDX-License-Identifier: MIT
#include "agree/votes.hpp"

#include <cstring>

namespace carpool::agree {
std::size_t TaggedVoteTransport::bytes() const {
    return static_cast<std::size_t>(blocks_.send.front().shape.bytes());
}

void TaggedVoteTransport::post(std::byte* ballot, MPI_Datatype type, MPI_Op op) {
    if (blocks_.send.empty() || type != blocks_.send.front().shape.given() || op != blocks_.op)
        shape(type, op);
    ballot_ = ballot;
    std::memcpy(blocks_.send.front().address, ballot, bytes());
    begun();
}

void TaggedVoteTransport::shape(MPI_Datatype type, MPI_Op op) {
    const std::vector shapes{mpi::Shape(1, type)};
    allreduce_.reset();
    own_ = TypedMemory(shapes);
    result_ = TypedMemory(shapes);
    blocks_ = {own_.blocks(), result_.blocks(), op, {}};
}

bool TaggedVoteTransport::begun() {
    if (started_) return true;
    if (!state_->ready()) return false;
    if (!allreduce_)
        allreduce_.emplace(*state_, collectives::Kind::allreduce, small_allreduce(*state_),
                           blocks_);
    allreduce_->start(tag_);
    started_ = true;
    return true;
}

bool TaggedVoteTransport::test() {
    if (!begun() || !allreduce_->test()) return false;
    std::memcpy(ballot_, result_.blocks().front().address, bytes());
    ballot_ = nullptr;
    started_ = false;
    return true;
}

std::shared_ptr<mpi::VoteTransport> VoteTransports::lend(
    const std::shared_ptr<VoteTransports>& transports, const std::shared_ptr<mpi::CommState>& state,
    int tag) {
    auto transport = transports->taken(state);
    transport->prepare_for(tag);
    return {transport.release(),
            [transports](TaggedVoteTransport* used) { transports->take_back(used); }};
}

std::unique_ptr<TaggedVoteTransport> VoteTransports::taken(
    const std::shared_ptr<mpi::CommState>& state) {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
        idle_.reserve(made_ + 1);  // a deleter brings it back, and must not fail
        ++made_;
        return std::make_unique<TaggedVoteTransport>(state);
    }
    auto transport = std::move(idle_.back());
    idle_.pop_back();
    return transport;
}

void VoteTransports::take_back(TaggedVoteTransport* used) {
    std::unique_ptr<TaggedVoteTransport> transport(used);
    if (!transport->idle()) return;
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(transport));
}

}  // namespace carpool::agree
