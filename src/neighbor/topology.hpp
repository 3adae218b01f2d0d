#pragma once

#include "choose/planner.hpp"
#include "mpi/channel.hpp"
#include "neighbor/routes.hpp"
#include "neighbor/settings.hpp"
#include "topology/graph.hpp"
#include "topology/isomorphism.hpp"

#include <mpi.h>

#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace carpool::neighbor {

class Cache;

/// What a neighborhood is, shared by a communicator and its duplicates.
struct Definition {
    /// Of Carpool's own communicators: all ranks have given the same offsets.
    Definition(topology::Grid grid, topology::Neighborhood neighborhood, std::vector<int> weights,
               Settings settings);

    /// Of a communicator with a topology of MPI, recognised as a neighborhood on a grid or not.
    Definition(std::optional<topology::Isomorphism> isomorphism, Settings settings);

    /// @pre on_grid
    const topology::Grid& grid() const { return isomorphism->grid; }
    const topology::Neighborhood& neighborhood() const { return isomorphism->neighborhood; }
    bool on_grid() const { return isomorphism.has_value(); }

    bool declared;  ///< with offsets: then a position has one size on all ranks
    std::optional<topology::Isomorphism> isomorphism;
    std::vector<int> weights;  ///< empty for an unweighted neighborhood
    Settings settings;
    std::unique_ptr<choose::Planner> planner;  ///< none unless on a grid
};

/// The neighborhood of one communicator: its attribute, with tags of its own.
class Topology {
public:
    /// The neighborhood declared to Carpool; throws MPI_ERR_TOPOLOGY if the communicator has none.
    static std::shared_ptr<Topology> declared(MPI_Comm comm);

    /// Attaches a neighborhood to a communicator. @note Collective over comm.
    /// @param edges  of this rank; null for those of a declared neighborhood
    static std::shared_ptr<Topology> attach(
        MPI_Comm comm, std::shared_ptr<Definition> definition,
        std::shared_ptr<mpi::Channel> channel,
        std::shared_ptr<const topology::Adjacency> edges = nullptr);

    /// @param channel_ranks  of the ranks in the channel; empty if they are the same
    Topology(std::shared_ptr<Definition> definition, std::shared_ptr<mpi::Channel> channel,
             std::shared_ptr<const topology::Adjacency> edges, std::vector<int> channel_ranks,
             int rank, int size);
    ~Topology();

    Definition& definition() const { return *definition_; }
    int rank() const { return rank_; }
    int size() const { return size_; }
    const topology::Adjacency& edges() const { return *edges_; }
    int outdegree() const { return static_cast<int>(edges_->out.size()); }
    int indegree() const { return static_cast<int>(edges_->in.size()); }

    /// Where block i goes, and where that of position i comes from; no_rank off a mesh.
    int target(int i) const { return edges_->out[static_cast<std::size_t>(i)].peer; }
    int source(int i) const { return edges_->in[static_cast<std::size_t>(i)].peer; }

    const std::shared_ptr<mpi::Channel>& channel() const { return channel_; }
    /// On the graph. A duplicate of the communicator starts with those of the original, and plans
    /// its own from then on: another thread may use it.
    Routes& routes() { return routes_; }
    const Routes& routes() const { return routes_; }

    MPI_Comm channel_comm() const { return channel_->comm(); }
    int channel_rank(int rank) const;
    int rank_of_channel_rank(int channel_rank) const;

    /// A tag for a persistent request, unused on all ranks until released. @note Collective.
    int acquire_tag();
    void release_tag(int tag) { used_tags_.erase(tag); }

    /// Numbers the calls that end once, alike on all ranks.
    std::int64_t next_call() { return ++call_numbers_; }

    /// A tag for the next blocking or nonblocking call: calls come in one order on all ranks.
    int call_tag();

    Cache& cache() { return *cache_; }

    /// False once the communicator has been freed.
    bool attached() const { return attached_; }

    static std::shared_ptr<Topology> on_dup(const std::shared_ptr<Topology>& original);
    void on_free();

private:
    std::shared_ptr<Definition> definition_;
    std::shared_ptr<mpi::Channel> channel_;
    std::shared_ptr<const topology::Adjacency> edges_;
    std::vector<int> channel_ranks_;  // empty if ranks are the same
    int rank_;
    int size_;
    mpi::Channel::Share share_;
    std::int64_t call_numbers_ = 0;
    int calls_ = 0;
    int inits_ = 0;
    std::set<int> used_tags_;
    Routes routes_;
    std::unique_ptr<Cache> cache_;
    bool attached_ = true;
};

}  // namespace carpool::neighbor
