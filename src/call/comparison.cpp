#include "call/comparison.hpp"

#include <span>

namespace carpool::call {
Comparison::Comparison(const mpi::CommState& state)
    : allreduce_(
          state, collectives::Kind::allreduce, small_allreduce(state),
          CollectiveBlocks{{block_of(std::span(own))}, {block_of(std::span(most))}, MPI_MAX, {}}) {}

}  // namespace carpool::call
