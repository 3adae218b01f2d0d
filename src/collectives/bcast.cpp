#include "collectives/algorithm.hpp"
#include "collectives/conditions.hpp"
#include "collectives/message_counts.hpp"
#include "collectives/piece_counts.hpp"
#include "collectives/tree_stages.hpp"

#include <array>
#include <cstdint>

namespace carpool::collectives {
namespace {

/// The pieces of the block, where they are or come to be.
Parts pieces_of(const Script& script) {
    return script.rank() == script.problem().root ? script.all_own() : script.all_results();
}

template <int radix>
void tree(Script& script) {
    broadcast(script, tree_of<radix>(script, script.problem().root), pieces_of(script));
}

/// Each rank passes on piece by piece.
void chain(Script& script) {
    const int distance = script.away(-std::int64_t{script.problem().root});
    const auto pieces = pieces_of(script);
    for (int i = 0; i < script.pieces(); ++i) {
        const auto& piece = pieces[static_cast<std::size_t>(i)];
        if (distance > 0) script.receive(i + distance - 1, script.away(-1), {piece});
        if (distance + 1 < script.ranks()) script.send(i + distance, script.away(1), {piece});
    }
}

/// Which pieces a rank has after they have been scattered down the binomial tree, by distance from
/// the root.
Tree::Branch pieces_at(int ranks, int distance) { return Tree(ranks, 2, 0, distance).self(); }

bool holds(const Tree::Branch& branch, int piece) {
    return piece >= branch.first && piece < branch.first + branch.count;
}

/// A piece for each rank, then all pieces round the ring (van de Geijn's broadcast of long blocks),
/// but for those that the next rank has from the first stage.
void scatter_allgather(Script& script) {
    const int root = script.problem().root;
    const int ranks = script.ranks();
    const auto pieces = pieces_of(script);
    const int distance = (script.rank() - root + ranks) % ranks;
    const auto here = pieces_at(ranks, distance);
    const auto next = pieces_at(ranks, (distance + 1) % ranks);
    const auto piece = [&](int number) { return pieces[static_cast<std::size_t>(number)]; };
    scatter(script, tree_of<2>(script, root),
            [&](int rank) { return Parts{piece((rank - root + ranks) % ranks)}; });
    for (int step = 0; step + 1 < ranks; ++step) {
        const int sent = (distance - step + ranks) % ranks;
        const int received = (sent - 1 + ranks) % ranks;
        if (!holds(next, sent)) script.send(step, script.away(1), {piece(sent)});
        if (!holds(here, received)) script.receive(step, script.away(-1), {piece(received)});
    }
}

std::int64_t messages_of_chain(const Problem& problem) {
    return one_way(problem) * per_segment(problem);
}

std::int64_t messages_of_scatter_allgather(const Problem& problem) {
    auto messages = one_way(problem);
    for (int distance = 1; distance < problem.ranks; ++distance)
        messages += problem.ranks - pieces_at(problem.ranks, distance).count;
    return messages;
}

const std::array list{
    Algorithm{Kind::bcast, "linear", always, whole, tree<0>, one_way},
    Algorithm{Kind::bcast, "binomial", always, whole, tree<2>, one_way},
    Algorithm{Kind::bcast, "4-nomial", always, whole, tree<4>, one_way},
    Algorithm{Kind::bcast, "chain", always, per_segment, chain, messages_of_chain},
    Algorithm{Kind::bcast, "scatter-allgather", always, per_rank, scatter_allgather,
              messages_of_scatter_allgather},
};

}  // namespace

std::span<const Algorithm> bcast_algorithms() { return list; }

}  // namespace carpool::collectives
