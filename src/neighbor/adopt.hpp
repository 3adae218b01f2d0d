#pragma once

#include "call/context.hpp"
#include "call/pipeline.hpp"
#include "engine/steps.hpp"
#include "mpi/agreement.hpp"
#include "neighbor/settings.hpp"
#include "neighbor/topology.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace carpool::neighbor {

/// The neighborhood of a communicator: one that Carpool has made or, found at the first call, that
/// of its MPI topology (Cartesian, graph or distributed graph), in MPI's order of neighbors. The
/// latter is still to be adopted.
/// @note Collective at the first call, also that on a duplicate. Throws, alike on all ranks, if
/// comm has no topology.
std::shared_ptr<Topology> topology_of(MPI_Comm comm);

/// The same, whose state need not be open. Local.
std::shared_ptr<Topology> read_topology_of(MPI_Comm comm);

/// How a communicator with a topology of MPI is adopted: all ranks check that both ends of every
/// edge know it, and recognise a graph that is one neighborhood on a torus or mesh ([2] §2.2).
///
/// Every call brings one along that begins before it has been, and the first whose turn comes and
/// that succeeds does it.
class Adoption {
public:
    /// Reads the environment, unless settings were given. The first on a communicator votes on that
    /// at once, while the channel is made. @param when  of an init
    /// @note Collective
    Adoption(MPI_Comm comm, const Topology& topology, std::optional<call::Return> when);

    /// What is set, unless that is mistaken.
    const NeighborSettings& settings() const { return settings_; }

    /// @param context  of the call; outlives the steps, as the topology does
    /// @param place    of the call, whose turn has come
    /// @note Collective. Throws alike on all ranks.
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
