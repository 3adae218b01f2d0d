#include "neighbor/topology.hpp"

#include "engine/opened_state.hpp"
#include "mpi/attribute.hpp"
#include "mpi/error.hpp"

#include <string>
#include <utility>

namespace carpool::neighbor {
namespace {

bool crosses_border(const topology::Grid& grid, const topology::Neighborhood& neighborhood) {
    for (int i = 0; i < neighborhood.size(); ++i)
        for (int k = 0; k < grid.dimensions(); ++k)
            if (!grid.periodic(k) && neighborhood[i][static_cast<std::size_t>(k)] != 0) return true;
    return false;
}

bool has_neighbor(const topology::Grid& grid, const topology::Neighborhood& neighborhood,
                  int rank) {
    const auto here = grid.coordinates(rank);
    for (int i = 0; i < neighborhood.size(); ++i)
        for (const int sign : {1, -1})
            if (grid.rank_at(here, neighborhood[i], sign) != topology::no_rank) return true;
    return false;
}

bool all_have_neighbors(const topology::Grid& grid, const topology::Neighborhood& neighborhood) {
    for (int rank = 0; rank < grid.size(); ++rank)
        if (!has_neighbor(grid, neighborhood, rank)) return false;
    return true;
}

/// Without positions, an allgather still has the size of the block that nobody gets.
int unsure_sizes_of(const topology::Isomorphism& declared) {
    const int t = declared.neighborhood.size();
    if (t == 0) return 1;
    return crosses_border(declared.grid, declared.neighborhood) ? t : 0;
}

}  // namespace

Definition::Definition(topology::Grid grid, topology::Neighborhood neighborhood, std::vector<int> w,
                       Settings s)
    : Definition(topology::Isomorphism{std::move(grid), neighborhood, {}, {}}, std::move(s)) {
    declared = true;
    unsure_sizes = unsure_sizes_of(*isomorphism);
    one_size =
        unsure_sizes == 0 || all_have_neighbors(isomorphism->grid, isomorphism->neighborhood);
    weights = std::move(w);
}

Definition::Definition(std::optional<topology::Isomorphism> i, Settings s)
    : declared(false), isomorphism(std::move(i)), settings(std::move(s)) {
    if (isomorphism)
        planner = std::make_unique<choose::Planner>(isomorphism->grid, isomorphism->neighborhood);
}

std::shared_ptr<Topology> Topology::declared(MPI_Comm comm) {
    auto topology = mpi::Attribute<Topology>::find(comm);
    if (!topology || !topology->definition().declared)
        throw mpi::Error(MPI_ERR_TOPOLOGY,
                         "comm has no neighborhood, expected a communicator made by "
                         "Carpool_Cart_neighborhood_create or Carpool_Iso_neighborhood_create");
    return topology;
}

std::shared_ptr<Topology> Topology::attach(MPI_Comm comm, std::shared_ptr<Definition> definition,
                                           std::shared_ptr<mpi::CommState> state,
                                           std::shared_ptr<const topology::Adjacency> edges) {
    if (!edges)
        edges = std::make_shared<const topology::Adjacency>(
            topology::adjacency(definition->grid(), definition->neighborhood(), state->rank()));
    auto topology =
        std::make_shared<Topology>(std::move(definition), std::move(edges), state->rank());
    topology->state_ = std::move(state);
    mpi::Attribute<Topology>::attach(comm, topology);
    return topology;
}

std::shared_ptr<Topology> Topology::of_call(std::shared_ptr<Definition> definition,
                                            topology::Adjacency edges,
                                            std::shared_ptr<mpi::CommState> state) {
    auto topology = std::make_shared<Topology>(
        std::move(definition), std::make_shared<const topology::Adjacency>(std::move(edges)),
        state->rank());
    topology->state_ = std::move(state);
    return topology;
}

Topology::Topology(std::shared_ptr<Definition> definition,
                   std::shared_ptr<const topology::Adjacency> edges, int rank)
    : definition_(std::move(definition)), edges_(std::move(edges)), rank_(rank) {}

void Topology::open_state(MPI_Comm comm) {
    if (!state_) state_ = engine::opened_state(comm);
}

std::shared_ptr<Topology> Topology::on_dup(const std::shared_ptr<Topology>& original) {
    auto duplicate =
        std::make_shared<Topology>(original->definition_, original->edges_, original->rank_);
    duplicate->routes_ = original->routes_;
    duplicate->passages_ = original->passages_;
    return duplicate;
}

}  // namespace carpool::neighbor
