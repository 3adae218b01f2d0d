#include "neighbor/routes.hpp"

#include "engine/opened_state.hpp"
#include "mpi/error.hpp"
#include "mpi/supersteps.hpp"
#include "neighbor/topology.hpp"

#include <array>
#include <utility>

namespace carpool::neighbor {
namespace {

choose::Load most_of_all(const choose::Load& load, MPI_Comm comm) {
    std::array<std::int64_t, 4> most{load.messages, load.blocks, load.phases, load.bytes};
    mpi::check(MPI_Allreduce(MPI_IN_PLACE, most.data(), 4, MPI_INT64_T, MPI_MAX, comm),
               "MPI_Allreduce");
    return {most[0], most[1], most[2], most[3]};
}

}  // namespace

Flow flow_of(schedule::Operation operation) {
    if (schedule::reduces(operation)) return Flow::backwards;
    return operation == schedule::Operation::alltoall ? Flow::alltoall : Flow::allgather;
}

const Route* Routes::find(const Key& key) const {
    const auto found = routes_.find(key);
    return found == routes_.end() ? nullptr : found->second.get();
}

const Route& Routes::plan(const Key& key, Topology& topology, MPI_Comm comm) {
    if (const auto* known = find(key)) return *known;
    topology::Adjacency turned;
    if (key.flow == Flow::backwards) turned = topology::transposed(topology.edges());
    const auto& edges = key.flow == Flow::backwards ? turned : topology.edges();
    const auto pattern =
        key.flow == Flow::alltoall ? routing::Pattern::alltoall : routing::Pattern::allgather;
    auto& state = *topology.state();
    const auto* bytes = key.rule->seeks_friends ? nullptr : topology.bytes();
    auto itinerary =
        mpi::run(key.rule->route({state.rank(), state.size(), &edges, key.options, bytes}, pattern),
                 engine::superstep_comm(state, comm));
    const auto load = most_of_all(choose::load_of(itinerary), comm);
    auto route = std::make_shared<const Route>(Route{std::move(itinerary), load});
    return *routes_.emplace(key, std::move(route)).first->second;
}

void Routes::plan_direct(const Topology& topology) {
    auto program = routing::direct.route(
        {topology.rank(), topology.ranks(), &topology.edges(), {}, topology.bytes()},
        routing::Pattern::alltoall);
    routing::Conversation nobody;
    program.join(nobody);
    nobody.waiting.resume();  // to its end: it has no superstep
    auto itinerary = program.take();
    const auto load = choose::load_of(itinerary);
    routes_.emplace(Key{&routing::direct, Flow::alltoall},
                    std::make_shared<const Route>(Route{std::move(itinerary), load}));
}

}  // namespace carpool::neighbor
