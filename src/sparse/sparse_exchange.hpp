#pragma once

#include "call/side.hpp"
#include "engine/request.hpp"
#include "sparse/delivery.hpp"

#include <mpi.h>

#include <functional>
#include <memory>

namespace carpool::sparse {

/// An exchange as the user makes it: who is to get what; nobody knows from whom it comes.
struct Arguments {
    int degree;
    const int* destinations;
    call::Side send;
};

/// Under way at once; hands over what has come when it ends. Throws from test() or wait(), alike on
/// all ranks. @note Collective over comm, an intracommunicator.
std::unique_ptr<engine::Request> exchanged(MPI_Comm comm, const Arguments& arguments,
                                           std::function<void(Delivery)> receive);

}  // namespace carpool::sparse
