// SPDX-License-Identifier: MIT
#include "choose/load.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace carpool::choose {
namespace {

Traffic traffic_in(const routing::Itinerary& itinerary,
                   const routing::Itinerary::CombinedMessage& combined) {
    Traffic traffic{1, static_cast<std::int64_t>(combined.stops.size()), 0};
    for (const int stop : combined.stops) traffic.bytes += itinerary.bytes(stop);
    return traffic;
}

void add(TrafficByLevel& traffic, const schedule::Message& message, int rank,
         const topology::Nodes* nodes) {
    if (message.parts.empty()) return;
    traffic[index_of(level_of(nodes, rank, message.peer))] += traffic_of(message);
}

std::int64_t temp_bytes(const schedule::Schedule& schedule) {
    std::int64_t bytes = 0;
    const auto add = [&bytes](const schedule::Slot& slot, std::int64_t size) {
        if (slot.kind == schedule::Slot::Kind::temp) bytes += size;
    };
    for (const auto& round : schedule.rounds)
        for (const auto& part : round.receive.parts) add(part.slot, part.bytes);
    for (const auto& sum : schedule.sums) add(sum.to, sum.bytes);
    return bytes;
}

}  // namespace

Load load_of(const std::vector<PhaseLoad>& phases) {
    Load load;
    for (const auto& phase : phases) {
        for (const auto level : levels) {
            const auto l = index_of(level);
            load.sent[l] += phase.sent[l];
            load.received[l] += phase.received[l];
        }
        load.copied += phase.copied;
        load.copied_blocks += phase.copied_blocks;
        load.summed += phase.summed;
        if (!phase.leaves_node()) ++load.phases_on_node;
    }
    load.traffic = most(load.sent, load.received);
    load.phases = std::ssize(phases);
    return load;
}

void Load::go_along(std::vector<PhaseLoad> longest) {
    path = std::move(longest);
    phases = phases_on_node = 0;
    adapter = {};
    for (const auto& phase : path) {
        phases += phase.repeats;
        if (!phase.leaves_node()) phases_on_node += phase.repeats;
        const auto& once = phase.adapter;
        adapter += {phase.repeats * once.messages, phase.repeats * once.blocks,
                    phase.repeats * once.bytes};
    }
}

Load Load::with_blocks_of(std::int64_t block_bytes) const {
    CARPOOL_EXPECTS(path.empty(), path.size());
    auto load = *this;
    if (bytes() > 0) return load;
    for (auto* const side : {&load.traffic, &load.sent, &load.received})
        for (auto& of_level : *side) of_level.bytes = of_level.blocks * block_bytes;
    load.copied = load.copied_blocks * block_bytes;
    load.adapter.bytes = load.adapter.blocks * block_bytes;
    return load;
}

Load Load::times(std::int64_t factor) const {
    CARPOOL_EXPECTS(path.empty(), path.size());
    auto load = *this;
    for (auto* const side : {&load.traffic, &load.sent, &load.received})
        for (auto& of_level : *side) of_level.bytes *= factor;
    for (auto* const bytes :
         {&load.summed, &load.temp_bytes, &load.copied, &load.copied_by_all, &load.adapter.bytes})
        *bytes *= factor;
    return load;
}

Load Load::with_straight(const Traffic& straight, Level widest) const {
    auto load = *this;
    for (auto* const side : {&load.traffic, &load.sent, &load.received})
        (*side)[index_of(widest)] += straight;
    if (load.path.empty()) return load;
    auto first = load.path.front();
    first.repeats = 1;
    for (auto* const side : {&first.sent, &first.received}) (*side)[index_of(widest)] += straight;
    if (--load.path.front().repeats == 0) load.path.erase(load.path.begin());
    load.path.insert(load.path.begin(), first);
    return load;
}

Load most(const Load& a, const Load& b) {
    const auto phases = std::max(a.phases, b.phases);
    const auto between = std::max(a.phases_between_nodes(), b.phases_between_nodes());
    return {most(a.traffic, b.traffic),
            most(a.sent, b.sent),
            most(a.received, b.received),
            phases,
            std::max(a.mean_messages, b.mean_messages),
            std::max(a.summed, b.summed),
            std::max(a.temp_bytes, b.temp_bytes),
            std::max(a.copied, b.copied),
            std::max(a.copied_blocks, b.copied_blocks),
            std::max(a.copied_by_all, b.copied_by_all),
            std::max(a.assembled, b.assembled),
            phases - between,
            most(a.adapter, b.adapter),
            {}};
}

Load load_of(const routing::Itinerary& itinerary, int rank, const Machine& machine,
             const MessageBytes* bytes) {
    std::vector<PhaseLoad> phases(static_cast<std::size_t>(itinerary.phases()));
    const auto add = [&](TrafficByLevel PhaseLoad::* side,
                         std::span<const routing::Itinerary::CombinedMessage> messages,
                         const std::vector<std::int64_t>* bytes_of_messages) {
        for (std::size_t i = 0; i < messages.size(); ++i) {
            auto& phase = phases[static_cast<std::size_t>(messages[i].phase)];
            auto traffic = traffic_in(itinerary, messages[i]);
            if (bytes_of_messages != nullptr) traffic.bytes = (*bytes_of_messages)[i];
            (phase.*side)[index_of(machine.level(rank, messages[i].peer))] += traffic;
            if (traffic.blocks <= 1) continue;
            phase.copied += traffic.bytes;
            phase.copied_blocks += traffic.blocks;
        }
    };
    add(&PhaseLoad::sent, itinerary.sends(), bytes ? &bytes->sent : nullptr);
    add(&PhaseLoad::received, itinerary.receives(), bytes ? &bytes->received : nullptr);
    return load_of(phases);
}

Load load_of(const schedule::Schedule& schedule, const std::vector<PhaseLoad>& phases) {
    auto load = load_of(phases);
    load.temp_bytes = temp_bytes(schedule);
    return load;
}

Load load_of(const schedule::Schedule& schedule, int rank, const Machine& machine) {
    return load_of(schedule, phases_of(schedule, rank, machine));
}

TrafficByLevel sent_by(const schedule::Schedule& schedule, int rank, const topology::Nodes* nodes) {
    TrafficByLevel sent = {};
    for (const auto& round : schedule.rounds) add(sent, round.send, rank, nodes);
    return sent;
}

TrafficByLevel received_by(const schedule::Schedule& schedule, int rank,
                           const topology::Nodes* nodes) {
    TrafficByLevel received = {};
    for (const auto& round : schedule.rounds) add(received, round.receive, rank, nodes);
    return received;
}

std::int64_t longest_worth_combining(const CostModel& model, double more_hops) {
    constexpr double longest = 1e18;  // any block
    constexpr double fewest = 0.5;
    return static_cast<std::int64_t>(
        std::min(longest, model.alpha_of_many() / (model.beta * std::max(fewest, more_hops))));
}

std::int64_t longest_riding(const CostModel& model, std::int64_t blocks, std::int64_t straight) {
    constexpr std::int64_t most_memory = std::int64_t{1} << 22;
    constexpr std::int64_t least = 8;
    blocks = std::max<std::int64_t>(1, blocks);
    const double hops =
        static_cast<double>(blocks) / static_cast<double>(std::max<std::int64_t>(1, straight));
    const auto worth = longest_worth_combining(model, hops - 1);
    return std::max(least, std::min(worth, most_memory / blocks));
}

}  // namespace carpool::choose
