// SPDX-License-Identifier: MIT
#include "choose/path.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carpool::choose {
namespace {

bool is_idle(const PhaseLoad& phase) { return phase.messages() == 0; }

bool has_messages(const TrafficByLevel& traffic) { return of_both_levels(traffic).messages > 0; }

/// If ranks only send, or only receive, gives one of the farthest messages its other end.
void add_other_ends(PhaseLoad& phase) {
    for (const auto level : {Level::network, Level::node}) {
        auto& sent = phase.sent[index_of(level)];
        auto& received = phase.received[index_of(level)];
        if (sent.messages > 0 && of_both_levels(phase.received).messages == 0)
            received = {1, 1, sent.bytes / sent.messages};
        else if (received.messages > 0 && of_both_levels(phase.sent).messages == 0)
            sent = {1, 1, received.bytes / received.messages};
    }
}

/// A message of a rank that forwards what it has received, as long as a message of these phases.
PhaseLoad hop_like(const std::vector<PhaseLoad>& phases, Level level) {
    PhaseLoad hop;
    std::int64_t bytes = 0;
    for (const auto& phase : phases) {
        const auto messages = std::max<std::int64_t>(1, phase.messages());
        bytes = std::max(bytes, std::max(of_both_levels(phase.sent).bytes,
                                         of_both_levels(phase.received).bytes) /
                                    messages);
        hop.summed = std::max(hop.summed, phase.summed);
    }
    hop.sent[index_of(level)] = hop.received[index_of(level)] = {1, 1, bytes};
    if (level == Level::network) hop.adapter = {1, 1, bytes};
    hop.others_wait = true;
    return hop;
}

/// Whether there are so many phases that a block may visit half of the ranks or more, one by one.
bool visits_most(const Machine& machine, std::size_t phases) {
    const auto* const nodes = machine.nodes().get();
    return nodes != nullptr && 2 * phases >= static_cast<std::size_t>(nodes->ranks());
}

/// How many of the phases of a chain are between nodes, by the share of the steps from one rank to
/// the next that lead to another node.
std::int64_t steps_between_nodes(const Machine& machine, std::int64_t phases) {
    const auto* const nodes = machine.nodes().get();
    if (nodes == nullptr) return 0;
    const std::int64_t steps = nodes->ranks() - 1;
    return (2 * phases * (nodes->count() - 1) + steps) / (2 * steps);  // rounded
}

}  // namespace

void Path::AdapterLoad::add(const Traffic& traffic, double times) {
    messages += times * static_cast<double>(traffic.messages);
    bytes += times * static_cast<double>(traffic.bytes);
}

void Path::add(const std::vector<PhaseLoad>& phases, double of_node) {
    if (phases.size() > phases_.size()) phases_.resize(phases.size());
    for (std::size_t p = 0; p < phases.size(); ++p) {
        auto& [most, out, in, sent, hand_on] = phases_[p];
        most = choose::most(most, phases[p]);
        out.add(phases[p].sent[index_of(Level::network)], of_node);
        in.add(phases[p].received[index_of(Level::network)], of_node);
        sent += of_node * static_cast<double>(of_both_levels(phases[p].sent).messages);
        hand_on = hand_on && has_messages(phases[p].sent) == has_messages(phases[p].received);
    }
}

std::vector<PhaseLoad> Path::found(const Machine& machine) const {
    const bool goes_round = visits_most(machine, phases_.size());
    std::vector<PhaseLoad> busy;
    for (const auto& [most, out, in, sent, hand_on] : phases_) {
        if (is_idle(most)) continue;
        auto& phase = busy.emplace_back(most);
        if (sent > 0 && most.leaves_node() && hand_on && goes_round)
            phase.share_leaving = out.messages / sent;
        const auto of_one = choose::most(most.sent[index_of(Level::network)],
                                         most.received[index_of(Level::network)]);
        const Traffic of_node{std::llround(std::max(out.messages, in.messages)), 0,
                              std::llround(std::max(out.bytes, in.bytes))};
        phase.adapter = choose::most(of_node, {of_one.messages, 0, of_one.bytes});
        add_other_ends(phase);
    }
    auto path = with_repeats(busy);
    const auto idle = std::ssize(phases_) - std::ssize(busy);
    const auto seen = std::ranges::count_if(busy, &PhaseLoad::leaves_node);
    const auto far =
        std::clamp<std::int64_t>(steps_between_nodes(machine, std::ssize(phases_)) - seen, 0, idle);
    for (const auto& [level, count] : {std::pair(Level::node, idle - far), {Level::network, far}}) {
        if (count == 0) continue;
        path.push_back(hop_like(busy, level));
        path.back().repeats = count;
    }
    return path;
}

}  // namespace carpool::choose
