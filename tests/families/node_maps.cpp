// SPDX-License-Identifier: MIT
#include "node_maps.hpp"

#include "random_nodes.hpp"
#include "random_source.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace families {
namespace {

using carpool::topology::Nodes;

class Maps {
public:
    explicit Maps(int ranks) : ranks_(ranks) { all_.push_back({"one node", nullptr}); }

    /// Adds what is not there yet. @param node_of  any number that stands for the rank's node
    template <typename NodeOf>
    void add(const std::string& name, NodeOf node_of) {
        NodeNames names;
        for (int rank = 0; rank < ranks_; ++rank)
            names.push_back(static_cast<std::uint64_t>(node_of(rank)));
        const auto nodes = nodes_of(names);
        std::vector<int> numbers;
        for (int rank = 0; rank < ranks_; ++rank) numbers.push_back(nodes->node(rank));
        if (seen_.insert(std::move(numbers)).second) all_.push_back({name, nodes});
    }

    /// Nodes of consecutive ranks with these sizes, from the first on when all have been used.
    void add_sizes(const std::string& name, const std::vector<int>& sizes) {
        std::vector<int> node_of;
        for (std::size_t node = 0; std::ssize(node_of) < ranks_; ++node)
            node_of.insert(node_of.end(), static_cast<std::size_t>(sizes[node % sizes.size()]),
                           static_cast<int>(node));
        add(name, [&](int rank) { return node_of[static_cast<std::size_t>(rank)]; });
    }

    std::vector<NodeMap> take() { return std::move(all_); }

private:
    int ranks_;
    std::set<std::vector<int>> seen_;
    std::vector<NodeMap> all_;
};

/// Calls visit for every way to put the ranks on nodes: the first rank is on node 0, each further
/// one on a node that has ranks or on the next new one.
void for_each_partition(std::vector<int>& node_of, int ranks, int nodes,
                        const std::function<void()>& visit) {
    if (std::ssize(node_of) == ranks) return visit();
    for (int node = 0; node <= nodes; ++node) {
        node_of.push_back(node);
        for_each_partition(node_of, ranks, std::max(nodes, node + 1), visit);
        node_of.pop_back();
    }
}

std::vector<NodeMap> all_partitions(int ranks) {
    std::vector<NodeMap> all{{"one node", nullptr}};
    std::vector<int> node_of;
    for_each_partition(node_of, ranks, 0, [&] {
        std::string name = "nodes";
        for (const int node : node_of) name += " " + std::to_string(node);
        all.push_back({name, nodes_of({node_of.begin(), node_of.end()})});
    });
    return all;
}

}  // namespace

std::vector<NodeMap> node_maps(int ranks) {
    Maps maps(ranks);
    for (const int size : {1, 2, 3, 4, 8, 16, 32})
        maps.add_sizes("nodes of " + std::to_string(size), {size});
    maps.add_sizes("two halves", {(ranks + 1) / 2});
    maps.add_sizes("nodes of 4 and 5", {4, 5});
    maps.add_sizes("nodes of 1, 2, 3 and so on", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    maps.add_sizes("nodes of 9, 1 and 2", {9, 1, 2});
    const int half = ranks / 2;
    maps.add("one node of half the ranks, then nodes of 1",
             [&](int rank) { return rank < half ? 0 : rank; });
    maps.add("dealt out to 2 nodes", [](int rank) { return rank % 2; });
    maps.add("dealt out to 3 nodes", [](int rank) { return rank % 3; });
    RandomSource random(static_cast<std::uint64_t>(ranks));
    for (const int most : {1, 4, ranks - 1})
        maps.add("random", [&](int) { return random.between(0, most); });
    return maps.take();
}

std::vector<NodeMap> node_maps(int ranks, const Scope& scope) {
    return ranks <= scope.most_partitioned ? all_partitions(ranks) : node_maps(ranks);
}

}  // namespace families
