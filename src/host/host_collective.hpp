// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/side.hpp"
#include "engine/communication.hpp"

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace carpool::host {

/// One side of a call as the host MPI's functions take it, with copies of the user's arrays, which
/// MPI may read as long as its request lives.
struct HostSide {
    /// @pre fits(side, blocks)
    HostSide(const arguments::Side& side, int blocks);

    /// Whether a side of so many blocks can be left to the host MPI. Its counts and displacements
    /// must be ints, and its datatypes predefined: others may be freed before MPI starts to use
    /// them, and MPICH refuses some that are committed. Local.
    static bool fits(const arguments::Side& side, int blocks);

    /// The same side in other memory, which gets as many bytes as the blocks span.
    HostSide moved_to(std::vector<std::byte>& memory) const;

    void* buffer;
    int blocks = 0;
    int count = 0;  ///< the count of each block, if all are the same
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::vector<int> counts, displs;  ///< per block, if they differ
    std::vector<MPI_Aint> bytes;      ///< the same displacements as MPI_Aint
    std::vector<MPI_Datatype> types;
    bool in_bytes = false;  ///< displacements are in bytes, as where types vary, not in extents
};

/// The host MPI's own persistent collective.
class HostCollective final : public engine::Communication {
public:
    using Init = std::function<int(const HostSide& send, const HostSide& recv, MPI_Request*)>;

    /// @param rehearses  uses memory of its own instead of the user's
    /// @param init       calls MPI's function, and returns its error code. @note Collective
    HostCollective(const HostSide& send, const HostSide& recv, bool rehearses, const Init& init);
    ~HostCollective() override;

    void start(int tag) override;
    bool advance() override;
    bool under_way() const override { return under_way_; }
    void withdraw() override { given_up_ = true; }

private:
    std::vector<std::byte> send_memory_, recv_memory_;  // used only if it rehearses
    HostSide send_, recv_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    bool under_way_ = false;
    bool given_up_ = false;  ///< stays under way for ever: MPI cannot end it otherwise
};

}  // namespace carpool::host
