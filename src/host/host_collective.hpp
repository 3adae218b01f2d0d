#pragma once

#include "arguments/side.hpp"
#include "engine/communication.hpp"

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace carpool::host {

/// One side of a call as MPI's own functions take it: copies of the user's arrays, which MPI may
/// read as long as its request lives.
struct HostSide {
    /// @pre fits
    HostSide(const arguments::Side& side, int blocks);

    /// May a side of so many blocks be left to MPI? Its counts and displacements are ints, and its
    /// types are MPI's own: others may be gone before MPI starts to use them, and MPICH refuses
    /// some that it has committed. Local.
    static bool fits(const arguments::Side& side, int blocks);

    /// The same elsewhere: in memory of as many bytes as its blocks span.
    HostSide moved_to(std::vector<std::byte>& memory) const;

    void* buffer;
    int blocks = 0;
    int count = 0;  ///< of each block, where these are alike
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::vector<int> counts, displs;  ///< per block, where they differ
    std::vector<MPI_Aint> bytes;      ///< the same displacements, as functions take them...
    std::vector<MPI_Datatype> types;
    bool in_bytes = false;  ///< ...where types differ: in bytes, else in extents
};

/// MPI's own persistent collective.
class HostCollective final : public engine::Communication {
public:
    using Init = std::function<int(const HostSide& send, const HostSide& recv, MPI_Request*)>;

    /// @param rehearses  on memory of its own, not the user's
    /// @param init       calls MPI's function, and gives its code. @note Collective
    HostCollective(const HostSide& send, const HostSide& recv, bool rehearses, const Init& init);
    ~HostCollective() override;

    void start(int tag) override;
    bool advance() override;
    bool under_way() const override { return under_way_; }
    void withdraw() override { given_up_ = true; }

private:
    std::vector<std::byte> send_memory_, recv_memory_;  // where it rehearses
    HostSide send_, recv_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    bool under_way_ = false;
    bool given_up_ = false;  ///< under way for ever: MPI knows no other end
};

}  // namespace carpool::host
