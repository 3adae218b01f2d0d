#pragma once

#include "mpi/contiguous.hpp"
#include "mpi/handle.hpp"
#include "sparse/delivery.hpp"

#include <mpi.h>

#include <cstdint>
#include <limits>
#include <span>

namespace carpool::sparse {

/// A message that has come.
struct Message {
    std::span<const std::byte> bytes;
    Memory memory = {};  ///< where they lie; null where that is lent, for a while
};

/// So many bytes as MPI counts them.
class Bytes {
public:
    explicit Bytes(std::int64_t count) {
        if (count <= std::numeric_limits<int>::max())
            count_ = static_cast<int>(count);
        else
            large_ = mpi::contiguous(count, MPI_BYTE);
    }
    int count() const { return large_.get() == MPI_DATATYPE_NULL ? count_ : 1; }
    MPI_Datatype type() const {
        return large_.get() == MPI_DATATYPE_NULL ? MPI_BYTE : large_.get();
    }

private:
    int count_ = 0;
    mpi::Datatype large_;
};

inline Memory room_for(std::int64_t bytes) {
    return std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
}

}  // namespace carpool::sparse
