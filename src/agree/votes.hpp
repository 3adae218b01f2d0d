#pragma once

#include "agree/small_collective.hpp"
#include "mpi/comm_state.hpp"
#include "mpi/vote_transport.hpp"

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace carpool::agree {

/// An allreduce of our own, which costs half of the host's and less. Each call has a tag, so the
/// order in which ranks come to it does not matter; it begins when the channel is there. Bound
/// once, for one agreement after another.
class TaggedVoteTransport final : public mpi::VoteTransport {
public:
    explicit TaggedVoteTransport(std::shared_ptr<mpi::CommState> state)
        : state_(std::move(state)) {}

    /// @param tag  used until the next agreement has ended
    void prepare_for(int tag) { tag_ = tag; }

    int rank() const override { return state_->rank(); }
    void post(std::byte* ballot, MPI_Datatype type, MPI_Op op) override;
    bool test() override;
    void withdraw() override {
        if (started_) allreduce_->withdraw();
    }
    std::vector<int> awaited() const override {
        return started_ ? allreduce_->awaited() : std::vector<int>();
    }

    bool idle() const { return ballot_ == nullptr; }

private:
    std::size_t bytes() const;
    void shape(MPI_Datatype type, MPI_Op op);
    bool begun();

    std::shared_ptr<mpi::CommState> state_;
    int tag_ = 0;
    CollectiveBlocks blocks_;  ///< of one element each
    TypedMemory own_;
    TypedMemory result_;
    std::optional<SmallCollective> allreduce_;
    std::byte* ballot_ = nullptr;  ///< of the agreement that uses it
    bool started_ = false;
};

/// The transports of a communicator: as many as have been in use at once.
class VoteTransports {
public:
    /// One that comes back to transports when nobody holds it any more.
    /// @param transports  of the communicator that state belongs to
    static std::shared_ptr<mpi::VoteTransport> lend(
        const std::shared_ptr<VoteTransports>& transports,
        const std::shared_ptr<mpi::CommState>& state, int tag);

private:
    std::unique_ptr<TaggedVoteTransport> taken(const std::shared_ptr<mpi::CommState>& state);
    void take_back(TaggedVoteTransport* used);

    std::mutex mutex_;  // any thread may progress an agreement to its end
    std::vector<std::unique_ptr<TaggedVoteTransport>> idle_;  // with room for all
    std::size_t made_ = 0;
};

}  // namespace carpool::agree
