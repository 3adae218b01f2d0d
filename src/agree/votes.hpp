// SPDX-License-Identifier: MIT
#pragma once

#include "agree/small_collective.hpp"
#include "base/rank_visitor.hpp"
#include "mpi/comm/comm_state.hpp"
#include "mpi/comm/vote_transport.hpp"

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace carpool::agree {

/// Combines votes by the library's own allreduce, which costs at most half as much as that of the
/// host MPI. Each call has a tag, so ranks may make their calls in different orders. The allreduce
/// starts when the channel is ready. It is bound once, for one agreement after another.
class TaggedVoteTransport final : public mpi::VoteTransport {
public:
    explicit TaggedVoteTransport(std::shared_ptr<mpi::CommState> state)
        : state_(std::move(state)) {}

    /// @param tag  in use until the next agreement has ended
    void prepare_for(int tag) { tag_ = tag; }

    int rank() const override { return state_->rank(); }
    void post(std::byte* ballot, MPI_Datatype type, MPI_Op op) override;
    bool test() override;
    void withdraw() override {
        if (started_) allreduce_->withdraw();
    }
    void visit_awaited(const base::RankVisitor& visit) const override {
        if (started_) allreduce_->visit_awaited(visit);
    }

    bool idle() const { return ballot_ == nullptr; }

private:
    std::size_t bytes() const;
    void shape(MPI_Datatype type, MPI_Op op);
    bool begun();

    std::shared_ptr<mpi::CommState> state_;
    int tag_ = 0;
    CollectiveBlocks blocks_;  ///< each of one element
    TypedMemory own_;
    TypedMemory result_;
    std::optional<SmallCollective> allreduce_;
    std::byte* ballot_ = nullptr;  ///< the ballot of the agreement that uses this transport
    bool started_ = false;
};

/// The vote transports of a communicator: as many as have been in use at once.
class VoteTransports {
public:
    /// Lends a transport, which goes back to `transports` when its last holder releases it.
    /// @param transports  those of the communicator whose state is given
    static std::shared_ptr<mpi::VoteTransport> lend(
        const std::shared_ptr<VoteTransports>& transports,
        const std::shared_ptr<mpi::CommState>& state, int tag);

private:
    std::unique_ptr<TaggedVoteTransport> taken(const std::shared_ptr<mpi::CommState>& state);
    void take_back(TaggedVoteTransport* used);

    std::mutex mutex_;  // any thread may progress an agreement to its end
    std::vector<std::unique_ptr<TaggedVoteTransport>> idle_;  // with capacity for all
    std::size_t made_ = 0;
};

}  // namespace carpool::agree
