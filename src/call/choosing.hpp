#pragma once

#include "call/context.hpp"
#include "call/family.hpp"
#include "call/plans.hpp"
#include "call/selection.hpp"
#include "engine/steps.hpp"

namespace carpool::call {

/// The candidate that a call goes by, as it is written on this rank, and how it was selected.
struct Choosing {
    Planned planned;
    Selection selection;
};

/// Takes one candidate: the cheapest or, where all ranks
/// wait in the call, perhaps the fastest. @param host_may  all ranks say that MPI's persistent
/// collective may stand for the request @pre family and context outlive the steps
engine::Steps<Choosing> chosen(const CallContext& context, Family& family, bool host_may);

}  // namespace carpool::call
