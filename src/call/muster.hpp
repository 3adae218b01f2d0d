#pragma once

#include "call/context.hpp"
#include "engine/steps.hpp"
#include "mistakes/call_code.hpp"

#include <cstdint>
#include <vector>

namespace carpool::call {

/// Until all ranks have come to the same call for the first time, so that they may plan it
/// together. Throws if another rank calls something else by mistake, as it would find out in
/// messages of the call itself.
/// @param context  of a call that ends once; outlives the steps
engine::Steps<void> muster(const CallContext& context, mistakes::CallCode code);

/// The same where the first call of a kind asks all ranks: others, which do something else by
/// mistake, may be past theirs. The very first call on a communicator votes on it, as do all others
/// by mistake. Says in `begun` that the next of its kind is the first again if not all have come.
engine::Steps<void> came_to_first(const CallContext& context, mistakes::CallCode code, bool& begun);

/// Of each number the most that any rank says, in a call that all ranks have made equally often.
/// Throws as above, and if the digests differ.
/// @param digest  of what all ranks say alike
engine::Steps<std::vector<std::int64_t>> meet(const CallContext& context, mistakes::CallCode code,
                                              std::int64_t digest, std::vector<std::int64_t> own);

}  // namespace carpool::call
