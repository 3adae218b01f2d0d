// SPDX-License-Identifier: MIT
#include "topology/isomorphism.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace carpool::topology {
namespace {

/// Edges sorted by peer, each of which is claimed once; those to one peer are claimed in their
/// order.
class UnclaimedEdges {
public:
    explicit UnclaimedEdges(std::span<const std::pair<Edge, int>> sorted)
        : edges_(sorted), claims_(sorted.size()) {}

    /// The first unclaimed edge to a peer; -1 if there is none.
    int claim(int peer) {
        const auto first =
            std::lower_bound(edges_.begin(), edges_.end(), peer,
                             [](const auto& edge, int wanted) { return edge.first.peer < wanted; });
        if (first == edges_.end()) return -1;
        auto& claims = claims_[static_cast<std::size_t>(first - edges_.begin())];
        if (edges_.end() - first <= claims) return -1;
        const auto& [edge, number] = first[claims];
        if (edge.peer != peer) return -1;
        ++claims;
        ++all_claims_;
        return number;
    }
    bool all_claimed() const { return all_claims_ == edges_.size(); }

private:
    std::span<const std::pair<Edge, int>> edges_;
    std::vector<std::ptrdiff_t> claims_;  // per peer, at the index of its first edge
    std::size_t all_claims_ = 0;
};

/// Per position the edge that leads to here + sign * offset, or nothing if the edges do not match.
std::optional<std::vector<int>> order_of(const Grid& grid, const Neighborhood& neighborhood,
                                         int rank, UnclaimedEdges unclaimed, int sign) {
    const auto here = grid.coordinates(rank);
    std::vector<int> order;
    for (int i = 0; i < neighborhood.size(); ++i) {
        const int peer = grid.rank_at(here, neighborhood[i], sign);
        order.push_back(peer == no_rank ? -1 : unclaimed.claim(peer));
        if (peer != no_rank && order.back() < 0) return std::nullopt;
    }
    if (!unclaimed.all_claimed()) return std::nullopt;
    return order;
}

}  // namespace

Neighborhood neighborhood_of(const Grid& grid, int rank, std::span<const Edge> out) {
    std::vector<std::vector<int>> offsets;
    for (const auto& edge : out)
        if (edge.peer != no_rank) offsets.push_back(grid.offset_between(rank, edge.peer));
    std::sort(offsets.begin(), offsets.end());
    std::vector<int> flat;
    for (const auto& offset : offsets) flat.insert(flat.end(), offset.begin(), offset.end());
    return {grid.dimensions(), std::move(flat)};
}

Neighborhood shortened(const Grid& grid, const Neighborhood& neighborhood) {
    std::vector<int> flat;
    flat.reserve(neighborhood.flat().size());
    for (const int c : neighborhood.flat())
        flat.push_back(grid.shortest(static_cast<int>(flat.size()) % grid.dimensions(), c));
    return {neighborhood.dimensions(), std::move(flat)};
}

int distinct_coordinates(const Neighborhood& neighborhood) {
    std::set<std::pair<int, int>> distinct;
    for (int i = 0; i < neighborhood.size(); ++i)
        for (int k = 0; k < neighborhood.dimensions(); ++k)
            if (const int c = neighborhood[i][static_cast<std::size_t>(k)]; c != 0)
                distinct.emplace(k, c);
    return static_cast<int>(distinct.size());
}

Recogniser::Recogniser(int rank, const Adjacency& edges)
    : rank_(rank), out_(sorted(edges.out)), in_(sorted(edges.in)) {}

Recogniser::SortedEdges Recogniser::sorted(std::span<const Edge> edges) {
    SortedEdges result;
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (edges[i].peer != no_rank) result.emplace_back(edges[i], static_cast<int>(i));
    std::sort(result.begin(), result.end());
    return result;
}

std::optional<Isomorphism> Recogniser::recognised(const Grid& grid,
                                                  const Neighborhood& neighborhood) const {
    auto send = order_of(grid, neighborhood, rank_, UnclaimedEdges(out_), 1);
    if (!send) return std::nullopt;
    auto recv = order_of(grid, neighborhood, rank_, UnclaimedEdges(in_), -1);
    if (!recv) return std::nullopt;
    return Isomorphism{grid, neighborhood, std::move(*send), std::move(*recv)};
}

}  // namespace carpool::topology
