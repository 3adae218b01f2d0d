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

std::vector<Neighbor> targets(const GhostMap& map) {
    ByRank all;
    for (const auto& [taker, number] : map.edges.out)
        all.add(taker, map.sent[static_cast<std::size_t>(number)]);
    return all.neighbors();
}

std::vector<Neighbor> sources(const GhostMap& map) {
    ByRank all;
    for (std::size_t i = 0; i < map.edges.in.size(); ++i)
        all.add(map.edges.in[i].peer, map.received[i]);
    return all.neighbors();
}

}  // namespace carpool::ghosts
