// SPDX-License-Identifier: MIT
#include "collectives/lanes.hpp"

#include "collectives/doubling.hpp"
#include "collectives/folding.hpp"
#include "collectives/spread.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace carpool::collectives {
namespace {

constexpr auto near_first = Bits::near_first;

int ranks_of_smallest_node(const topology::Nodes& nodes) {
    std::size_t least = nodes.ranks_of(0).size();
    for (int node = 1; node < nodes.count(); ++node)
        least = std::min(least, nodes.ranks_of(node).size());
    return static_cast<int>(least);
}

Team team_on(const topology::Nodes& nodes, int node) {
    const auto ranks = nodes.ranks_of(node);
    return Team({ranks.begin(), ranks.end()});
}

/// The parts that a rank does not have.
Parts missing(Parts parts, const Lanes::Has& has, int rank) {
    if (has) std::erase_if(parts, [&](const Part& part) { return has(rank, part); });
    return parts;
}

}  // namespace

int lanes_of(const Problem& problem, Within within) {
    const int most = ranks_of_smallest_node(*nodes_or_one(problem));
    return within == Within::halving ? Folding(most).groups() : most;
}

Lanes::Lanes(const Script& script, Within within, int root)
    : within_(within),
      nodes_(nodes_or_one(script.problem())),
      root_(root),
      node_(nodes_->node(script.rank())),
      place_(nodes_->place(script.rank())),
      count_(lanes_of(script.problem(), within)),
      groups_(groups_of(node_)),
      on_node_(team_on(*nodes_, node_)),
      in_lane_(team_of_lane()) {}

Groups Lanes::groups_of(int node) const {
    const auto ranks = static_cast<int>(nodes_->ranks_of(node).size());
    return {ranks, count_, node == root_node() ? nodes_->place(root_) : 0};
}

Team Lanes::team_of_lane() const {
    std::vector<int> leaders;
    for (int node = 0; node < nodes(); ++node) {
        const auto leader = groups_of(node).leader(lane());
        leaders.push_back(nodes_->ranks_of(node)[static_cast<std::size_t>(leader)]);
    }
    return Team(std::move(leaders));
}

int Lanes::position_of_lane(int lane) const {
    return halves() ? Folding(groups_).reversed(lane) : lane;
}

void Lanes::along(Script& script, int phases, const std::function<void()>& stages) const {
    script.among(in_lane_, phases, stages);
}

void Lanes::on_node(Script& script, int phases, const std::function<void()>& stages) const {
    script.among(on_node_, phases, stages);
}

std::vector<Parts> Lanes::sum_scattered(Script& script, const std::vector<Parts>& own) const {
    std::vector<Parts> summands;
    if (halves()) {
        const Folding folding(groups_);
        on_node(script, folding.bits() + (any_has_followers() ? 1 : 0), [&] {
            const auto held = in_lists_like(fold(script, folding, joined(own)), own);
            summands = collectives::sum_scattered(script, folding, near_first, held);
        });
    } else {
        on_node(script, 1, [&] { summands = sum_spread(script, groups_, own); });
    }
    return summands;
}

void Lanes::collect(Script& script, const std::vector<Parts>& pieces, const Has& has) const {
    const auto for_place = [&](const Parts& parts, int place) {
        return missing(parts, has, on_node_.rank_at(place));
    };
    if (!halves()) {
        on_node(script, 1, [&] {
            collect_spread(script, groups_, [&](int group, int to) {
                return for_place(pieces[static_cast<std::size_t>(group)], to);
            });
        });
        return;
    }
    const Folding folding(groups_);
    on_node(script, folding.bits() + (any_has_followers() ? 1 : 0), [&] {
        const auto all = [&](int place) { return for_place(joined(pieces), place); };
        collectives::collect(script, folding, near_first, pieces);
        unfold(script, folding, all, all(place_));
    });
}

void Lanes::collect_on_root(Script& script, const std::vector<Parts>& pieces) const {
    on_node(script, halves() ? Folding(groups_).bits() : 1, [&] {
        if (!on_root_node()) return;
        if (halves()) {
            collectives::collect(script, Folding(groups_), near_first, pieces, 0);
            return;
        }
        const int root = groups_.leader(0);
        collect_spread(script, groups_, [&](int group, int to) {
            return to == root ? pieces[static_cast<std::size_t>(group)] : Parts{};
        });
    });
}

void Lanes::scatter(Script& script, const std::vector<Parts>& pieces) const {
    on_node(script, halves() ? Folding(groups_).bits() : 1, [&] {
        if (!on_root_node()) return;
        if (halves())
            collectives::scatter(script, Folding(groups_), near_first, pieces);
        else
            scatter_spread(script, groups_, pieces);
    });
}

void Lanes::collect_scattered(Script& script, const std::vector<Parts>& pieces) const {
    if (!halves() || !on_root_node()) {
        collect(script, pieces, [this](int rank, const Part&) { return rank == root_; });
        return;
    }
    const Folding folding(groups_);
    on_node(script, folding.bits() + (any_has_followers() ? 1 : 0), [&] {
        collectives::collect_scattered(script, folding, near_first, pieces);
        unfold(script, folding, joined(pieces));
    });
}

void Lanes::hand_in(Script& script, const PartsOf& held) const {
    on_node(script, any_has_followers() ? 1 : 0, [&] {
        collectives::hand_in(script, groups_,
                             [&](int place) { return held(on_node_.rank_at(place)); });
    });
}

void Lanes::hand_out(Script& script, const PartsOf& held) const {
    on_node(script, any_has_followers() ? 1 : 0, [&] {
        const auto of_place = [&](int place) { return held(on_node_.rank_at(place)); };
        unfold(script, groups_, of_place, of_place(place_));
    });
}

Parts Lanes::parts_of(int node, int lane, const PartsOf& held) const {
    const auto ranks = nodes_->ranks_of(node);
    const auto groups = groups_of(node);
    auto all = held(ranks[static_cast<std::size_t>(groups.leader(lane))]);
    for (const int place : groups.followers(lane))
        append(all, held(ranks[static_cast<std::size_t>(place)]));
    return all;
}

std::vector<Parts> Lanes::parts_by_node(const PartsOf& held) const {
    std::vector<Parts> by_node;
    for (int node = 0; node < nodes(); ++node) by_node.push_back(parts_of(node, lane(), held));
    return by_node;
}

std::vector<Parts> Lanes::parts_by_lane(const PartsOf& held) const {
    std::vector<Parts> by_lane(static_cast<std::size_t>(count_));
    for (int lane = 0; lane < count_; ++lane)
        for (int node = 0; node < nodes(); ++node)
            append(by_lane[static_cast<std::size_t>(position_of_lane(lane))],
                   parts_of(node, lane, held));
    return by_lane;
}

std::int64_t messages_of_lane_followers(const Problem& problem, Within within) {
    return problem.ranks - std::int64_t{nodes_of(problem)} * lanes_of(problem, within);
}

std::int64_t messages_within_lanes(const Problem& problem, Within within) {
    const std::int64_t lanes = lanes_of(problem, within);
    if (within == Within::spread) return lanes * within_nodes(problem);
    return nodes_of(problem) * lanes * Folding(static_cast<int>(lanes)).bits() +
           messages_of_lane_followers(problem, within);
}

}  // namespace carpool::collectives
