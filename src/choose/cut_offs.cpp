// SPDX-License-Identifier: MIT
#include "choose/cut_offs.hpp"

namespace carpool::choose {
namespace {

// Measured on two MPI wheels (docs/measurements). Beyond some length MPI's single copy is faster
// than our two copies through memory; for packed messages it is as fast, and needs no staging
// memory. MPICH's datatype engine costs one to two orders of magnitude more per piece than memcpy:
// only long pieces save more than that by not being copied. Open MPI copies pieces while it sends,
// so from its eager limit on a copy of our own is wasted, unless parts are tiny.
constexpr CutOffs on_mpich{
    .whole_through_memory = 1 << 17,
    .put_together_through_memory = 1 << 20,
    .packed_below = 0,
    .packed_below_per_part = 0,
    .packed_below_per_piece = 8192,
};
constexpr CutOffs on_open_mpi{
    .whole_through_memory = 1 << 14,
    .put_together_through_memory = 1 << 20,
    .packed_below = 4096,
    .packed_below_per_part = 1024,
    .packed_below_per_piece = 0,
};

/// A message that MPI copies once takes a handshake, for which both ranks must have the core.
constexpr CutOffs on_open_mpi_and_shared_cores = [] {
    auto result = on_open_mpi;
    result.whole_through_memory = 1 << 16;
    return result;
}();

}  // namespace

const CutOffs& usual_cut_offs(bool open_mpi, bool ranks_share_cores) {
    if (!open_mpi) return on_mpich;
    return ranks_share_cores ? on_open_mpi_and_shared_cores : on_open_mpi;
}

CutOffs TunedCutOffs::over(CutOffs usual) const {
    for (std::size_t i = 0; i < std::size(named_cut_offs); ++i)
        if (found[i]) usual.*named_cut_offs[i].member = *found[i];
    return usual;
}

}  // namespace carpool::choose
