// SPDX-License-Identifier: MIT
#include "collectives/carriers.hpp"

#include "collectives/node_teams.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace carpool::collectives {
namespace {

/// What one rank does in an alltoall by carriers. Nodes are numbered by their distance from the
/// rank's node, modulo the number of nodes.
class Carrier {
public:
    Carrier(Script& script, const topology::Nodes& nodes, int most)
        : script_(script),
          nodes_(nodes),
          most_(most),
          node_(nodes.node(script.rank())),
          on_node_(nodes.ranks_of(node_)) {}

    void run() {
        collect();
        exchange();
        hand_on();
        script_.keep_own();
    }

private:
    using Pair = std::pair<int, int>;  // source and target

    /// Sends the ranks of the node their own blocks, and carriers the blocks that they are to
    /// carry.
    void collect() {
        for (const int rank : on_node_) {
            if (rank == self()) {
                keep_for_carrying();
                continue;
            }
            Parts leaving{script_.own(rank)};
            Parts coming{script_.result(rank)};
            for (int distance = 1; distance < nodes_.count(); ++distance) {
                for (const int target : ranks_at(distance)) {
                    if (carrier(node_, distance) == rank) leaving.push_back(script_.own(target));
                    if (carries(distance)) coming.push_back(place(rank, target));
                }
            }
            script_.send(0, rank, leaving);
            script_.receive(0, rank, coming);
        }
        script_.pass(1);
    }

    void keep_for_carrying() {
        for (int distance = 1; distance < nodes_.count(); ++distance)
            if (carries(distance))
                for (const int target : ranks_at(distance))
                    held_[{self(), target}] = script_.own(target);
    }

    void exchange() {
        for (int distance = 1; distance < nodes_.count(); ++distance) {
            if (!carries(distance)) continue;
            Parts leaving;
            Parts coming;
            for (const int rank : on_node_)
                for (const int target : ranks_at(distance))
                    leaving.push_back(held_.at({rank, target}));
            for (const int source : ranks_at(-distance))
                for (const int rank : on_node_) coming.push_back(place(source, rank));
            script_.send(0, carrier(node_at(distance), distance), leaving);
            script_.receive(0, carrier(node_at(-distance), distance), coming);
        }
        script_.pass(1);
    }

    void hand_on() {
        for (const int rank : on_node_) {
            if (rank == self()) continue;
            Parts leaving;
            Parts coming;
            for (int distance = 1; distance < nodes_.count(); ++distance) {
                for (const int source : ranks_at(-distance)) {
                    if (carries(distance)) leaving.push_back(held_.at({source, rank}));
                    if (carrier(node_, distance) == rank) coming.push_back(script_.result(source));
                }
            }
            script_.send(0, rank, leaving);
            script_.receive(0, rank, coming);
        }
        script_.pass(1);
    }

    int self() const { return script_.rank(); }

    int node_at(int distance) const { return (node_ + distance + nodes_.count()) % nodes_.count(); }
    std::span<const int> ranks_at(int distance) const { return nodes_.ranks_of(node_at(distance)); }

    /// The rank of a node that sends to the node at this distance, and receives from the node at
    /// the same distance in the other direction.
    int carrier(int node, int distance) const {
        const auto ranks = nodes_.ranks_of(node);
        const auto carriers = std::min(static_cast<int>(ranks.size()), most_);
        return ranks[static_cast<std::size_t>((distance - 1) % carriers)];
    }
    bool carries(int distance) const { return carrier(node_, distance) == self(); }

    /// The place where a block is received on this rank.
    const Part& place(int source, int target) {
        return held_[{source, target}] = target == self() ? script_.result(source) : script_.temp();
    }

    Script& script_;
    const topology::Nodes& nodes_;
    int most_;
    int node_;
    std::span<const int> on_node_;
    std::map<Pair, Part> held_;
};

}  // namespace

void carry(Script& script, int most) {
    const auto nodes = nodes_or_one(script.problem());
    Carrier(script, *nodes, most).run();
}

std::int64_t messages_by_carriers(const Problem& problem, int most) {
    const auto nodes = nodes_or_one(problem);
    const std::int64_t count = nodes->count();
    std::int64_t messages = count * (count - 1);
    for (int node = 0; node < nodes->count(); ++node) {
        const auto ranks = static_cast<std::int64_t>(nodes->ranks_of(node).size());
        messages += (ranks + std::min({ranks, std::int64_t{most}, count - 1})) * (ranks - 1);
    }
    return messages;
}

}  // namespace carpool::collectives
