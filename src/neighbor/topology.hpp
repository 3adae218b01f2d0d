#pragma once

#include "choose/planner.hpp"
#include "mpi/channel.hpp"
#include "neighbor/settings.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <mpi.h>

#include <memory>
#include <set>
#include <vector>

namespace carpool::neighbor {

class Cache;

/// What a neighborhood is, shared by a communicator and its duplicates.
struct Definition {
    Definition(topology::Grid g, topology::Neighborhood n, std::vector<int> w, Settings s)
        : grid(std::move(g)),
          neighborhood(std::move(n)),
          weights(std::move(w)),
          settings(std::move(s)),
          planner(grid, neighborhood) {}

    topology::Grid grid;
    topology::Neighborhood neighborhood;
    std::vector<int> weights;  ///< empty for an unweighted neighborhood
    Settings settings;
    choose::Planner planner;
};

/// The neighborhood of one communicator: its attribute, with tags of its own.
class Topology {
public:
    /// The neighborhood of a communicator; throws MPI_ERR_TOPOLOGY if it has none.
    static std::shared_ptr<Topology> of(MPI_Comm comm);

    /// Attaches a neighborhood to a Cartesian communicator. @note Collective over comm.
    static void attach(MPI_Comm cartcomm, std::shared_ptr<Definition> definition,
                       std::shared_ptr<mpi::Channel> channel);

    Topology(std::shared_ptr<Definition> definition, std::shared_ptr<mpi::Channel> channel,
             std::vector<int> channel_ranks, int rank);
    ~Topology();

    Definition& definition() const { return *definition_; }
    int rank() const { return rank_; }
    int neighbors() const { return definition_->neighborhood.size(); }

    /// Ranks of position i: where its block goes and where it comes from; no_rank off the mesh.
    int target(int position) const { return neighbor(position, 1); }
    int source(int position) const { return neighbor(position, -1); }

    MPI_Comm channel_comm() const { return channel_->comm(); }
    int channel_rank(int rank) const;

    /// A tag for a persistent request, unused on all ranks until released. @note Collective.
    int acquire_tag();
    void release_tag(int tag) { used_tags_.erase(tag); }

    /// A tag for the next blocking or nonblocking call: calls come in one order on all ranks.
    int call_tag();

    Cache& cache() { return *cache_; }

    /// False once the communicator has been freed.
    bool attached() const { return attached_; }

    static std::shared_ptr<Topology> on_dup(const std::shared_ptr<Topology>& original);
    void on_free();

private:
    int neighbor(int position, int sign) const;

    std::shared_ptr<Definition> definition_;
    std::shared_ptr<mpi::Channel> channel_;
    std::vector<int> channel_ranks_;  // empty if ranks are the same
    int rank_;
    std::vector<int> coordinates_;
    int share_;
    int calls_ = 0;
    int inits_ = 0;
    std::set<int> used_tags_;
    std::unique_ptr<Cache> cache_;
    bool attached_ = true;
};

}  // namespace carpool::neighbor
