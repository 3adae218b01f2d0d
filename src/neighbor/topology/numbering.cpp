// SPDX-License-Identifier: MIT
#include "neighbor/topology/numbering.hpp"

#include "mpi/error.hpp"

#include <new>
#include <numeric>
#include <utility>

namespace carpool::neighbor {
namespace {

using mpi::check;

std::vector<int> ascending(int size) {
    std::vector<int> numbers(static_cast<std::size_t>(size));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

std::vector<int> channel_ranks(const mpi::CommState& state) {
    auto ranks = ascending(state.size());
    for (auto& rank : ranks) rank = state.channel_rank(rank);
    return ranks;
}

/// Other ranks need not know that memory was too small, because nothing depends on it.
std::vector<int> found(const std::function<topology::Mapping()>& find, int size) {
    try {
        return find().positions;
    } catch (const std::bad_alloc&) {
        return ascending(size);
    }
}

}  // namespace

Numbering::Numbering(MPI_Comm comm, std::shared_ptr<mpi::CommState> state)
    : original_(comm), state_(std::move(state)), positions_(ascending(state_->size())) {
    find_comm();
}

Numbering::Numbering(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                     const std::function<topology::Mapping()>& find)
    : original_(comm), state_(std::move(state)), positions_(ascending(state_->size())) {
    if (state_->rank() == 0) positions_ = found(find, state_->size());
    check(MPI_Bcast(positions_.data(), state_->size(), MPI_INT, state_->channel_rank(0),
                    state_->channel_comm()),
          "MPI_Bcast");
    mapped_ = positions_ != ascending(state_->size());
    find_comm();
}

/// All communicators of a single rank share one channel, so it cannot stand for this one.
void Numbering::find_comm() {
    if (state_->channel() == mpi::Channel::alone()) {
        comm_ = original_;
    } else if (!mapped_ && channel_ranks(*state_) == positions_) {
        comm_ = state_->channel_comm();
    } else {
        check(MPI_Comm_split(state_->channel_comm(), 0, position(state_->rank()), own_.out()),
              "MPI_Comm_split");
        comm_ = own_.get();
    }
}

void Numbering::give_handler(MPI_Comm made) const {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    check(MPI_Comm_get_errhandler(original_, &handler), "MPI_Comm_get_errhandler");
    check(MPI_Comm_set_errhandler(made, handler), "MPI_Comm_set_errhandler");
    check(MPI_Errhandler_free(&handler), "MPI_Errhandler_free");
}

}  // namespace carpool::neighbor
