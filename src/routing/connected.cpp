// SPDX-License-Identifier: MIT
#include "routing/connected.hpp"

#include "topology/forest.hpp"

#include <memory>
#include <span>
#include <utility>

namespace carpool::routing {
namespace {

using topology::Forest;

void join(Forest& forest, int rank, std::span<const topology::Edge> edges) {
    for (const auto& edge : edges)
        if (edge.peer != topology::no_rank) forest.join(rank, edge.peer);
}

void join(Forest& forest, const Words& ends) {
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) forest.join(ends[i], ends[i + 1]);
}

Words ends_of(const Forest& forest) {
    Words ends;
    for (const auto& [a, b] : forest.edges()) ends.insert(ends.end(), {a, b});
    return ends;
}

}  // namespace

Program<bool> connected(int rank, int ranks, const topology::Adjacency* edges) {
    Forest forest(ranks);
    join(forest, rank, edges->out);
    join(forest, rank, edges->in);
    for (int hop = 1; hop < ranks; hop *= 2) {
        SuperstepMessages mine;
        if (rank % (2 * hop) == hop)
            mine.messages.push_back({rank - hop, std::make_shared<const Words>(ends_of(forest))});
        const SuperstepMessages heard = co_await superstep(std::move(mine));
        for (const auto& message : heard.messages) join(forest, *message.words);
    }
    SuperstepMessages answer;
    answer.marks.words = 1;
    if (rank == 0 && forest.trees() > 1) answer.marks.bits = {0};
    const SuperstepMessages said = co_await superstep(std::move(answer));
    co_return said.board->front() == 0;
}

}  // namespace carpool::routing
