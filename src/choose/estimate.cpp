// SPDX-License-Identifier: MIT
#include "choose/load.hpp"

#include <algorithm>
#include <utility>

namespace carpool::choose {
namespace {

/// Seconds for memory beyond what caches and pools provide at no cost.
double cost_of_memory(std::int64_t bytes) {
    constexpr std::int64_t free_bytes = 1 << 26;
    constexpr double per_byte = 2e-10;  // a page of 4 KiB is made in some 0.8 us
    return bytes > free_bytes ? per_byte * static_cast<double>(bytes - free_bytes) : 0;
}

/// Seconds for messages of parcels, which are put together and taken apart on their way.
double cost_of_assembly(const Load& load) { return assembly_per_message * load.assembled; }

std::int64_t starts_of(std::int64_t messages, std::int64_t ports) {
    return messages / ports + (messages % ports != 0 ? 1 : 0);
}

/// The share of its messages for which a rank pays alpha.
double paid(std::int64_t starts, std::int64_t messages) {
    return messages == 0 ? 1 : static_cast<double>(starts) / static_cast<double>(messages);
}

/// Seconds for which the processor is busy with the ends of messages.
double cost_of_ends(const Machine& machine, const PhaseLoad& phase) {
    double cost = 0;
    for (const auto level : levels) {
        const auto& model = machine.cost(level);
        const auto& sent = phase.sent[index_of(level)];
        const auto& received = phase.received[index_of(level)];
        cost += static_cast<double>(sent.messages) * model.send() +
                static_cast<double>(received.messages) * model.receive();
    }
    return cost;
}

double bytes_at(const PhaseLoad& phase, Level level) {
    const auto l = index_of(level);
    return static_cast<double>(std::max(phase.sent[l].bytes, phase.received[l].bytes));
}

/// Seconds for which the network is busy with the messages of a rank, and of its node. Beyond some
/// number of messages at once each further one takes longer.
/// @param phases  how many are taken together
double cost_of_transfer(const Machine& machine, const PhaseLoad& phase, double phases = 1) {
    if (!phase.leaves_node()) return 0;
    const auto& costs = machine.costs();
    const auto messages = static_cast<double>(phase.adapter.messages);
    const double calm = static_cast<double>(costs.in_flight) *
                        (machine.nodes() ? machine.nodes()->most_ranks() : 1);
    const double congestion =
        costs.congestion > 0 ? std::max(0.0, messages - phases * calm) * costs.congestion : 0;
    return std::max({bytes_at(phase, Level::network) * costs.network.beta,
                     static_cast<double>(phase.adapter.bytes) * costs.adapter_per_byte,
                     messages * costs.adapter_per_message + congestion});
}

/// Seconds for the work and the transfer of `messages` messages. If an adapter moves the bytes, the
/// first message is sent before its bytes move, then both go on at once.
double together(const Machine& machine, double work, double transfer, double messages) {
    if (!machine.overlaps()) return work + transfer;
    const double one = 1 / std::max(1.0, messages);
    return one * (work + transfer) + (1 - one) * std::max(work, transfer);
}

/// Seconds for which the busiest rank is at work with messages. Within a node both ends copy the
/// bytes.
double work_of(const Machine& machine, const PhaseLoad& phase, double starts_paid) {
    const auto& costs = machine.costs();
    const auto node = index_of(Level::node);
    const auto copied =
        static_cast<double>(phase.sent[node].bytes + phase.received[node].bytes) / 2;
    return starts_paid * cost_of_ends(machine, phase) + copied * costs.node.beta;
}

/// Seconds to copy and to add blocks, before they are sent or after all have come.
double cost_of_blocks(const Costs& costs, const PhaseLoad& phase) {
    return static_cast<double>(phase.copied) * costs.copy_per_byte +
           static_cast<double>(phase.summed) * costs.sum_per_byte;
}

/// Seconds for the messages, copies and sums of a phase, or of several that are taken together.
/// @param phases  how many these are
double cost_of(const Machine& machine, const PhaseLoad& phase, double starts_paid, double phases) {
    return cost_of_blocks(machine.costs(), phase) +
           together(machine, work_of(machine, phase, starts_paid),
                    cost_of_transfer(machine, phase, phases),
                    static_cast<double>(phase.messages()) / phases);
}

/// The load as one phase in which everything is at once. Without adapters it is linear in the
/// messages and bytes that the busiest rank sends or receives, as in [2].
PhaseLoad as_one_phase(const Machine& machine, const Load& load) {
    const bool told_apart = machine.overlaps() && of_both_levels(load.sent).messages > 0;
    PhaseLoad phase{told_apart ? load.sent : load.traffic,
                    told_apart ? load.received : load.traffic, load.adapter};
    phase.copied = load.copied;
    phase.summed = load.summed;
    return phase;
}

/// Seconds for the messages and sums of the busiest rank.
double cost_of_busiest(const Machine& machine, const Load& load) {
    const auto messages = load.messages();
    const auto all = starts(load, machine.cost(machine.widest()).ports);
    const auto share = paid(std::min(messages, all), messages);
    return cost_of(machine, as_one_phase(machine, load), share,
                   static_cast<double>(std::max<std::int64_t>(1, load.phases)));
}

double latency_of(const Machine& machine, bool leaves_node) {
    return machine.cost(leaves_node ? Level::network : Level::node).sigma;
}

/// Seconds for phases, each at the level of its farthest message.
double cost_of_phases(const Machine& machine, const Load& load) {
    const bool leaves = load.at(Level::network).messages > 0;
    return latency_of(machine, leaves) * static_cast<double>(load.phases_between_nodes()) +
           latency_of(machine, false) * static_cast<double>(load.phases_on_node);
}

/// The part of a phase's latency that counts. Where ranks share cores, a phase lasts until all of
/// these have run; ranks that only wait give up their time slices. Measured with scans of 8 ranks
/// on 2 cores (docs/measurements).
double waited_share(const Machine& machine, const PhaseLoad& phase) {
    constexpr double given_up = 0.2;
    return phase.others_wait && machine.ranks_per_core() > 1 ? given_up : 1;
}

/// The share of the messages of a phase for which a rank pays alpha.
double paid_in(const Machine& machine, const PhaseLoad& phase) {
    const auto ports = machine.cost(machine.widest()).ports;
    return paid(starts_of(phase.messages(), ports), phase.messages());
}

/// Seconds for one phase of a path.
double cost_of_one(const Machine& machine, const PhaseLoad& phase) {
    return waited_share(machine, phase) * latency_of(machine, phase.leaves_node()) +
           cost_of(machine, phase, paid_in(machine, phase), 1);
}

/// The phase as it is for ranks whose messages stay on the node.
PhaseLoad within_node(PhaseLoad phase) {
    for (auto* const side : {&phase.sent, &phase.received})
        *side = {of_both_levels(*side), Traffic{}};
    return phase;
}

/// Seconds for a phase among others. Where only some ranks have messages to other nodes, a block
/// passes the network in this part of its steps; but no phase is shorter than those ranks are at
/// work.
/// @param one  seconds for the phase alone
double cost_of_step(const Machine& machine, const PhaseLoad& phase, double one) {
    if (phase.share_leaving == 1) return one;
    const double near = cost_of_one(machine, within_node(phase));
    const double at_work = std::max(
        cost_of_blocks(machine.costs(), phase) + work_of(machine, phase, paid_in(machine, phase)),
        cost_of_transfer(machine, phase));
    return std::max(phase.share_leaving * one + (1 - phase.share_leaving) * near, at_work);
}

/// Seconds along the path, and for one step to another node if steps of a row lead to any.
double cost_of_path(const Machine& machine, const std::vector<PhaseLoad>& path) {
    double cost = 0;
    double away = 0;
    for (const auto& phase : path) {
        const double one = cost_of_one(machine, phase);
        const double step = cost_of_step(machine, phase, one);
        cost += static_cast<double>(phase.repeats) * step;
        away = std::max(away, one - step);
    }
    return cost + away;
}

/// A lower bound of the cost of so many messages per core, whichever level they are at.
double least_cost(const Machine& machine, double per_core, std::int64_t phases) {
    const auto& [node, network] =
        std::pair(machine.cost(Level::node), machine.cost(machine.widest()));
    return std::min(node.sigma, network.sigma) * static_cast<double>(phases) +
           std::min(node.alpha_of_many(), network.alpha_of_many()) * per_core;
}

/// Seconds for phases, messages and sums: those on the path of the busiest ranks or, if that is
/// more, as many messages as all ranks of a core have.
double cost_of_messages(const Machine& machine, const Load& load) {
    const auto busiest = static_cast<double>(load.messages());
    const double per_core = load.mean_messages * machine.ranks_per_core();
    const double phases = cost_of_phases(machine, load);
    if (busiest == 0) return least_cost(machine, per_core, load.phases);
    const double in_total = cost_of_busiest(machine, load);
    const double along = cost_of_path(machine, load.path);
    const bool is_known = machine.overlaps() && !load.path.empty();
    const double alone = is_known ? along : std::max(along, phases + in_total);
    if (per_core <= busiest) return alone;
    return std::max(alone, phases + in_total * per_core / busiest);
}

/// What copies cost more where all ranks of a core copy blocks: they evict each other's from its
/// cache. Measured for all-to-alls on 4 to 64 ranks on 2 cores (docs/measurements).
double cost_of_eviction(const Machine& machine, const Load& load) {
    constexpr double of_all = 2;
    if (machine.ranks_per_core() <= 1) return 0;
    const double bytes =
        of_all * machine.ranks_per_core() * static_cast<double>(load.copied_by_all);
    return machine.costs().copy_per_byte * std::max(0.0, bytes - static_cast<double>(load.copied));
}

}  // namespace

/// If messages are taken to be spread evenly, alpha is paid at least messages / ports times, and at
/// most once per message.
std::int64_t starts(const Load& load, std::int64_t ports) {
    if (!load.path.empty()) {
        std::int64_t sum = 0;
        for (const auto& phase : load.path)
            sum += phase.repeats * starts_of(phase.messages(), ports);
        return sum;
    }
    const auto messages = load.messages();
    const auto phases = std::max<std::int64_t>(1, load.phases);
    const auto of_phase = starts_of(messages, phases);
    return std::max(starts_of(messages, ports),
                    std::min(messages, phases * starts_of(of_phase, ports)));
}

double estimate(const Machine& machine, const Load& load) {
    return cost_of_messages(machine, load) + cost_of_memory(load.temp_bytes) +
           cost_of_eviction(machine, load) + cost_of_assembly(load);
}

}  // namespace carpool::choose
