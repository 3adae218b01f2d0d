#pragma once

#include "call/side.hpp"
#include "engine/communication.hpp"

#include <mpi.h>

#include <functional>
#include <vector>

namespace carpool::call {

/// One side of a call as MPI's own functions take it: copies of the user's arrays, which MPI may
/// read as long as its request lives.
struct HostSide {
    /// @pre fits
    HostSide(const Side& side, int blocks);

    /// May a side of so many blocks be left to MPI? Its counts and displacements are ints, and its
    /// types are MPI's own: others may be gone before MPI starts to use them, and MPICH refuses
    /// some that it has committed. Local.
    static bool fits(const Side& side, int blocks);

    void* buffer;
    int count = 0;  ///< of each block, where these are alike
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::vector<int> counts, displs;  ///< per block, where they differ
    std::vector<MPI_Aint> bytes;      ///< displacements in bytes, where types differ
    std::vector<MPI_Datatype> types;
};

/// MPI's own persistent collective.
class HostCollective final : public engine::Communication {
public:
    using Init = std::function<int(const HostSide& send, const HostSide& recv, MPI_Request*)>;

    /// @param init  calls MPI's function, and gives its code. @note Collective
    HostCollective(HostSide send, HostSide recv, const Init& init);
    ~HostCollective() override;

    void start(int tag) override;
    bool advance() override;
    void withdraw() override { given_up_ = true; }

private:
    HostSide send_, recv_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    bool given_up_ = false;  ///< under way for ever: MPI knows no other end
};

}  // namespace carpool::call
