#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace carpool::engine {

/// Memory of the library's in which a message is put together or comes to lie. Where it is, the
/// transport says.
using Staging = std::unique_ptr<std::byte[]>;

inline Staging memory_for(std::int64_t bytes) {
    return std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
}

/// One message: its bytes, and the rank of the communicator at its other end.
struct Transfer {
    void* buffer = nullptr;
    int count = 0;
    MPI_Datatype type = MPI_BYTE;
    int peer = MPI_PROC_NULL;
    std::int64_t bytes = 0;        ///< the most that it may have
    std::int64_t least_bytes = 0;  ///< as many, unless its length is found out at each start
    bool apart = false;            ///< matched only with others that are, under the tag below
};

}  // namespace carpool::engine
