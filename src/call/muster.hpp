#pragma once

#include "call/call_code.hpp"
#include "call/call_trial.hpp"
#include "call/context.hpp"
#include "engine/steps.hpp"

namespace carpool::call {

/// Until all ranks have come to the same call for the first time, so that they may plan it
/// together. Throws if another rank calls something else by mistake, as it would find out in
/// messages of the call itself.
/// @param context  of a call that ends once; outlives the steps
engine::Steps<void> muster(const CallContext& context, CallCode code);

/// Until all ranks have compared how long calls of this trial have taken, and go on alike. Throws
/// as above, and if another rank calls something that is tried by itself.
engine::Steps<void> compare(const CallContext& context, CallCode code, CallTrial& trial);

}  // namespace carpool::call
