#pragma once

#include "engine/copy_list.hpp"
#include "mpi/handle.hpp"

#include <mpi.h>

#include <cstddef>
#include <memory>

namespace carpool::engine {

/// One message as MPI sees it.
struct Transfer {
    void* buffer = nullptr;
    int count = 0;
    MPI_Datatype type = MPI_BYTE;
    int peer = MPI_PROC_NULL;
};

/// A message bound to memory: the transfer, and the copies that go before a send or follow a
/// receive. Owns the staging memory and the datatype that the transfer uses.
struct BoundMessage {
    Transfer transfer;
    CopyList copies;
    std::unique_ptr<std::byte[]> staging;
    mpi::Datatype type;
};

}  // namespace carpool::engine
