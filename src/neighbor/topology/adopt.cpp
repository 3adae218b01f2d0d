// SPDX-License-Identifier: MIT
#include "neighbor/topology/adopt.hpp"

#include "agree/allreduce_steps.hpp"
#include "agree/supersteps.hpp"
#include "arguments/operation_claim.hpp"
#include "call/pipeline.hpp"
#include "mpi/attribute.hpp"
#include "mpi/comm/oversubscription.hpp"
#include "mpi/error.hpp"
#include "neighbor/topology/edge_check.hpp"
#include "neighbor/topology/mpi_topology.hpp"
#include "routing/connected.hpp"
#include "topology/grid_search.hpp"
#include "topology/isomorphism.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::neighbor {
namespace {

/// The rank with the most targets; the lowest of several. On a mesh this rank has all neighbors, if
/// any rank has. It is written as one number, of which all ranks take the maximum.
struct Model {
    int targets;
    int rank;

    std::int64_t number() const { return std::int64_t{targets} << 32 | (highest - rank); }
    static Model of(std::int64_t number) {
        return {static_cast<int>(number >> 32),
                highest - static_cast<int>(number & std::int64_t{highest})};
    }

private:
    static constexpr int highest = std::numeric_limits<int>::max();
};

std::vector<std::int64_t> targets_of(const topology::Adjacency& edges) {
    std::vector<std::int64_t> targets;
    for (const auto& edge : edges.out) targets.push_back(edge.peer);
    return targets;
}

/// Converts the words to numbers for an allreduce, and back.
std::vector<std::int64_t> numbers_of(const std::vector<std::uint64_t>& words) {
    return {words.begin(), words.end()};
}
std::vector<std::uint64_t> words_of(const std::vector<std::int64_t>& numbers) {
    return {numbers.begin(), numbers.end()};
}

/// One rank sends its list of targets to all ranks, and every rank compares its own edges with it.
engine::Steps<std::optional<topology::Isomorphism>> recognised(const Topology& topology, int tag) {
    if (topology.stated().isomorphism) co_return topology.stated().isomorphism;
    const auto& state = *topology.state();
    std::vector offer{Model{topology.outdegree(), state.rank()}.number()};
    const auto elected = co_await agree::allreduce(state, tag, std::move(offer), MPI_MAX);
    const auto model = Model::of(elected.front());
    if (model.targets == 0 || state.size() == 1) co_return std::nullopt;
    auto own = targets_of(topology.edges());
    if (model.rank != state.rank())
        own.assign(static_cast<std::size_t>(model.targets), topology::no_rank);
    const auto targets = co_await agree::allreduce(state, tag, std::move(own), MPI_MAX);
    const topology::GridSearch search(
        state.size(), model.rank,
        topology::labelled(std::vector<int>(targets.begin(), targets.end())));
    auto misfits = numbers_of(search.misfits(state.rank(), topology.edges()));
    const auto all = co_await agree::allreduce(state, tag, std::move(misfits), MPI_BOR);
    co_return search.best(words_of(all), state.rank(), topology.edges());
}

EdgeEnds ends_of(const Topology& topology) {
    const auto& [out, in] = topology.edges();
    return {topology.rank(), &topology.edges(), std::vector<std::int64_t>(out.size()),
            std::vector<std::int64_t>(in.size())};
}

/// @pre not defined
NeighborSettings settings_to_adopt(const Topology& topology) {
    const auto& given = topology.stated().settings;
    return given ? *given : NeighborSettings::from_environment();
}

}  // namespace

NeighborSettings settings_before_adoption(const Topology& topology) {
    if (topology.defined()) return topology.definition().settings;
    NeighborSettings settings;
    static_cast<void>(mpi::mistake_in([&] { settings = settings_to_adopt(topology); }));
    return settings;
}

std::shared_ptr<Topology> topology_of(MPI_Comm comm) {
    auto topology = read_topology_of(comm);
    topology->open_state(comm);
    return topology;
}

std::shared_ptr<Topology> read_topology_of(MPI_Comm comm) {
    if (auto topology = mpi::Attribute<Topology>::find(comm)) return topology;
    check_topology(comm);
    MpiTopology read;
    StatedTopology stated;
    stated.mistake = mpi::mistake_in([&] { read = read_topology(comm); });
    stated.isomorphism = std::move(read.isomorphism);
    return Topology::attach(comm, std::move(read.edges), std::move(stated));
}

Adoption::Adoption(MPI_Comm comm, const Topology& topology, std::optional<call::Return> when)
    : when_(when), mistake_(topology.stated().mistake) {
    const auto mistake = mpi::mistake_in([&] { settings_ = settings_to_adopt(topology); });
    if (!mistake_) mistake_ = mistake;
    // only the very first call votes on comm, whatever it is
    if (topology.inherits() || topology.state()->places() > 0 || topology.state()->calls() > 0)
        return;
    topology.state()->next_call();
    vote(comm, topology, nullptr);
}

/// Starts the vote: on the settings, and on whether both ends of every edge list it.
void Adoption::vote(MPI_Comm comm, const Topology& topology,
                    std::shared_ptr<mpi::VoteTransport> transport) {
    mpi::Tally tally;
    tally.oversubscription.add(mpi::oversubscription());
    tally.balance = balance(ends_of(topology));
    tally.waiting.add(when_ == call::Return::planned ? 1 : 0);
    std::vector<mpi::Claim> claims;
    const auto operation = arguments::operation_claim(arguments::Other::first_on_neighborhood);
    if (!mistake_) claims = {arguments::in_form(operation, when_.has_value()), settings_.claim()};
    vote_.emplace(comm, std::move(claims), mistake_, tally, 0, std::move(transport));
}

engine::Steps<void> Adoption::adopted(Topology& topology, const call::CallContext& context,
                                      std::int64_t place) {
    const auto& ticket = context.ticket;
    auto& state = *ticket.state;
    if (!vote_) vote(ticket.comm, topology, context.vote());
    co_await engine::until(*vote_);
    co_await engine::until(state);  // also if the vote refuses: other ranks may wait for this one
    call::conclude(*vote_);
    if (vote_->tally().balance != 0) {
        auto ends = ends_of(topology);
        co_await refuse_difference(std::move(ends), context, MPI_ERR_TOPOLOGY);
    }
    auto recognised_grid = co_await recognised(topology, ticket.tag);
    auto definition = std::make_shared<Definition>(std::move(recognised_grid), settings_);
    definition->ranks_per_core = mpi::ranks_per_core(vote_->tally().oversubscription.most);
    auto program = routing::connected(state.rank(), state.size(), &topology.edges());
    definition->one_size = co_await agree::run(std::move(program), state, ticket.tag);
    // the load of direct shows whether another rule is worth planning
    for (int flow = 0; flow < flows; ++flow) {
        Routes::Key direct{&routing::direct, static_cast<Flow>(flow)};
        co_await topology.routes().plan(std::move(direct), topology.graph(), {ticket.tag, place});
    }
    topology.adopt(std::move(definition), place);
}

}  // namespace carpool::neighbor
