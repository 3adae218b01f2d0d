// SPDX-License-Identifier: MIT
#pragma once

#include "choose/planner.hpp"
#include "mpi/comm/comm_state.hpp"
#include "mpi/error.hpp"
#include "neighbor/topology/routes.hpp"
#include "neighbor/topology/settings.hpp"
#include "topology/graph.hpp"
#include "topology/isomorphism.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::neighbor {

/// The definition of a neighborhood, shared by a communicator and its duplicates.
struct Definition {
    /// Defines the neighborhood of a communicator that Carpool made: all ranks gave the same
    /// offsets.
    Definition(topology::Grid grid, topology::Neighborhood neighborhood, std::vector<int> weights,
               NeighborSettings settings);

    /// Defines the neighborhood of a communicator with an MPI topology.
    /// @param isomorphism  nothing if it was not recognised as a neighborhood on a grid
    Definition(std::optional<topology::Isomorphism> isomorphism, NeighborSettings settings);

    /// @pre on_grid
    const topology::Grid& grid() const { return isomorphism->grid; }
    const topology::Neighborhood& neighborhood() const { return isomorphism->neighborhood; }
    bool on_grid() const { return isomorphism.has_value(); }

    bool declared;  ///< with offsets: then a position has one size on all ranks
    std::optional<topology::Isomorphism> isomorphism;
    std::vector<int> weights;  ///< empty for an unweighted neighborhood
    NeighborSettings settings;
    /// Ranks per core on the node with the most, as agreed when the neighborhood was made or
    /// adopted.
    double ranks_per_core = 1;

    /// True if all ranks must have the same size whenever each rank has one size for all its
    /// neighbors. If false, some ranks have no neighbors, or are not connected with others.
    bool one_size = false;

    /// The most sizes in one call that a rank may not know because it lacks the neighbor; 0 if all
    /// ranks have all neighbors.
    int unsure_sizes = 0;

    std::unique_ptr<choose::Planner> planner;  ///< null unless on a grid
};

/// The topology of a communicator as MPI states it, before all ranks have adopted it together.
struct StatedTopology {
    std::optional<topology::Isomorphism> isomorphism;  ///< the isomorphism of a Cartesian topology
    std::optional<mpi::Error> mistake;
    /// The settings, if Carpool made the communicator; else those of the environment apply.
    std::optional<NeighborSettings> settings = {};
};

/// The neighborhood of one communicator.
class Topology {
public:
    /// The neighborhood declared to Carpool; throws MPI_ERR_TOPOLOGY if the communicator has none.
    static std::shared_ptr<Topology> declared(MPI_Comm comm);

    /// Attaches a declared neighborhood to a communicator. @pre the state is ready
    static void attach(MPI_Comm comm, std::shared_ptr<Definition> definition,
                       std::shared_ptr<mpi::CommState> state);

    /// Attaches a topology that MPI states and that is still to be adopted.
    /// @param state  of the communicator; null if the first call is to open it
    static std::shared_ptr<Topology> attach(MPI_Comm comm, topology::Adjacency edges,
                                            StatedTopology stated,
                                            std::shared_ptr<mpi::CommState> state = nullptr);

    /// The topology of a single call, which is attached to no communicator.
    static std::shared_ptr<Topology> of_call(std::shared_ptr<Definition> definition,
                                             topology::Adjacency edges,
                                             std::shared_ptr<mpi::CommState> state);

    /// @param definition  null if the topology has yet to be adopted
    Topology(std::shared_ptr<Definition> definition,
             std::shared_ptr<const topology::Adjacency> edges,
             std::shared_ptr<const StatedTopology> stated, int rank);

    /// True if the neighborhood was declared to Carpool, and so is defined from the beginning.
    bool declared() const { return declared_; }

    /// True if the neighborhood was declared or, as far as this rank knows, has been adopted. The
    /// same on all ranks when a call is first in line.
    bool defined() const;

    /// @pre defined
    Definition& definition() const { return *definition_; }

    /// @pre not declared
    const StatedTopology& stated() const { return *stated_; }

    /// Stores the definition that all ranks have found together.
    /// @param place  of the call that adopted the topology
    void adopt(std::shared_ptr<Definition> definition, std::int64_t place);

    int rank() const { return rank_; }
    int ranks() const { return state_->size(); }  ///< @pre the state is open
    const topology::Nodes* nodes() const { return state_->nodes().get(); }  ///< null for one node
    const topology::Adjacency& edges() const { return *edges_; }
    int outdegree() const { return static_cast<int>(edges_->out.size()); }
    int indegree() const { return static_cast<int>(edges_->in.size()); }

    /// The rank to which block i is sent, and the rank from which receive block i comes; no_rank
    /// beyond the border of a mesh.
    int target(int i) const { return edges_->out[static_cast<std::size_t>(i)].peer; }
    int source(int i) const { return edges_->in[static_cast<std::size_t>(i)].peer; }

    /// Makes routes depend on the sizes of the blocks along the edges, which are the same at each
    /// call.
    void know_bytes(routing::EdgeBytes bytes) { bytes_ = std::move(bytes); }

    /// The sizes of blocks, if they are the same at each call; else null.
    const routing::EdgeBytes* bytes() const { return bytes_ ? &*bytes_ : nullptr; }

    /// The graph that routes are planned for. @pre the state is open
    RoutedGraph graph() const { return {*state_, *edges_, bytes()}; }

    /// The routes on the graph. A duplicate of the communicator starts with the routes of the
    /// original, and plans its own from then on, because another thread may use it.
    Routes& routes() { return routes_; }
    const Routes& routes() const { return routes_; }

    /// Opens the state if it is not open: a duplicate of a communicator has no state before its
    /// first collective call.
    /// @note Collective over comm, whose topology this is, if the state is not open.
    void open_state(MPI_Comm comm);

    /// @pre the state is open
    const std::shared_ptr<mpi::CommState>& state() const { return state_; }

    /// True if this is a duplicate that has yet to take over what the original knew. Calls that had
    /// begun on the original when it was duplicated may still find something out.
    bool inherits() const;

    /// Takes it over, and returns true, once all of those calls have left the line of calls.
    /// @pre inherits(), in the first call
    bool inherited();

    static std::shared_ptr<Topology> on_dup(const std::shared_ptr<Topology>& original);

private:
    /// What a duplicate inherits: everything that the calls on the original found out before the
    /// one with this place.
    struct Inheritance {
        std::shared_ptr<Topology> original;
        std::int64_t place;
    };

    void take_over(const Topology& original, std::int64_t place);

    bool declared_;
    std::shared_ptr<const topology::Adjacency> edges_;
    std::shared_ptr<const StatedTopology> stated_;
    std::optional<routing::EdgeBytes> bytes_;
    int rank_;
    std::shared_ptr<mpi::CommState> state_;
    Routes routes_;

    mutable std::mutex mutex_;  // another thread may progress a call that adopts
    std::shared_ptr<Definition> definition_;
    std::int64_t defined_at_ = -1;  ///< place of the call that adopted it
    std::optional<Inheritance> heritage_;
};

}  // namespace carpool::neighbor
