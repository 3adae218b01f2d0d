#pragma once

#include "call/context.hpp"
#include "engine/steps.hpp"
#include "neighbor/edge_ends.hpp"

namespace carpool::neighbor {

/// Throws the error about an edge of which the ends differ, alike on all ranks.
/// @note Collective @pre the channel is there, and the turn is this call's; the balance over all
/// ranks says that there is such an edge
engine::Steps<void> refuse_difference(EdgeEnds ends, const call::CallContext& context,
                                      int error_class);

}  // namespace carpool::neighbor
