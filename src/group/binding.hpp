#pragma once

#include "call/typed_memory.hpp"
#include "collectives/choice.hpp"
#include "engine/preparation.hpp"
#include "group/call.hpp"
#include "group/settings.hpp"
#include "mpi/comm_state.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace carpool::group {

/// What this rank is to do, and by which algorithm.
struct Plan {
    collectives::Choice choice;
    schedule::Schedule schedule;
};

/// Plans by a chosen algorithm. @pre it applies, and the problem's sizes are known
Plan plan_of(const collectives::Choice& choice, const collectives::Problem& problem, int rank);

/// A collective bound to its buffers, with the memory that it needs.
struct Bound : engine::Prepared {
    ~Bound() { exchange.reset(); }  // before it

    std::shared_ptr<Call> call;
    std::int64_t number = -1;  ///< of the call that was planned first
    call::TypedMemory whole;   ///< blocks that are cut, where the user's is not one piece
    call::TypedMemory temps;
};

/// Binds a plan of a call to its buffers. Local.
/// @param tag  of all starts; none if each brings its own
std::shared_ptr<Bound> bound(std::shared_ptr<Call> call, Plan plan, const Settings& settings,
                             const mpi::CommState& state, std::optional<int> tag);

}  // namespace carpool::group
