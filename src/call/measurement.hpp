#pragma once

#include "call/context.hpp"
#include "call/family.hpp"
#include "call/plans.hpp"
#include "engine/steps.hpp"

#include <cstddef>
#include <vector>

namespace carpool::call {

/// What a measurement has found, the same on all ranks.
struct Measured {
    std::size_t fastest = 0;  ///< the number of the plan, or that behind the last: MPI's own
    double host_seconds = 0;  ///< that MPI's own takes the slowest rank, where it took part
};

/// Which of several plans takes the slowest rank the least time. All of them run in turn, in
/// several rounds of random order, on memory of the library's own; what is far behind is left after
/// the first round. The first one stays unless another is clearly faster, or where some rank has no
/// memory for it.
/// @param with_host  MPI's own persistent collective takes part
/// @note Collective: all ranks wait in a call, so no unevenness of the program is measured.
/// @pre plans, family and context outlive the steps
engine::Steps<Measured> fastest(const std::vector<Planned>& plans, const Family& family,
                                const CallContext& context, bool with_host);

}  // namespace carpool::call
