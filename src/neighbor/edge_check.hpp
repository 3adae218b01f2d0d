#pragma once

#include "call/context.hpp"
#include "engine/steps.hpp"
#include "neighbor/edge_ends.hpp"

#include <optional>

namespace carpool::neighbor {

/// Throws the error about an edge of which the ends differ, alike on all ranks.
/// @param superstep_tag  used by nothing else; without one the turn must be this call's
/// @note Collective @pre the channel is there; the balance over all ranks says that there is such
/// an edge
engine::Steps<void> refuse_difference(EdgeEnds ends, const call::CallContext& context,
                                      int error_class, std::optional<int> superstep_tag = {});

}  // namespace carpool::neighbor
