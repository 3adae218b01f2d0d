#include "neighbor/topology.hpp"

#include "mpi/attribute.hpp"
#include "mpi/handle.hpp"
#include "neighbor/cache.hpp"

#include <algorithm>
#include <numeric>

namespace carpool::neighbor {
namespace {

using mpi::check;

/// Ranks of one communicator in another of the same processes; empty if they are the same.
std::vector<int> translated_ranks(MPI_Comm from, MPI_Comm to) {
    int relation = MPI_UNEQUAL;
    check(MPI_Comm_compare(from, to, &relation), "MPI_Comm_compare");
    if (relation != MPI_SIMILAR) return {};
    mpi::Group here;
    mpi::Group there;
    int size = 0;
    check(MPI_Comm_size(from, &size), "MPI_Comm_size");
    check(MPI_Comm_group(from, here.out()), "MPI_Comm_group");
    check(MPI_Comm_group(to, there.out()), "MPI_Comm_group");
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::iota(ranks.begin(), ranks.end(), 0);
    std::vector<int> translated(ranks.size());
    check(MPI_Group_translate_ranks(here.get(), size, ranks.data(), there.get(), translated.data()),
          "MPI_Group_translate_ranks");
    return translated;
}

bool used_anywhere(bool used, MPI_Comm comm) {
    int flag = used ? 1 : 0;
    check(MPI_Allreduce(MPI_IN_PLACE, &flag, 1, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
    return flag != 0;
}

}  // namespace

Definition::Definition(topology::Grid grid, topology::Neighborhood neighborhood, std::vector<int> w,
                       Settings s)
    : Definition(topology::Isomorphism{std::move(grid), neighborhood, {}, {}}, std::move(s)) {
    declared = true;
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
                                           std::shared_ptr<mpi::Channel> channel,
                                           std::shared_ptr<const topology::Adjacency> edges) {
    int rank = 0;
    int size = 0;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    if (!edges)
        edges = std::make_shared<const topology::Adjacency>(
            topology::adjacency(definition->grid(), definition->neighborhood(), rank));
    auto ranks = translated_ranks(comm, channel->comm());
    mpi::Channel::share(channel, comm);
    auto topology = std::make_shared<Topology>(std::move(definition), std::move(channel),
                                               std::move(edges), std::move(ranks), rank, size);
    mpi::Attribute<Topology>::attach(comm, topology);
    return topology;
}

Topology::Topology(std::shared_ptr<Definition> definition, std::shared_ptr<mpi::Channel> channel,
                   std::shared_ptr<const topology::Adjacency> edges, std::vector<int> channel_ranks,
                   int rank, int size)
    : definition_(std::move(definition)),
      channel_(std::move(channel)),
      edges_(std::move(edges)),
      channel_ranks_(std::move(channel_ranks)),
      rank_(rank),
      size_(size),
      share_(channel_),
      cache_(std::make_unique<Cache>()) {}

Topology::~Topology() = default;

int Topology::channel_rank(int rank) const {
    return channel_ranks_.empty() ? rank : channel_ranks_[static_cast<std::size_t>(rank)];
}

int Topology::rank_of_channel_rank(int channel_rank) const {
    if (channel_ranks_.empty()) return channel_rank;
    const auto found = std::find(channel_ranks_.begin(), channel_ranks_.end(), channel_rank);
    return static_cast<int>(found - channel_ranks_.begin());
}

// The lower half of the tags is for persistent requests, the upper for calls.

int Topology::acquire_tag() {
    const int half = share_.count() / 2;
    while (true) {
        const int tag = share_.first() + inits_ % half;
        const bool first_time_round = inits_ < half;
        inits_ = inits_ + 1 < 2 * half ? inits_ + 1 : half;
        if (first_time_round || !used_anywhere(used_tags_.contains(tag), channel_->comm())) {
            used_tags_.insert(tag);
            return tag;
        }
    }
}

int Topology::call_tag() {
    const int half = share_.count() / 2;
    const int tag = share_.first() + half + calls_;
    calls_ = (calls_ + 1) % (share_.count() - half);
    return tag;
}

std::shared_ptr<Topology> Topology::on_dup(const std::shared_ptr<Topology>& original) {
    auto duplicate =
        std::make_shared<Topology>(original->definition_, original->channel_, original->edges_,
                                   original->channel_ranks_, original->rank_, original->size_);
    duplicate->routes_ = original->routes_;
    return duplicate;
}

void Topology::on_free() {
    attached_ = false;
    cache_->clear();
}

}  // namespace carpool::neighbor
