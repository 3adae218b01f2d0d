#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace carpool::mpi {

/// An allgather of bytes by Carpool's own messages, which may begin wherever the host MPI calls
/// back. A nonblocking collective of MPICH may not: MPICH calls back from within MPI_Comm_idup,
/// holding the lock that such a collective needs, and aborts.
///
/// In each of log2 P rounds every rank sends all it has to the rank that is twice as far away as in
/// the round before. Empty pieces are not sent, so a broadcast is a gathering in which the pieces
/// of all other ranks are empty.
class Gathering {
public:
    Gathering() = default;  ///< gathers nothing, and is over

    /// Returns at once; test() has to be called until it returns true. @note Collective.
    /// @param comm    one of Carpool's own; must outlive this object, as memory must
    /// @param memory  the bytes of all ranks, one rank after the other; those of this rank are
    ///                there
    /// @param sizes   in bytes, per rank, the same on all ranks
    Gathering(MPI_Comm comm, void* memory, const std::vector<std::int64_t>& sizes);
    Gathering(Gathering&&) = default;
    Gathering& operator=(Gathering&&) = default;

    bool test();

private:
    void begin_round();
    template <typename Start>
    void each_piece(int first, int count, Start start);

    MPI_Comm comm_ = MPI_COMM_NULL;
    std::byte* memory_ = nullptr;
    std::vector<std::int64_t> begins_;  // offset per rank, and the end
    int rank_ = 0;
    int size_ = 1;
    int distance_ = 1;  // of the next round; the bytes of that many ranks are here
    std::vector<MPI_Request> requests_;
};

}  // namespace carpool::mpi
