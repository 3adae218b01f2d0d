// SPDX-License-Identifier: MIT
#include "../graphs/graph_cases.hpp"
#include "collective_ranks.hpp"
#include "graph_exchange.hpp"
#include "graphs.hpp"
#include "learnt_sizes.hpp"
#include "node_maps.hpp"
#include "other_families.hpp"
#include "schedule/length_headers.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace families {
namespace {

using namespace carpool;
using schedule::SlotBytes;
using topology::Graph;

constexpr std::int64_t longest = 20;
constexpr int most = 40;

/// Sizes of the blocks of all ranks, as both ends know them.
class Sizes {
public:
    /// @param one_block  each rank sends one block along all its edges
    Sizes(const Graph& graph, bool one_block, std::uint64_t seed)
        : graph_(graph), one_block_(one_block), of_(graph.size()) {
        RandomSource random(seed);
        for (std::size_t rank = 0; rank < graph.size(); ++rank) {
            auto& send = of_[rank].send;
            send.resize(one_block ? 1 : graph[rank].out.size());
            for (auto& size : send) size = random.one_in(3) ? 0 : random.between(1, most);
        }
        for (std::size_t rank = 0; rank < graph.size(); ++rank)
            for (const auto& edge : graph[rank].in)
                of_[rank].recv.push_back(sent(edge, static_cast<int>(rank)));
    }

    const SlotBytes& of(std::size_t rank) const { return of_[rank]; }

private:
    std::int64_t sent(const topology::Edge& edge, int to) const {
        const auto from = static_cast<std::size_t>(edge.peer);
        if (one_block_) return of_[from].send.front();
        const auto& out = graph_[from].out;
        for (std::size_t i = 0; i < out.size(); ++i)
            if (out[i] == topology::Edge{to, edge.label}) return of_[from].send[i];
        return 0;
    }

    const Graph& graph_;
    bool one_block_;
    std::vector<SlotBytes> of_;
};

/// What arrives if blocks of `longest` bytes travel with length headers: longer ones come by
/// rendezvous messages, but for those that stay on their rank.
schedule::Postcondition with_long_blocks(schedule::Postcondition expected, const Sizes& sizes) {
    for (std::size_t rank = 0; rank < expected.size(); ++rank)
        for (std::size_t i = 0; i < expected[rank].size(); ++i)
            for (auto& block : expected[rank][i].blocks)
                if (block.rank != static_cast<int>(rank) && sizes.of(rank).recv[i] > longest)
                    block.bytes = sizes.of(rank).recv[i];
    return expected;
}

Schedules with_headers(Schedules all, const Graph& graph, const Sizes& sizes) {
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        all[rank] = schedule::with_length_headers(std::move(all[rank]), longest, graph[rank],
                                                  static_cast<int>(rank), sizes.of(rank));
    return all;
}

/// The edges of an ordinary collective: slot i of a side with one block per rank is for rank i.
Graph graph_of(const collectives::Problem& problem) {
    const auto all = collective_ranks::edges_of_all(problem.ranks);
    if (problem.kind == collectives::Kind::alltoall)
        return Graph(static_cast<std::size_t>(problem.ranks), all);
    const std::vector<topology::Edge> to_root{{problem.root, 0}};
    Graph graph;
    for (int rank = 0; rank < problem.ranks; ++rank) {
        auto many = rank == problem.root ? all.out : std::vector<topology::Edge>{};
        graph.push_back(problem.kind == collectives::Kind::gather
                            ? topology::Adjacency{to_root, std::move(many)}
                            : topology::Adjacency{std::move(many), to_root});
    }
    return graph;
}

bool passes_on(const collectives::Algorithm& a) {
    return a.kind == collectives::Kind::alltoall ? a.forwards
                                                 : &a != &collectives::algorithms(a.kind).front();
}

void verify(const collectives::Algorithm& a, const collectives::Problem& combined,
            const std::string& nodes, Tally& tally) {
    const auto graph = graph_of(combined);
    const Sizes sizes(graph, false, static_cast<std::uint64_t>(combined.ranks + combined.root));
    tally.verify(std::string(name_of(a.kind)) + " " + std::string(a.name),
                 {with_headers(collective_ranks::schedules(a, {combined}), graph, sizes),
                  with_long_blocks(collectives::expected(std::vector{combined}, 1), sizes)},
                 [&] { return collective_ranks::described(a, combined) + ", " + nodes; });
}

void verify_collectives(int ranks, const Scope& scope, Tally& tally) {
    using collectives::Kind;
    for (const auto kind : {Kind::alltoall, Kind::gather, Kind::scatter})
        for (const auto& a : collectives::algorithms(kind))
            for (const auto& map : node_maps(ranks, scope))
                for (int root = 0; root < (has_root(kind) ? ranks : 1); ++root) {
                    auto combined = collective_ranks::equal_blocks(kind, ranks, longest);
                    combined.root = root;
                    combined.nodes = map.nodes;
                    if (passes_on(a) && (map.nodes == nullptr || a.by_node) && a.applies(combined))
                        verify(a, combined, map.name, tally);
                }
}

/// Blocks of an alltoall whose sizes ranks learn before, the long ones sent directly.
Exchange learnt(const GraphExchange& on, const routing::Rule& rule, const Sizes& sizes,
                std::int64_t longest_combined) {
    auto all = on.schedules(rule);
    std::vector<SlotBytes> own;
    std::vector<std::vector<std::int64_t>> sent;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        own.push_back(sizes.of(rank));
        own.back().temp.resize(static_cast<std::size_t>(all[rank].temp_slots));
        sent.push_back(own.back().send);
    }
    return {with_learnt_sizes(std::move(all), on.graph, std::move(own), longest_combined),
            schedule::expected(on.operation, on.graph, sent)};
}

void verify(const NamedGraph& named, const NodeMap& map, Tally& tally) {
    const auto ranks = static_cast<int>(named.targets.size());
    for (const auto operation : {schedule::Operation::alltoall, schedule::Operation::allgather}) {
        const GraphExchange on{topology::graph_of_targets(named.targets), operation,
                               options_for(ranks), longest, map.nodes};
        const bool one_block = schedule::sends_one_block(operation);
        const Sizes sizes(on.graph, one_block, static_cast<std::uint64_t>(ranks));
        const auto what = [&] {
            return named.name + " of " + std::to_string(ranks) + ", " + map.name;
        };
        for (const auto* rule : routing::graph_rules()) {
            const auto method =
                std::string(rule->name) + " " + std::string(schedule::name_of(operation));
            tally.verify(method,
                         {with_headers(on.schedules(*rule), on.graph, sizes),
                          with_long_blocks(on.expected(), sizes)},
                         what);
            if (one_block) continue;
            for (const auto limit : {longest, std::numeric_limits<std::int64_t>::max()})
                tally.verify(method + " learnt", learnt(on, *rule, sizes, limit), what);
        }
    }
}

}  // namespace

void verify_unsized(const Scope& scope, Tally& tally) {
    for (const int ranks : scope.ranks) {
        verify_collectives(ranks, scope, tally);
        const auto maps = node_maps(ranks);
        std::size_t turn = 0;
        for (const auto& named : graphs(ranks)) verify(named, maps[turn++ % maps.size()], tally);
    }
}

}  // namespace families
