#include "schedule/waybills.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace carpool::schedule {
namespace {

using topology::Edge;

/// The long blocks along some edges, each a message. Of several to or from one rank the labels of
/// the edges say the order.
std::vector<Message> long_blocks(std::span<const Edge> edges, int rank, Slot::Kind kind,
                                 std::span<const std::int64_t> bytes, std::int64_t longest) {
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
    for (const auto& [edge, part] : found) messages.push_back({edge.peer, {part}, false, true});
    return messages;
}

/// All in one phase.
void add_rounds(Schedule& schedule, std::vector<Message> sent, std::vector<Message> received) {
    const int phase = schedule.rounds.empty() ? 0 : schedule.rounds.back().phase;
    for (std::size_t i = 0; i < std::max(sent.size(), received.size()); ++i) {
        auto& round = schedule.rounds.emplace_back(Round{phase, {-1, {}}, {-1, {}}});
        if (i < sent.size()) round.send = std::move(sent[i]);
        if (i < received.size()) round.receive = std::move(received[i]);
    }
}

}  // namespace

Schedule with_waybills(Schedule schedule, std::int64_t longest, const topology::Adjacency& edges,
                       int rank, const SlotBytes& own) {
    for (auto& round : schedule.rounds) round.send.waybill = round.receive.waybill = true;
    add_rounds(schedule, long_blocks(edges.out, rank, Slot::Kind::send, own.send, longest),
               long_blocks(edges.in, rank, Slot::Kind::recv, own.recv, longest));
    return schedule;
}

}  // namespace carpool::schedule
