// SPDX-License-Identifier: MIT
#pragma once

#include "choose/planner.hpp"
#include "engine/steps.hpp"
#include "neighbor/topology/routes.hpp"
#include "neighbor/topology/topology.hpp"
#include "schedule/operation.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace carpool::neighbor {

/// A rule as planned for an operation on a communicator, either on its grid or on its graph.
struct RuleCandidate {
    const routing::Rule* rule = nullptr;
    std::optional<choose::GridPlan> on_grid = {};
    const Route* on_graph = nullptr;
    bool is_rearranged = false;  ///< ranks are permuted in its virtual topology
    int carriers = 0;            ///< the carriers of a rule that depends on nodes

    std::string name() const;
    int phases() const;
    std::int64_t rounds() const;
    std::int64_t volume() const;
};

/// Returns the settings with the rule that the environment prefers, if the info requires no other
/// rule and the preferred one applies to this communicator. The result is the same on all ranks if
/// the settings are.
NeighborSettings chosen_for(const Topology& topology, NeighborSettings settings);

/// A route through another rank costs at least two messages and two phases, even for blocks without
/// bytes. So combining cannot pay if the rule `direct` costs no more than that.
/// @param direct  its load for blocks without bytes
bool combining_may_pay(const NeighborSettings& settings, const choose::Load& direct);

/// How many ranks of a node carry its blocks to each other one: one, all, or about the square root
/// of their number; or as many as the user asks for. @param nodes  null for a single node
std::vector<int> carriers_to_try(const NeighborSettings& settings, const topology::Nodes* nodes);

/// The candidates that the settings allow for an operation, as keys of their routes. A rule that
/// has several plans for a grid appears once.
std::vector<Routes::Key> candidate_keys(const Topology& topology, const NeighborSettings& settings,
                                        schedule::Operation operation);

/// Like candidate_keys(), but with all plans that `auto` compares for rules that are planned for
/// the grid.
/// @param block_bytes  as for candidate_of()
std::vector<Routes::Key> keys_to_compare(const Topology& topology, const NeighborSettings& settings,
                                         schedule::Operation operation,
                                         std::span<const std::int64_t> block_bytes = {});

/// The candidate with this key.
/// @param block_bytes  sizes of the blocks of a declared neighborhood, if plans are to suit them
/// @pre the candidate has been planned
RuleCandidate candidate_of(const Topology& topology, const Routes::Key& key,
                           schedule::Operation operation,
                           std::span<const std::int64_t> block_bytes = {});

/// Returns whether all rules that the settings allow for an operation have been planned. Local; the
/// result is the same on all ranks. Throws MPI_ERR_INFO_VALUE if the one rule asked for does not
/// apply to this communicator.
bool candidates_planned(const Topology& topology, const NeighborSettings& settings,
                        schedule::Operation operation);

/// Plans all rules that the settings allow for an operation. @note Collective
engine::Steps<void> plan_candidates(Topology& topology, NeighborSettings settings,
                                    schedule::Operation operation, Routes::Occasion occasion);

/// All candidates that the settings allow.
/// @param block_bytes  as for candidate_of()
/// @pre candidates_planned
std::vector<RuleCandidate> candidates(const Topology& topology, const NeighborSettings& settings,
                                      schedule::Operation operation,
                                      std::span<const std::int64_t> block_bytes = {});

/// The load of a candidate; the same on all ranks if the sizes of blocks are. Local.
/// @param block_bytes  one size per block of a declared neighborhood, else one size for all blocks
choose::Load load_of(const RuleCandidate& candidate, std::span<const std::int64_t> block_bytes,
                     const choose::Machine& machine);

/// The rule `direct`, which delivers every block unchanged, also for operators that do not commute.
RuleCandidate direct_candidate(const Topology& topology, schedule::Operation operation);

/// The schedule of this rank for a candidate, with blocks of the given sizes. Its slots are the
/// user's blocks.
/// @param block_bytes  as for load_of()
schedule::Schedule placed(const Topology& topology, const RuleCandidate& candidate,
                          schedule::Operation operation, std::span<const std::int64_t> block_bytes);

}  // namespace carpool::neighbor
