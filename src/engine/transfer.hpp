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

/// What a message carries, wherever it comes to lie.
class Cargo {
public:
    virtual ~Cargo() = default;

    /// Puts together what is to be sent in the transfer's own memory; returns its length.
    virtual std::int64_t load() = 0;

    /// The same elsewhere. @param memory  as many bytes as the message has at most
    virtual std::int64_t load_into(std::byte* memory) = 0;

    /// Takes what has come elsewhere, as if it had come into the transfer's own memory.
    virtual void take_from(const std::byte* memory, std::int64_t bytes) = 0;
};

/// One message: its bytes, and the rank of the communicator at its other end.
struct Transfer {
    void* buffer = nullptr;
    int count = 0;
    MPI_Datatype type = MPI_BYTE;
    int peer = MPI_PROC_NULL;
    std::int64_t bytes = 0;        ///< the most that it may have
    std::int64_t least_bytes = 0;  ///< as many, unless its length is found out at each start
    bool apart = false;            ///< matched only with others that are, under the tag below
    bool typed = false;            ///< only MPI can put it together
    bool whole = false;            ///< of sends: one piece of memory, which nobody puts together
    Cargo* cargo = nullptr;        ///< of all sends; of receives wherever there is some
    int content = -1;              ///< of sends: those with one number carry the same bytes
};

}  // namespace carpool::engine
