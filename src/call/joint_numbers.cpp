#include "call/joint_numbers.hpp"

#include <utility>

namespace carpool::call {

JointNumbers::JointNumbers(const mpi::CommState& state, int tag, std::vector<std::int64_t> own,
                           MPI_Op op)
    : own_(std::move(own)),
      joint_(own_.size()),
      reduction_(state, collectives::Kind::allreduce, small_allreduce(state),
                 {{block_of(own_)}, {block_of(joint_)}, op, {}}) {
    reduction_.start(tag);
}

}  // namespace carpool::call
