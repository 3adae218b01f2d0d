#pragma once

#include "choose/planner.hpp"
#include "engine/steps.hpp"
#include "neighbor/routes.hpp"
#include "neighbor/topology.hpp"
#include "schedule/operation.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace carpool::neighbor {

/// A rule as planned for an operation on a communicator: on its grid, or on its graph.
struct RuleCandidate {
    const routing::Rule* rule = nullptr;
    std::optional<choose::GridPlan> on_grid = {};
    const Route* on_graph = nullptr;
    bool is_rearranged = false;  ///< ranks have other places in its virtual topology
    int carriers = 0;            ///< of a rule that knows nodes

    std::string name() const;
    int phases() const;
    std::int64_t rounds() const;
    std::int64_t volume() const;
};

/// The settings, with the rule that the environment prefers where no other is ordered and it
/// applies to this communicator. Alike on all ranks where the settings are.
NeighborSettings chosen_for(const Topology& topology, NeighborSettings settings);

/// What settings allow for an operation, by the names of their routes. A rule of grids with several
/// plans stands here once.
std::vector<Routes::Key> candidate_keys(const Topology& topology, const NeighborSettings& settings,
                                        schedule::Operation operation);

/// The same with all the plans that `auto` compares where the rules are planned for the grid.
std::vector<Routes::Key> keys_to_compare(const Topology& topology, const NeighborSettings& settings,
                                         schedule::Operation operation,
                                         std::span<const std::int64_t> block_bytes = {});

/// @param block_bytes  of a declared neighborhood, where plans are searched for by them
/// @pre planned
RuleCandidate candidate_of(const Topology& topology, const Routes::Key& key,
                           schedule::Operation operation,
                           std::span<const std::int64_t> block_bytes = {});

/// Are all rules planned that settings allow for an operation? Local, and alike on all ranks.
/// Throws MPI_ERR_INFO_VALUE if the one rule asked for does not apply to this communicator.
bool candidates_planned(const Topology& topology, const NeighborSettings& settings,
                        schedule::Operation operation);

/// Plans them. @note Collective
engine::Steps<void> plan_candidates(Topology& topology, NeighborSettings settings,
                                    schedule::Operation operation, Routes::Occasion occasion);

/// All that settings allow. @param block_bytes  as above
/// @pre candidates_planned
std::vector<RuleCandidate> candidates(const Topology& topology, const NeighborSettings& settings,
                                      schedule::Operation operation,
                                      std::span<const std::int64_t> block_bytes = {});

/// What a candidate asks of the ranks; alike on all of them if the bytes are. Local.
/// @param block_bytes  per block of a declared neighborhood, else one size that stands for all
choose::Load load_of(const RuleCandidate& candidate, std::span<const std::int64_t> block_bytes,
                     const choose::Machine& machine);

/// The rule that carries blocks as they are, for operators that do not commute.
RuleCandidate direct_candidate(const Topology& topology, schedule::Operation operation);

/// What this rank does, with all blocks of the given size; slots are the user's blocks.
/// @param block_bytes  as above
schedule::Schedule placed(const Topology& topology, const RuleCandidate& candidate,
                          schedule::Operation operation, std::span<const std::int64_t> block_bytes);

}  // namespace carpool::neighbor
