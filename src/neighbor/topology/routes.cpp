// SPDX-License-Identifier: MIT
#include "neighbor/topology/routes.hpp"

#include "agree/allreduce_steps.hpp"
#include "agree/supersteps.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace carpool::neighbor {
namespace {

/// The numbers whose maxima over all ranks are those of the busiest rank, see choose::most().
std::vector<std::int64_t> numbers_of(const choose::Load& load) {
    std::vector<std::int64_t> numbers{load.phases, load.phases_between_nodes(), load.copied,
                                      load.copied_blocks};
    for (const auto& traffic : {load.traffic, load.sent, load.received}) {
        const auto& far = traffic[choose::index_of(choose::Level::network)];
        for (const auto& one : {choose::of_both_levels(traffic), far})
            numbers.insert(numbers.end(), {one.messages, one.blocks, one.bytes});
    }
    return numbers;
}

/// The given load with these numbers in place of its own.
choose::Load with_numbers(choose::Load load, std::span<const std::int64_t> numbers) {
    std::size_t next = 0;
    const auto traffic = [&]() -> choose::Traffic {
        const auto* const three = &numbers[next];
        next += 3;
        return {three[0], three[1], three[2]};
    };
    load.phases = numbers[next++];
    load.phases_on_node = load.phases - numbers[next++];
    load.copied = numbers[next++];
    load.copied_blocks = numbers[next++];
    for (auto* const side : {&load.traffic, &load.sent, &load.received}) {
        const auto all = traffic();
        *side = choose::by_level(all, traffic());
    }
    return load;
}

/// Copies what was found in calls before the one with this place.
template <typename Map>
void take_over(Map& to, const Map& from, std::int64_t place) {
    constexpr std::int64_t before_all = -1;
    for (const auto& [key, found] : from)
        if (found.place < place)
            to.insert_or_assign(key, typename Map::mapped_type{before_all, found.what});
}

}  // namespace

Flow flow_of(schedule::Operation operation) {
    if (schedule::reduces(operation)) return Flow::backwards;
    return operation == schedule::Operation::alltoall ? Flow::alltoall : Flow::allgather;
}

const Route* Routes::find(const Key& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = routes_.find(key);
    return found == routes_.end() ? nullptr : found->second.what.get();
}

void Routes::add(const Key& key, std::int64_t place, Route route) {
    const std::lock_guard lock(mutex_);
    routes_.emplace(key, FoundRoute<Route>{place, std::make_shared<const Route>(std::move(route))});
}

const UnsizedRoute* Routes::unsized_route(Flow flow) const {
    const std::lock_guard lock(mutex_);
    const auto found = unsized_routes_.find(flow);
    return found == unsized_routes_.end() ? nullptr : found->second.what.get();
}

void Routes::settle(Flow flow, const UnsizedRoute& unsized_route, Occasion occasion) {
    const std::lock_guard lock(mutex_);
    unsized_routes_.emplace(
        flow, FoundRoute<UnsizedRoute>{occasion.place,
                                       std::make_shared<const UnsizedRoute>(unsized_route)});
}

void Routes::inherit(const Routes& from, std::int64_t place) {
    const std::scoped_lock lock(mutex_, from.mutex_);
    take_over(routes_, from.routes_, place);
    take_over(unsized_routes_, from.unsized_routes_, place);
}

engine::Steps<Route> planned_route(const RuleInUse& use, RoutedGraph graph,
                                   routing::Pattern pattern, int tag) {
    auto& state = graph.state;
    auto program = use.rule->route(
        {state.rank(), state.size(), &graph.edges, use.options, graph.bytes, state.nodes().get()},
        pattern);
    auto itinerary = co_await agree::run(std::move(program), state, tag);
    const auto own =
        choose::load_of(itinerary, state.rank(), choose::Machine::counting(state.nodes()));
    auto numbers = numbers_of(own);
    const auto most = co_await agree::allreduce(state, tag, std::move(numbers), MPI_MAX);
    choose::Traffic of_all;
    if (use.rule->rearranges) {
        std::vector sent{itinerary.blocks_sent(), itinerary.bytes_sent()};
        const auto sums = co_await agree::allreduce(state, tag, std::move(sent), MPI_SUM);
        of_all = {0, sums[0], sums[1]};
    }
    co_return Route{std::move(itinerary), with_numbers(own, most), of_all};
}

engine::Steps<void> Routes::plan(Key key, RoutedGraph graph, Occasion occasion) {
    if (find(key) != nullptr) co_return;
    topology::Adjacency transposed;
    if (key.flow == Flow::backwards) transposed = topology::transposed(graph.edges);
    const auto& edges = key.flow == Flow::backwards ? transposed : graph.edges;
    const auto pattern =
        key.flow == Flow::alltoall ? routing::Pattern::alltoall : routing::Pattern::allgather;
    const auto* bytes = key.rule->seeks_friends ? nullptr : graph.bytes;
    const RuleInUse use{key.rule, key.options};
    auto route = co_await planned_route(use, {graph.state, edges, bytes}, pattern, occasion.tag);
    add(key, occasion.place, std::move(route));
}

void Routes::plan_direct(const RoutedGraph& graph) {
    const int rank = graph.state.rank();
    auto program = routing::direct.route({rank, graph.state.size(), &graph.edges, {}, graph.bytes},
                                         routing::Pattern::alltoall);
    routing::SuperstepExchange nobody;
    program.join(nobody);
    nobody.waiting.resume();  // runs to its end, because it has no superstep
    auto itinerary = program.take();
    const auto load =
        choose::load_of(itinerary, rank, choose::Machine::counting(graph.state.nodes()));
    add({&routing::direct, Flow::alltoall}, 0, {std::move(itinerary), load, {}});
}

}  // namespace carpool::neighbor
