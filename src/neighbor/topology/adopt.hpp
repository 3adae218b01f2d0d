// SPDX-License-Identifier: MIT
#pragma once

#include "call/context.hpp"
#include "call/pipeline.hpp"
#include "engine/steps.hpp"
#include "mpi/comm/agreement.hpp"
#include "neighbor/topology/settings.hpp"
#include "neighbor/topology/topology.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace carpool::neighbor {

/// Returns the neighborhood of a communicator: the one that Carpool made for it, or else the one
/// that its MPI topology (Cartesian, graph or distributed graph) describes, in MPI's order of
/// neighbors. A neighborhood read from an MPI topology has yet to be adopted, see Adoption.
/// @note Collective at the first call on a communicator; a duplicate has a first call of its own.
/// Throws the same error on all ranks if comm has no topology.
std::shared_ptr<Topology> topology_of(MPI_Comm comm);

/// Like topology_of(), but the state need not be open. Local.
std::shared_ptr<Topology> read_topology_of(MPI_Comm comm);

/// The settings of the calls on a communicator, as this rank knows them before it has been adopted;
/// defaults if they cannot be read. Local.
NeighborSettings settings_before_adoption(const Topology& topology);

/// Adopts a communicator with an MPI topology: all ranks check that both ends of every edge list
/// it, and recognise a graph that is one neighborhood on a torus or mesh ([2] §2.2).
///
/// Every call that begins before the communicator has been adopted carries an Adoption. The calls
/// try to adopt it one after the other, until one succeeds.
class Adoption {
public:
    /// Reads the settings from the environment, unless the communicator has settings of its own.
    /// The very first call on a communicator starts a vote on them at once, while the channel is
    /// being made.
    /// @param when  when an init returns; nothing for a blocking or nonblocking call
    /// @note Collective
    Adoption(MPI_Comm comm, const Topology& topology, std::optional<call::Return> when);

    /// The settings; defaults if they could not be read.
    const NeighborSettings& settings() const { return settings_; }

    /// Adopts the communicator.
    /// @param context  of the call; the context and the topology outlive the steps
    /// @param place    the place of the call, which is first in line
    /// @note Collective. Throws the same error on all ranks.
    engine::Steps<void> adopted(Topology& topology, const call::CallContext& context,
                                std::int64_t place);

private:
    void vote(MPI_Comm comm, const Topology& topology,
              std::shared_ptr<mpi::VoteTransport> transport);

    std::optional<call::Return> when_;
    NeighborSettings settings_;
    std::optional<mpi::Error> mistake_;
    std::optional<mpi::Agreement> vote_;
};

}  // namespace carpool::neighbor
