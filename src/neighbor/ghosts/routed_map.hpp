// SPDX-License-Identifier: MIT
#pragma once

#include "ghosts/ghost_map.hpp"
#include "ghosts/neighbors.hpp"
#include "mpi/comm/comm_state.hpp"
#include "neighbor/ghosts/kept_ghost_calls.hpp"
#include "neighbor/topology/routes.hpp"
#include "neighbor/topology/settings.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace carpool::neighbor {

/// The settings of a map of ghosts.
struct GhostSettings {
    NeighborSettings neighbor;
    bool reproducible = false;  ///< sums add ranks in ascending order (CARPOOL_SUMS)

    static GhostSettings from_environment();
    GhostSettings with(MPI_Info info) const;

    /// The claims that must be equal on all ranks.
    std::vector<mpi::Claim> claims() const;
};

/// Throws MPI_ERR_INFO_VALUE if the settings ask for a rule that routes on no graph, or for too few
/// digits.
void check_rule_for_ghosts(const NeighborSettings& settings, int ranks);

/// The rules to plan for a map besides `direct`, which sums in order need, with their options; the
/// same on all ranks.
/// @param nodes  null for a single node
/// @param direct  the load of `direct`
std::vector<RuleInUse> further_rules(const NeighborSettings& settings, const topology::Nodes* nodes,
                                     const choose::Load& direct);

/// Whether the settings allow a rule with these options.
bool allows(const NeighborSettings& settings, const RuleInUse& use);

/// A map of ghosts on a communicator, with its routes.
struct RoutedMap {
    /// A rule with its routes. Their sizes and loads are in entries: Load::times(bytes of an entry)
    /// makes bytes.
    struct RoutedRule {
        RuleInUse use;
        const ghosts::GhostMap* part;  ///< RoutedMap::part or pairs: its blocks travel so
        Route route;
    };

    MPI_Comm comm;  ///< the user's
    std::shared_ptr<mpi::CommState> state;
    std::int64_t entry_count;
    std::int64_t ghost_count;
    GhostSettings settings;
    double ranks_per_core = 1;           ///< as agreed at creation
    std::int64_t number = 0;             ///< its creation's number among the calls on comm
    ghosts::GhostMap part = {};          ///< this rank's, by classes
    ghosts::GhostMap pairs = {};         ///< the same by pairs, for updates by `direct`
    std::vector<RoutedRule> rules = {};  ///< first `direct` by classes, then by pairs
    KeptGhostCalls kept = {};
    ghosts::Neighbors neighbors = {};
};

}  // namespace carpool::neighbor
