#include "neighbor/routes.hpp"

#include "engine/supersteps.hpp"
#include "mpi/error.hpp"

#include <array>
#include <utility>

namespace carpool::neighbor {
namespace {

choose::Load most_of_all(choose::Load load, MPI_Comm comm) {
    std::array<std::int64_t, 7> most{load.phases};
    for (std::size_t level = 0; level < 2; ++level) {
        const auto& [messages, blocks, bytes] = load.traffic[level];
        const auto at = 1 + 3 * level;
        most[at] = messages;
        most[at + 1] = blocks;
        most[at + 2] = bytes;
    }
    mpi::check(MPI_Allreduce(MPI_IN_PLACE, most.data(), static_cast<int>(most.size()), MPI_INT64_T,
                             MPI_MAX, comm),
               "MPI_Allreduce");
    load.phases = most[0];
    for (std::size_t level = 0; level < 2; ++level) {
        const auto at = 1 + 3 * level;
        load.traffic[level] = {most[at], most[at + 1], most[at + 2]};
    }
    return load;
}

choose::Traffic sent_by_all(const routing::Itinerary& itinerary, MPI_Comm comm) {
    std::int64_t sums[] = {itinerary.blocks_sent(), itinerary.bytes_sent()};
    mpi::check(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT64_T, MPI_SUM, comm), "MPI_Allreduce");
    return {0, sums[0], sums[1]};
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

const Route& Routes::plan(const Key& key, const RoutedGraph& graph, MPI_Comm comm) {
    if (const auto* known = find(key)) return *known;
    topology::Adjacency turned;
    if (key.flow == Flow::backwards) turned = topology::transposed(graph.edges);
    const auto& edges = key.flow == Flow::backwards ? turned : graph.edges;
    const auto pattern =
        key.flow == Flow::alltoall ? routing::Pattern::alltoall : routing::Pattern::allgather;
    auto& state = graph.state;
    const auto* bytes = key.rule->seeks_friends ? nullptr : graph.bytes;
    auto itinerary = engine::run(
        key.rule->route({state.rank(), state.size(), &edges, key.options, bytes}, pattern),
        engine::SuperstepComm(state, comm));
    const auto load =
        most_of_all(choose::load_of(itinerary, state.rank(), choose::Machine::anywhere()), comm);
    const auto of_all = key.rule->follows_ways ? sent_by_all(itinerary, comm) : choose::Traffic{};
    auto route = std::make_shared<const Route>(Route{std::move(itinerary), load, of_all});
    return *routes_.emplace(key, std::move(route)).first->second;
}

void Routes::plan_direct(const RoutedGraph& graph) {
    const int rank = graph.state.rank();
    auto program = routing::direct.route({rank, graph.state.size(), &graph.edges, {}, graph.bytes},
                                         routing::Pattern::alltoall);
    routing::Conversation nobody;
    program.join(nobody);
    nobody.waiting.resume();  // to its end: it has no superstep
    auto itinerary = program.take();
    const auto load = choose::load_of(itinerary, rank, choose::Machine::anywhere());
    routes_.emplace(Key{&routing::direct, Flow::alltoall},
                    std::make_shared<const Route>(Route{std::move(itinerary), load, {}}));
}

}  // namespace carpool::neighbor
