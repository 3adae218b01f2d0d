#pragma once

#include "arguments/side.hpp"
#include "call/bound_call.hpp"
#include "engine/request.hpp"
#include "sparse/delivery.hpp"

#include <mpi.h>

#include <functional>
#include <memory>

namespace carpool::sparse {

/// An exchange as the user makes it: who is to get what; nobody knows from whom it comes.
struct SparseArguments {
    int degree;
    const int* destinations;
    arguments::Side send;
};

/// Under way at once; hands over what has come when it ends. Throws from test() or wait(), alike on
/// all ranks. @note Collective over comm, an intracommunicator.
std::unique_ptr<engine::Request> exchanged(MPI_Comm comm, const SparseArguments& arguments,
                                           std::function<void(Delivery)> receive);

/// The same where the next exchange on comm goes as an earlier one has, ready to be started; null
/// where it does not, also of what is no communicator.
/// @pre what comes of it is started before anything else on comm
std::shared_ptr<call::BoundCall> exchanged_again(MPI_Comm comm, const SparseArguments& arguments,
                                                 std::function<void(Delivery)> receive);

}  // namespace carpool::sparse
