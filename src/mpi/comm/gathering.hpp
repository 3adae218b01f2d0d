// SPDX-License-Identifier: MIT
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
    /// How many bytes each rank tells.
    struct Sizes {
        std::int64_t first;  ///< bytes of the lowest rank
        std::int64_t each;   ///< bytes of every other rank
    };

    Gathering() = default;  ///< gathers nothing, and is over

    /// Returns at once; test() has to be called until it returns true.
    /// @note Collective over the ranks that take part.
    /// @param comm    one of Carpool's own; must outlive this object, as memory must
    /// @param memory  the bytes of these ranks, one rank after the other; those of this rank are
    ///                there
    /// @param sizes   the same on these ranks
    /// @param ranks   those that take part, ascending, this one among them; empty if all do
    Gathering(MPI_Comm comm, void* memory, const Sizes& sizes, std::vector<int> ranks = {});
    Gathering(Gathering&&) = default;
    Gathering& operator=(Gathering&&) = default;

    bool test();

private:
    void begin_round();
    int rank(int place) const;
    std::int64_t begin_of(int place) const;
    template <typename Start>
    void each_piece(int first, int count, Start start);

    MPI_Comm comm_ = MPI_COMM_NULL;
    std::byte* memory_ = nullptr;
    Sizes sizes_{};
    std::vector<int> ranks_;  // by place; empty if each is its own place
    int place_ = 0;           // of this rank
    int count_ = 1;           // of ranks that take part
    int distance_ = 1;        // of the next round; the bytes of that many ranks are here
    std::vector<MPI_Request> requests_;
};

}  // namespace carpool::mpi
