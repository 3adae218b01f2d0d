// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/side.hpp"
#include "call/bound_call.hpp"
#include "engine/request.hpp"
#include "sparse/delivery.hpp"

#include <mpi.h>

#include <functional>
#include <memory>

namespace carpool::sparse {

/// An exchange as the user gives it: the receiver of each block. No rank knows from whom it will
/// receive.
struct SparseArguments {
    int degree;
    const int* destinations;
    arguments::Side send;
};

/// Started at once; calls `receive` with what has arrived when it ends. Throws from test() or
/// wait(), on all ranks. @note Collective over comm, an intracommunicator.
std::unique_ptr<engine::Request> exchanged(MPI_Comm comm, const SparseArguments& arguments,
                                           std::function<void(Delivery)> receive);

/// The same by a bound exchange that is ready to be started, if an earlier one has the strategy of
/// the next exchange on comm; otherwise null, also if comm is not a communicator.
/// @pre the result is started before anything else on comm
std::shared_ptr<call::BoundCall> exchanged_again(MPI_Comm comm, const SparseArguments& arguments,
                                                 std::function<void(Delivery)> receive);

}  // namespace carpool::sparse
