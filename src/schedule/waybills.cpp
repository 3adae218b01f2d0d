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
    for (const auto& [edge, part] : found) messages.push_back({edge.peer, {part}});
    return messages;
}

/// All in one phase.
std::vector<Round> rounds_of(std::vector<Message> sent, std::vector<Message> received) {
    std::vector<Round> rounds(std::max(sent.size(), received.size()), {0, {-1, {}}, {-1, {}}});
    for (std::size_t i = 0; i < sent.size(); ++i) rounds[i].send = std::move(sent[i]);
    for (std::size_t i = 0; i < received.size(); ++i) rounds[i].receive = std::move(received[i]);
    return rounds;
}

}  // namespace

Schedule with_waybills(Schedule schedule, std::int64_t longest, const topology::Adjacency& edges,
                       int rank, const SlotBytes& own) {
    for (auto& round : schedule.rounds) round.send.waybill = round.receive.waybill = true;
    auto ahead = rounds_of(long_blocks(edges.out, rank, Slot::Kind::send, own.send, longest),
                           long_blocks(edges.in, rank, Slot::Kind::recv, own.recv, longest));
    schedule.rounds.insert(schedule.rounds.begin(), std::make_move_iterator(ahead.begin()),
                           std::make_move_iterator(ahead.end()));
    return schedule;
}

}  // namespace carpool::schedule
