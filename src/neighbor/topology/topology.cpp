// SPDX-License-Identifier: MIT
#include "neighbor/topology/topology.hpp"

#include "call/pipeline.hpp"
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

/// Without neighbors, an allgather still has the size of the block that no rank receives.
int unsure_sizes_of(const topology::Isomorphism& declared) {
    const int t = declared.neighborhood.size();
    if (t == 0) return 1;
    return crosses_border(declared.grid, declared.neighborhood) ? t : 0;
}

}  // namespace

Definition::Definition(topology::Grid grid, topology::Neighborhood neighborhood, std::vector<int> w,
                       NeighborSettings s)
    : Definition(topology::Isomorphism{std::move(grid), std::move(neighborhood), {}, {}},
                 std::move(s)) {
    declared = true;
    unsure_sizes = unsure_sizes_of(*isomorphism);
    one_size =
        unsure_sizes == 0 || all_have_neighbors(isomorphism->grid, isomorphism->neighborhood);
    weights = std::move(w);
}

Definition::Definition(std::optional<topology::Isomorphism> i, NeighborSettings s)
    : declared(false), isomorphism(std::move(i)), settings(std::move(s)) {
    if (isomorphism)
        planner = std::make_unique<choose::Planner>(isomorphism->grid, isomorphism->neighborhood);
}

std::shared_ptr<Topology> Topology::declared(MPI_Comm comm) {
    auto topology = mpi::Attribute<Topology>::find(comm);
    if (!topology || !topology->declared())
        throw mpi::Error(MPI_ERR_TOPOLOGY,
                         "comm has no neighborhood, expected a communicator made by "
                         "Carpool_Cart_neighborhood_create or Carpool_Iso_neighborhood_create");
    return topology;
}

void Topology::attach(MPI_Comm comm, std::shared_ptr<Definition> definition,
                      std::shared_ptr<mpi::CommState> state) {
    auto edges = std::make_shared<const topology::Adjacency>(
        topology::adjacency(definition->grid(), definition->neighborhood(), state->rank()));
    const auto topology =
        std::make_shared<Topology>(std::move(definition), std::move(edges), nullptr, state->rank());
    topology->state_ = std::move(state);
    mpi::Attribute<Topology>::attach(comm, topology);
}

std::shared_ptr<Topology> Topology::attach(MPI_Comm comm, topology::Adjacency edges,
                                           StatedTopology stated,
                                           std::shared_ptr<mpi::CommState> state) {
    int rank = 0;
    mpi::check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    auto topology = std::make_shared<Topology>(
        nullptr, std::make_shared<const topology::Adjacency>(std::move(edges)),
        std::make_shared<const StatedTopology>(std::move(stated)), rank);
    topology->state_ = std::move(state);
    mpi::Attribute<Topology>::attach(comm, topology);
    return topology;
}

std::shared_ptr<Topology> Topology::of_call(std::shared_ptr<Definition> definition,
                                            topology::Adjacency edges,
                                            std::shared_ptr<mpi::CommState> state) {
    auto topology = std::make_shared<Topology>(
        std::move(definition), std::make_shared<const topology::Adjacency>(std::move(edges)),
        nullptr, state->rank());
    topology->state_ = std::move(state);
    return topology;
}

Topology::Topology(std::shared_ptr<Definition> definition,
                   std::shared_ptr<const topology::Adjacency> edges,
                   std::shared_ptr<const StatedTopology> stated, int rank)
    : declared_(definition && definition->declared),
      edges_(std::move(edges)),
      stated_(std::move(stated)),
      rank_(rank),
      definition_(std::move(definition)) {}

bool Topology::defined() const {
    const std::lock_guard lock(mutex_);
    return definition_ != nullptr;
}

void Topology::adopt(std::shared_ptr<Definition> definition, std::int64_t place) {
    const std::lock_guard lock(mutex_);
    definition_ = std::move(definition);
    defined_at_ = place;
}

/// A duplicate that inherits may have to wait before its first vote. Counting a call here makes
/// sure that this vote is not on comm.
void Topology::open_state(MPI_Comm comm) {
    if (state_) return;
    state_ = call::state_for_call(comm);
    if (inherits()) state_->next_call();
}

bool Topology::inherits() const {
    const std::lock_guard lock(mutex_);
    return heritage_.has_value();
}

bool Topology::inherited() {
    std::unique_lock lock(mutex_);
    const auto heritage = *heritage_;
    lock.unlock();
    const auto& [original, place] = heritage;
    if (!original->state_->all_left_before(place)) return false;
    take_over(*original, place);
    return true;
}

void Topology::take_over(const Topology& original, std::int64_t place) {
    routes_.inherit(original.routes_, place);
    const std::scoped_lock lock(mutex_, original.mutex_);
    if (!definition_ && original.defined_at_ < place) definition_ = original.definition_;
    heritage_.reset();
}

/// A communicator that has had no call yet passes on what it inherits itself.
std::shared_ptr<Topology> Topology::on_dup(const std::shared_ptr<Topology>& original) {
    const bool called = original->state_ && original->state_->places() > 0;
    const std::lock_guard lock(original->mutex_);
    auto duplicate =
        std::make_shared<Topology>(original->declared() ? original->definition_ : nullptr,
                                   original->edges_, original->stated_, original->rank_);
    if (called)
        duplicate->heritage_ = {original, original->state_->places()};
    else
        duplicate->heritage_ = original->heritage_;
    return duplicate;
}

}  // namespace carpool::neighbor
