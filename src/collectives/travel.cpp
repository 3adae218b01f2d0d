// SPDX-License-Identifier: MIT
#include "collectives/travel.hpp"

#include "collectives/node_teams.hpp"
#include "collectives/team.hpp"
#include "routing/digits.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace carpool::collectives {
namespace {

/// The messages of one phase on one rank, by peer.
struct Traffic {
    std::map<int, Parts> leaving;
    std::map<int, Parts> coming;
};

/// The blocks for one target that one rank has to follow.
class ForwardedBlocks {
public:
    ForwardedBlocks(Script& script, const routing::NextHop& next_hop, int target)
        : script_(script), next_hop_(next_hop), target_(target), last_(last_rest()) {
        if (target != script.rank()) held_[script.rank()] = script.own(target);
        for (int origin = 0; origin < script.ranks(); ++origin)
            if (origin != target && (last_ >= 0 || origin == script.rank()))
                routes_.push_back({origin, origin});
    }

    /// Both ends list blocks by target, then origin.
    void advance(int phase, Traffic& traffic) {
        if (phase > last_ + 1) return;
        for (auto& [origin, at] : routes_) {
            const int from = std::exchange(at, next_hop_.next(phase, at, target_));
            if (from == at) continue;
            if (from == script_.rank()) traffic.leaving[at].push_back(held_.at(origin));
            if (at == script_.rank()) traffic.coming[from].push_back(held_[origin] = place(origin));
        }
    }

private:
    struct PlanBuilder {
        int origin;
        int at;
    };

    /// The last phase in which a block may arrive on this rank: a block that is here stays here in
    /// that phase. -1 if there is none.
    int last_rest() const {
        int phase = next_hop_.phases - 1;
        while (phase >= 0 && next_hop_.next(phase, script_.rank(), target_) != script_.rank())
            --phase;
        return phase;
    }

    Part place(int origin) {
        return target_ == script_.rank() ? script_.result(origin) : script_.temp();
    }

    Script& script_;
    const routing::NextHop& next_hop_;
    int target_;
    int last_;
    std::vector<PlanBuilder> routes_;
    std::map<int, Part> held_;  // by origin, the place of a block that is here or was
};

/// What one rank does where blocks go within nodes, then between nodes.
class NodeTravel {
public:
    explicit NodeTravel(Script& script)
        : script_(script),
          nodes_(nodes_or_one(script.problem())),
          node_(nodes_->node(script.rank())),
          place_(nodes_->place(script.rank())),
          on_node_(team([this](int place) { return rank_at(node_, place); }, places())),
          alike_(team([this](int node) { return rank_at(node, place_); }, nodes_->count())) {}

    void run(const std::vector<int>& factors_of_places, const std::vector<int>& factors_of_nodes) {
        script_.among(on_node_, static_cast<int>(factors_of_places.size()),
                      [&] { within(factors_of_places); });
        script_.among(alike_, static_cast<int>(factors_of_nodes.size()),
                      [&] { between(factors_of_nodes); });
    }

private:
    int places() const { return nodes_->most_ranks(); }
    int rank_at(int node, int place) const {
        return nodes_->ranks_of(node)[static_cast<std::size_t>(place)];
    }

    static Team team(const auto& rank_at, int size) {
        std::vector<int> ranks;
        for (int i = 0; i < size; ++i) ranks.push_back(rank_at(i));
        return Team(std::move(ranks));
    }

    /// A rank gets what all ranks of its node have for its place on any node.
    void within(const std::vector<int>& factors) {
        from_.resize(static_cast<std::size_t>(places()));
        std::vector<Parts> leaving;
        std::vector<Parts> coming;
        for (int distance = 0; distance < places(); ++distance) {
            const int source = script_.away(-distance);
            auto& from = from_[static_cast<std::size_t>(source)];
            leaving.push_back(blocks_for(script_.away(distance)));
            from = distance == 0 ? leaving.back() : script_.temps_like(leaving.back());
            if (distance > 0)
                from[static_cast<std::size_t>(node_)] = script_.result(rank_at(node_, source));
            coming.push_back(from);
        }
        travel_by_digits(script_, factors, std::move(leaving), coming);
    }

    /// Its own blocks for a place, one for each node.
    Parts blocks_for(int place) const {
        Parts blocks;
        for (int node = 0; node < nodes_->count(); ++node)
            blocks.push_back(script_.own(rank_at(node, place)));
        return blocks;
    }

    void between(const std::vector<int>& factors) {
        std::vector<Parts> leaving;
        std::vector<Parts> coming;
        for (int distance = 0; distance < nodes_->count(); ++distance) {
            const int target = script_.away(distance);
            const int source = script_.away(-distance);
            auto& to = leaving.emplace_back();
            auto& of = coming.emplace_back();
            for (int place = 0; place < places(); ++place) {
                to.push_back(
                    from_[static_cast<std::size_t>(place)][static_cast<std::size_t>(target)]);
                of.push_back(script_.result(rank_at(source, place)));
            }
        }
        travel_by_digits(script_, factors, std::move(leaving), coming);
    }

    Script& script_;
    std::shared_ptr<const topology::Nodes> nodes_;
    int node_;
    int place_;
    Team on_node_;
    Team alike_;  // the ranks of the same place on all nodes
    std::vector<Parts>
        from_;  // by place on the node, the blocks for each node that came from there
};

/// Messages of ranks in lines that are as equal in length as can be: each rank sends to all others
/// in its line.
std::int64_t along_lines(std::int64_t ranks, std::int64_t lines) {
    const auto length = ranks / lines;
    const auto longer = ranks % lines;
    return longer * (length + 1) * length + (lines - longer) * length * (length - 1);
}

}  // namespace

void travel(Script& script, const routing::NextHop& next_hop) {
    std::vector<Traffic> phases(static_cast<std::size_t>(next_hop.phases));
    for (int target = 0; target < script.ranks(); ++target) {
        ForwardedBlocks forwarded(script, next_hop, target);
        for (int phase = 0; phase < next_hop.phases; ++phase)
            forwarded.advance(phase, phases[static_cast<std::size_t>(phase)]);
    }
    for (int phase = 0; phase < next_hop.phases; ++phase) {
        const auto& [leaving, coming] = phases[static_cast<std::size_t>(phase)];
        for (const auto& [to, parts] : leaving) script.send(phase, to, parts);
        for (const auto& [from, parts] : coming) script.receive(phase, from, parts);
    }
    script.keep_own();
}

void travel_by_digits(Script& script, const std::vector<int>& factors, std::vector<Parts> leaving,
                      const std::vector<Parts>& coming) {
    const std::int64_t ranks = script.ranks();
    auto& held = leaving;  // per distance, the parts that have or had so far to go
    int phase = 0;
    for (const auto& [weight, next, factor] : routing::digits_of(factors)) {
        for (auto hop = weight; hop < std::min(next, ranks); hop += weight) {
            Parts sent;
            Parts received;
            for (auto first = hop; first < ranks; first += next)
                for (auto j = first; j < std::min(first + weight, ranks); ++j) {
                    auto& parts = held[static_cast<std::size_t>(j)];
                    append(sent, parts);
                    const bool ends_here = j < next;
                    parts =
                        ends_here ? coming[static_cast<std::size_t>(j)] : script.temps_like(parts);
                    append(received, parts);
                }
            script.send(phase, script.away(hop), sent);
            script.receive(phase, script.away(-hop), received);
        }
        ++phase;
    }
    script.pass(phase);
}

void travel_by_digits(Script& script, const std::vector<int>& factors) {
    std::vector<Parts> leaving;
    std::vector<Parts> coming;
    for (int distance = 0; distance < script.ranks(); ++distance) {
        leaving.push_back({script.own(script.away(distance))});
        coming.push_back({script.result(script.away(-distance))});
    }
    travel_by_digits(script, factors, std::move(leaving), coming);
    script.keep_own();
}

void travel_by_node(Script& script, const std::vector<int>& factors_of_places,
                    const std::vector<int>& factors_of_nodes) {
    NodeTravel(script).run(factors_of_places, factors_of_nodes);
    script.keep_own();
}

std::int64_t messages_by_digits(int ranks, const std::vector<int>& factors) {
    std::int64_t per_rank = 0;
    for (const auto& digit : routing::digits_of(factors))
        per_rank += std::min<std::int64_t>(digit.factor - 1, (ranks - 1) / digit.weight);
    return per_rank * ranks;
}

std::int64_t messages_on_mesh(int ranks) {
    const auto columns = routing::side_of(ranks, 2);
    return std::int64_t{ranks} * (columns - 1) + along_lines(ranks, columns);
}

std::int64_t messages_on_grid(int ranks) {
    const std::int64_t side = routing::side_of(ranks, 3);
    if (ranks <= side * side) return messages_on_mesh(ranks);
    return ranks * 2 * (side - 1) + along_lines(ranks, side * side);
}

std::int64_t messages_on_hypercube(int ranks) {
    const int dimensions = std::bit_width(static_cast<unsigned>(ranks)) - 1;
    const std::int64_t inside = std::int64_t{1} << dimensions;
    return inside * dimensions + 2 * (ranks - inside);
}

}  // namespace carpool::collectives
