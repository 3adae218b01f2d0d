#include "group/vote_transports.hpp"

#include "group/binding.hpp"

#include <cstring>
#include <optional>
#include <utility>

namespace carpool::group {
namespace {

using collectives::Kind;

/// Among few ranks each goes straight to one.
const collectives::Algorithm* algorithm_for(int ranks) {
    constexpr int few = 32;
    return collectives::find_algorithm(Kind::allreduce, ranks <= few ? "star" : "reduce-bcast");
}

}  // namespace

void TaggedVoteTransport::post(std::byte* ballot, MPI_Datatype type, MPI_Op op) {
    if (!call_ || type != call_->recv.front().shape->given() || op != call_->op) shape(type, op);
    ballot_ = ballot;
    std::memcpy(call_->send.front().address, ballot,
                static_cast<std::size_t>(call_->problem.block()));
    begun();
}

void TaggedVoteTransport::shape(MPI_Datatype type, MPI_Op op) {
    const auto shape = std::make_shared<const mpi::Shape>(1, type);
    prepared_.reset();
    result_ = std::make_unique<std::byte[]>(static_cast<std::size_t>(shape->bytes()));
    call_ = std::make_shared<Call>();
    call_->problem = {Kind::allreduce, state_->size(), 0, {shape->bytes()}};
    call_->problem.unit = shape->bytes();
    call_->recv.push_back({result_.get(), shape});
    call_->copies = call::TypedMemory(std::vector{shape});
    call_->send = call_->copies.blocks();
    call_->op = op;
}

bool TaggedVoteTransport::begun() {
    if (started_) return true;
    if (!state_->ready()) return false;
    if (!prepared_)
        prepared_ = bound(
            call_, plan_of({algorithm_for(state_->size()), {}}, call_->problem, state_->rank()),
            {call::Tuning::of_this_mpi()}, *state_, std::nullopt);
    prepared_->exchange->start(tag_);
    started_ = true;
    return true;
}

bool TaggedVoteTransport::test() {
    if (!begun() || !prepared_->exchange->advance()) return false;
    std::memcpy(ballot_, result_.get(), static_cast<std::size_t>(call_->problem.block()));
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
        idle_.reserve(made_ + 1);  // a destructor brings it back, and must not fail
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

}  // namespace carpool::group
