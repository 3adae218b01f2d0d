// SPDX-License-Identifier: MIT
#include "schedule/long_blocks.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace carpool::schedule {
namespace {

using topology::Edge;

struct LongBlocks {
    int rank;
    std::int64_t longest;
    bool rendezvous;

    std::vector<Message> along(std::span<const Edge> edges, Slot::Kind kind,
                               std::span<const std::int64_t> bytes) const {
        std::vector<std::pair<Edge, Part>> found;
        for (std::size_t i = 0; i < edges.size(); ++i) {
            const auto slot = bytes.size() == 1 ? 0 : i;
            const bool travels = edges[i].peer != topology::no_rank && edges[i].peer != rank;
            if (travels && bytes[slot] > longest)
                found.push_back({edges[i], {{kind, static_cast<int>(slot)}, bytes[slot]}});
        }
        std::sort(found.begin(), found.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<Message> messages;
        for (const auto& [edge, part] : found)
            messages.push_back({edge.peer, {part}, false, rendezvous});
        return messages;
    }
};

}  // namespace

std::vector<Round> rounds_of_long_blocks(const topology::Adjacency& edges, int rank,
                                         const SlotBytes& own, std::int64_t longest, int phase,
                                         bool rendezvous) {
    const LongBlocks blocks{rank, longest, rendezvous};
    auto sent = blocks.along(edges.out, Slot::Kind::send, own.send);
    auto received = blocks.along(edges.in, Slot::Kind::recv, own.recv);
    std::vector<Round> rounds(std::max(sent.size(), received.size()), {phase, {-1, {}}, {-1, {}}});
    for (std::size_t i = 0; i < sent.size(); ++i) rounds[i].send = std::move(sent[i]);
    for (std::size_t i = 0; i < received.size(); ++i) rounds[i].receive = std::move(received[i]);
    return rounds;
}

}  // namespace carpool::schedule
