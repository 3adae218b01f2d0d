#pragma once

#include "choose/planner.hpp"
#include "mpi/comm_state.hpp"
#include "mpi/error.hpp"
#include "neighbor/routes.hpp"
#include "neighbor/settings.hpp"
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

/// What a neighborhood is, shared by a communicator and its duplicates.
struct Definition {
    /// Of Carpool's own communicators: all ranks have given the same offsets.
    Definition(topology::Grid grid, topology::Neighborhood neighborhood, std::vector<int> weights,
               NeighborSettings settings);

    /// Of a communicator with a topology of MPI, recognised as a neighborhood on a grid or not.
    Definition(std::optional<topology::Isomorphism> isomorphism, NeighborSettings settings);

    /// @pre on_grid
    const topology::Grid& grid() const { return isomorphism->grid; }
    const topology::Neighborhood& neighborhood() const { return isomorphism->neighborhood; }
    bool on_grid() const { return isomorphism.has_value(); }

    bool declared;  ///< with offsets: then a position has one size on all ranks
    std::optional<topology::Isomorphism> isomorphism;
    std::vector<int> weights;  ///< empty for an unweighted neighborhood
    NeighborSettings settings;
    /// Of the node with most: agreed upon when the neighborhood was made or adopted.
    double ranks_per_core = 1;

    /// Do all ranks have the same size where each has one for all its neighbors? If not, some have
    /// no neighbors, or are not connected with others.
    bool one_size = false;

    /// Most sizes of one call that a rank may not know, since it has no neighbor there: none where
    /// all have all neighbors.
    int unsure_sizes = 0;

    std::unique_ptr<choose::Planner> planner;  ///< none unless on a grid
};

/// What MPI says of the topology of a communicator, before all ranks have looked at it together.
struct Stated {
    std::optional<topology::Isomorphism> isomorphism;  ///< of a Cartesian one
    std::optional<mpi::Error> mistake;
    std::optional<NeighborSettings> settings =
        {};  ///< of one that Carpool has made; else the environment's
};

/// The neighborhood of one communicator.
class Topology {
public:
    /// The neighborhood declared to Carpool; throws MPI_ERR_TOPOLOGY if the communicator has none.
    static std::shared_ptr<Topology> declared(MPI_Comm comm);

    /// Attaches a neighborhood that was declared to a communicator, whose state is ready.
    static void attach(MPI_Comm comm, std::shared_ptr<Definition> definition,
                       std::shared_ptr<mpi::CommState> state);

    /// Attaches what MPI says, still to be adopted.
    /// @param state  of the communicator; null to be opened by its first call
    static std::shared_ptr<Topology> attach(MPI_Comm comm, topology::Adjacency edges, Stated stated,
                                            std::shared_ptr<mpi::CommState> state = nullptr);

    /// That of one call, which no communicator keeps.
    static std::shared_ptr<Topology> of_call(std::shared_ptr<Definition> definition,
                                             topology::Adjacency edges,
                                             std::shared_ptr<mpi::CommState> state);

    /// @param definition  null before it has been adopted
    Topology(std::shared_ptr<Definition> definition,
             std::shared_ptr<const topology::Adjacency> edges, std::shared_ptr<const Stated> stated,
             int rank);

    /// Was it declared, and so is defined from the beginning?
    bool declared() const { return declared_; }

    /// Has it been adopted, as far as this rank knows? Alike on all ranks when the turn of a call
    /// has come.
    bool defined() const;

    /// @pre defined
    Definition& definition() const { return *definition_; }

    /// @pre not declared
    const Stated& stated() const { return *stated_; }

    /// All ranks have looked at it together.
    void adopt(std::shared_ptr<Definition> definition, std::int64_t place);

    int rank() const { return rank_; }
    int ranks() const { return state_->size(); }  ///< @pre the state is open
    const topology::Nodes* nodes() const { return state_->nodes().get(); }  ///< null for one
    const topology::Adjacency& edges() const { return *edges_; }
    int outdegree() const { return static_cast<int>(edges_->out.size()); }
    int indegree() const { return static_cast<int>(edges_->in.size()); }

    /// Where block i goes, and where that of position i comes from; no_rank off a mesh.
    int target(int i) const { return edges_->out[static_cast<std::size_t>(i)].peer; }
    int source(int i) const { return edges_->in[static_cast<std::size_t>(i)].peer; }

    /// Lets the sizes of the blocks along the edges, the same at each call, choose the routes.
    void know_bytes(routing::EdgeBytes bytes) { bytes_ = std::move(bytes); }

    /// Sizes that are the same at each call; null if they are not.
    const routing::EdgeBytes* bytes() const { return bytes_ ? &*bytes_ : nullptr; }

    /// What routes are planned for. @pre opened
    RoutedGraph graph() const { return {*state_, *edges_, bytes()}; }

    /// On the graph. A duplicate of the communicator starts with those of the original, and plans
    /// its own from then on: another thread may use it.
    Routes& routes() { return routes_; }
    const Routes& routes() const { return routes_; }

    /// A duplicate of the communicator has no state before its first collective call.
    /// @note Collective over comm, whose topology this is, where there is none yet.
    void open_state(MPI_Comm comm);

    /// @pre opened
    const std::shared_ptr<mpi::CommState>& state() const { return state_; }

    /// Is what the original knew still to be taken over? Calls that had begun there when it was
    /// duplicated may still find something out.
    bool inherits() const;

    /// Takes it over once all of these have; true then. @pre inherits, at the first call
    bool inherited();

    static std::shared_ptr<Topology> on_dup(const std::shared_ptr<Topology>& original);

private:
    /// What a duplicate gets: all that was found out by calls before one of the original's.
    struct Heritage {
        std::shared_ptr<Topology> original;
        std::int64_t place;
    };

    void take_over(const Topology& original, std::int64_t place);

    bool declared_;
    std::shared_ptr<const topology::Adjacency> edges_;
    std::shared_ptr<const Stated> stated_;
    std::optional<routing::EdgeBytes> bytes_;
    int rank_;
    std::shared_ptr<mpi::CommState> state_;
    Routes routes_;

    mutable std::mutex mutex_;  // another thread may progress a call that adopts
    std::shared_ptr<Definition> definition_;
    std::int64_t defined_at_ = -1;  ///< place of the call that has adopted it
    std::optional<Heritage> heritage_;
};

}  // namespace carpool::neighbor
