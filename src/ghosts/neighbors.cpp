// SPDX-License-Identifier: MIT
#include "ghosts/neighbors.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace carpool::ghosts {
namespace {

/// The lists of the edges to or from each rank.
class ByRank {
public:
    void add(int rank, std::span<const std::int64_t> indices) {
        auto& all = found_[rank];
        all.insert(all.end(), indices.begin(), indices.end());
    }

    std::vector<Neighbor> neighbors() {
        std::vector<Neighbor> neighbors;
        for (auto& [rank, indices] : found_) {
            std::ranges::sort(indices);
            neighbors.push_back({rank, std::move(indices)});
        }
        return neighbors;
    }

private:
    std::map<int, std::vector<std::int64_t>> found_;
};

}  // namespace

const std::vector<Neighbor>& Neighbors::targets(const GhostMap& map) {
    std::call_once(targets_are_known_, [&] {
        ByRank all;
        for (const auto& [taker, number] : map.edges.out)
            all.add(taker, map.sent[static_cast<std::size_t>(number)]);
        targets_ = all.neighbors();
    });
    return targets_;
}

const std::vector<Neighbor>& Neighbors::sources(const GhostMap& map) {
    std::call_once(sources_are_known_, [&] {
        ByRank all;
        for (std::size_t i = 0; i < map.edges.in.size(); ++i)
            all.add(map.edges.in[i].peer, map.received[i]);
        sources_ = all.neighbors();
    });
    return sources_;
}

}  // namespace carpool::ghosts
