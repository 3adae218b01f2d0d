#pragma once

#include "call/typed_memory.hpp"
#include "collectives/choice.hpp"
#include "engine/preparation.hpp"
#include "group/call.hpp"
#include "group/settings.hpp"
#include "mpi/lane.hpp"

#include <memory>
#include <optional>

namespace carpool::group {

/// Plans a call by a chosen algorithm and binds it to its buffers. Local.
/// @param tag  of all starts; none if each brings its own
/// @pre the problem's sizes are known, and the algorithm applies
std::shared_ptr<engine::Prepared> bound(std::shared_ptr<const Call> call,
                                        const collectives::Choice& choice, const Settings& settings,
                                        const mpi::Lane& lane, std::optional<int> tag);

}  // namespace carpool::group
