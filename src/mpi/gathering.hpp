#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace carpool::mpi {

/// An allgather of bytes by messages of our own, which may begin wherever the host calls back. A
/// nonblocking collective of MPICH's may not: it calls back from within MPI_Comm_idup, holding the
/// lock that such a collective needs, and aborts.
///
/// In each of log2 P rounds every rank tells all it knows to the one that is twice as far off as in
/// the last. What has no bytes is not sent, so a broadcast is one in which all others have none.
class Gathering {
public:
    Gathering() = default;  ///< of nothing, and over

    /// Returns at once, and is tested until it is over. @note Collective.
    /// @param comm    Carpool's own; lives on, as memory does
    /// @param memory  what the ranks say, one behind the other; this rank's is there
    /// @param sizes   in bytes, per rank, alike on all ranks
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
    std::vector<std::int64_t> begins_;  // per rank, and the end
    int rank_ = 0;
    int size_ = 1;
    int distance_ = 1;  // of the next round, and so many ranks' bytes are here
    std::vector<MPI_Request> requests_;
};

}  // namespace carpool::mpi
