// SPDX-License-Identifier: MIT
#pragma once

#include "call/context.hpp"
#include "engine/steps.hpp"
#include "neighbor/topology/edge_ends.hpp"

#include <optional>

namespace carpool::neighbor {

/// Finds an edge whose two ends disagree, and throws the same error about it on all ranks.
/// @param superstep_tag  a tag that nothing else uses; without one, this call must be the first in
/// line
/// @note Collective
/// @pre the channel is there; the balance over all ranks shows that there is such an edge
engine::Steps<void> refuse_difference(EdgeEnds ends, const call::CallContext& context,
                                      int error_class, std::optional<int> superstep_tag = {});

}  // namespace carpool::neighbor
