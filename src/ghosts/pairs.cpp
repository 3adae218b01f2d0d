// SPDX-License-Identifier: MIT
#include "ghosts/pairs.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace carpool::ghosts {
namespace {

using Indices = std::vector<std::int64_t>;

/// The name of a block of a pair of ranks: the entries that the taker has so many times.
struct BlockKey {
    int peer;
    int times;
    friend auto operator<=>(const BlockKey&, const BlockKey&) = default;
};

/// The places of equal edges in a list, by the edge.
std::map<topology::Edge, std::vector<std::size_t>> equal_edges(
    const std::vector<topology::Edge>& edges) {
    std::map<topology::Edge, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < edges.size(); ++i) places[edges[i]].push_back(i);
    return places;
}

IndexLists lists_of(const std::vector<Indices>& all) {
    std::vector<std::int64_t> lengths;
    for (const auto& one : all) lengths.push_back(std::ssize(one));
    IndexLists lists(lengths);
    for (std::size_t i = 0; i < all.size(); ++i) std::ranges::copy(all[i], lists[i].begin());
    return lists;
}

using Labels = std::map<BlockKey, int>;

/// To each taker goes a block for each number of times that it has entries, fewest times first.
/// Returns their labels.
Labels add_sent(GhostMap& pairs, const GhostMap& map) {
    std::map<BlockKey, Indices> blocks;
    for (std::size_t i = 0; i < map.edges.out.size(); ++i) {
        const auto& [taker, label] = map.edges.out[i];
        auto& block = blocks[{taker, map.times[i]}];
        const auto entries = map.sent[static_cast<std::size_t>(label)];
        block.insert(block.end(), entries.begin(), entries.end());
    }
    Labels labels;
    std::vector<Indices> sent;
    for (auto& [key, block] : blocks) {
        std::ranges::sort(block);
        labels[key] = static_cast<int>(sent.size());
        pairs.edges.out.push_back({key.peer, labels[key]});
        pairs.entries.out.push_back(std::ssize(block));
        pairs.times.push_back(key.times);
        sent.push_back(std::move(block));
    }
    pairs.sent = lists_of(sent);
    return labels;
}

/// From each owner come blocks in the order in which it sends them, by which both ends number them;
/// those of this rank itself have one label at both ends.
/// @param label_of  returns the label of a block
template <typename LabelOf>
void add_received(GhostMap& pairs, const GhostMap& map, const GhostList& ghosts,
                  const LabelOf& label_of) {
    std::map<BlockKey, std::vector<Indices>> blocks;
    for (const auto& [edge, places] : equal_edges(map.edges.in)) {
        auto& each_time = blocks[{edge.peer, static_cast<int>(places.size())}];
        each_time.resize(places.size());
        for (std::size_t time = 0; time < places.size(); ++time) {
            const auto positions = map.received[places[time]];
            each_time[time].insert(each_time[time].end(), positions.begin(), positions.end());
        }
    }
    std::vector<Indices> received;
    for (auto& [key, each_time] : blocks)
        for (auto& positions : each_time) {
            std::ranges::sort(positions, {}, [&](std::int64_t position) {
                return ghosts.indices[static_cast<std::size_t>(position)];
            });
            pairs.edges.in.push_back({key.peer, label_of(key)});
            pairs.entries.in.push_back(std::ssize(positions));
            received.push_back(std::move(positions));
        }
    pairs.received = lists_of(received);
}

}  // namespace

GhostMap by_pairs(const GhostMap& map, int rank, const GhostList& ghosts) {
    GhostMap pairs;
    const auto labels = add_sent(pairs, map);
    add_received(pairs, map, ghosts, [&](const BlockKey& key) {
        return key.peer == rank ? labels.at(key) : key.times;
    });
    return pairs;
}

}  // namespace carpool::ghosts
