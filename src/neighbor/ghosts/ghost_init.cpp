// SPDX-License-Identifier: MIT
#include "neighbor/ghosts/ghost_init.hpp"

#include "mpi/error.hpp"
#include "neighbor/ghosts/ghost_exchange.hpp"

#include <string>
#include <utility>

namespace carpool::neighbor {
namespace {

/// A rule that was not planned with the map cannot be planned now.
void check_planned(const RoutedMap& map, const NeighborSettings& settings) {
    for (const auto& rule : map.rules)
        if (allows(settings, rule.use)) return;
    const routing::NamedRule asked{settings.rule, {}, settings.options.carriers};
    throw mpi::Error(MPI_ERR_INFO_VALUE, "carpool_algorithm in the info is '" + text_of(asked) +
                                             "', expected one that was planned when the map was "
                                             "made, or auto");
}

}  // namespace

std::unique_ptr<engine::Request> initialised(const std::shared_ptr<RoutedMap>& map,
                                             const GhostArguments& arguments, MPI_Info info) {
    GhostExchange::CallInput given{map, map->settings};
    given.reduces = arguments.reduces;
    given.persistent = true;
    given.mistake = mpi::mistake_in([&] {
        given.settings = map->settings.with(info);
        check_planned(*map, given.settings.neighbor);
        given.call = read_ghost_call(arguments, map->entry_count, map->ghost_count);
    });
    return call::persistent(map->comm, map->state,
                            std::make_unique<GhostExchange>(std::move(given)),
                            call::Return::planned);
}

/// A mistake that this rank has found is thrown before the call is counted, unless all ranks are to
/// be told (carpool_check=all).
std::unique_ptr<engine::Request> once(const std::shared_ptr<RoutedMap>& map,
                                      const GhostArguments& arguments) {
    GhostExchange::CallInput given{map, map->settings};
    given.reduces = arguments.reduces;
    given.mistake = mpi::mistake_in(
        [&] { given.call = read_ghost_call(arguments, map->entry_count, map->ghost_count); });
    if (given.mistake && given.settings.neighbor.check == arguments::Check::local)
        throw mpi::Error(*given.mistake);
    return call::once(map->comm, map->state, std::make_unique<GhostExchange>(std::move(given)));
}

std::shared_ptr<call::BoundCall> filled(RoutedMap& map, const GhostArguments& arguments) {
    const bool has_lists = arguments.owned_values != nullptr && arguments.ghost_values != nullptr &&
                           arguments.counts != nullptr && arguments.types != nullptr;
    return has_lists ? map.kept.find(arguments, map.entry_count, map.ghost_count) : nullptr;
}

}  // namespace carpool::neighbor
