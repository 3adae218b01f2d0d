#include "choose/load.hpp"

#include <algorithm>
#include <set>

namespace carpool::choose {
namespace {

/// What one rank sends and receives, by level.
class Count {
public:
    Count(int rank, const Machine& machine) : rank_(rank), machine_(machine) {}

    void send(int phase, int peer, const Traffic& message) { add(sent_, phase, peer, message); }
    void receive(int phase, int peer, const Traffic& message) {
        add(received_, phase, peer, message);
    }

    /// @param phases  the number of all phases
    Load load(std::int64_t phases) const {
        Load load{most(sent_, received_)};
        load.phases = phases;
        load.phases_on_node = phases - static_cast<std::int64_t>(between_nodes_.size());
        return load;
    }

    /// An estimate of how many of the phases in which this rank only waits, as along a chain, are
    /// between nodes, by the share of the steps from one rank to the next that lead to another
    /// node.
    std::int64_t awaited_between_nodes(std::int64_t phases) const {
        const auto* const nodes = machine_.nodes().get();
        if (nodes == nullptr) return 0;
        const std::int64_t steps = nodes->ranks() - 1;
        const auto idle = phases - static_cast<std::int64_t>(busy_.size());
        return (2 * idle * (nodes->count() - 1) + steps) / (2 * steps);  // rounded
    }

private:
    void add(TrafficByLevel& traffic, int phase, int peer, const Traffic& message) {
        const auto level = machine_.level(rank_, peer);
        busy_.insert(phase);
        if (level == Level::network) between_nodes_.insert(phase);
        traffic[static_cast<std::size_t>(level)] += message;
    }

    int rank_;
    const Machine& machine_;
    TrafficByLevel sent_ = {};
    TrafficByLevel received_ = {};
    std::set<int> busy_;           // phases with a message
    std::set<int> between_nodes_;  // phases with a message between nodes
};

Traffic traffic_of(const routing::Itinerary& itinerary, const routing::Itinerary::Ride& ride) {
    Traffic traffic{1, static_cast<std::int64_t>(ride.stops.size()), 0};
    for (const int stop : ride.stops) traffic.bytes += itinerary.bytes(stop);
    return traffic;
}

Traffic traffic_of(const schedule::Message& message) {
    return {1, static_cast<std::int64_t>(message.parts.size()), schedule::bytes_of(message)};
}

void add(TrafficByLevel& traffic, const schedule::Message& message, int rank,
         const topology::Nodes* nodes) {
    if (message.parts.empty()) return;
    traffic[static_cast<std::size_t>(level_of(nodes, rank, message.peer))] += traffic_of(message);
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

/// Seconds for memory beyond what caches and pools provide at no cost.
double cost_of_memory(std::int64_t bytes) {
    constexpr std::int64_t free_bytes = 1 << 26;
    constexpr double per_byte = 1e-9;
    return bytes > free_bytes ? per_byte * static_cast<double>(bytes - free_bytes) : 0;
}

/// Seconds to copy forwarded blocks, on the core that does most of it. Where all ranks of a core
/// forward blocks, they evict each other's blocks from its cache. Measured for all-to-alls on 4 to
/// 64 ranks on 2 cores (docs/measurements).
double cost_of_forwarding(const Machine& machine, const Load& load) {
    constexpr double of_all = 2;
    return copy_per_byte *
           std::max(static_cast<double>(load.forwarded),
                    of_all * machine.ranks_per_core() * static_cast<double>(load.forwarded_by_all));
}

/// Seconds for messages of parcels, which are put together and taken apart on their way.
double cost_of_assembly(const Load& load) { return assembly_per_message * load.assembled; }

/// Seconds for phases, each at the level of its farthest message.
double cost_of_phases(const Machine& machine, const Load& load) {
    const auto sigma = [&](Level level) { return machine.cost(level).sigma; };
    const bool leaves = load.at(Level::network).messages > 0;
    return sigma(leaves ? Level::network : Level::node) *
               static_cast<double>(load.phases_between_nodes()) +
           sigma(Level::node) * static_cast<double>(load.phases_on_node);
}

/// Seconds for what the other ranks of a node send over its network at the same time. How much that
/// is depends on the network, but it decides between candidates that otherwise cost the same.
double cost_of_network(const Machine& machine, const Load& load) {
    if (load.beside.messages == 0) return 0;
    constexpr double of_its_own = 0.125;
    const auto& model = machine.cost(Level::network);
    return of_its_own * (machine.nodes()->most_ranks() - 1) *
           (static_cast<double>(load.beside.messages) * model.alpha_of_many() +
            static_cast<double>(load.beside.bytes) * model.beta);
}

/// Seconds for the messages and sums of the busiest rank or, if that is more, for as many such
/// messages as all ranks of a core have.
double cost_of_messages(const Machine& machine, const Load& load) {
    const auto busiest = static_cast<double>(load.messages());
    const double per_core = load.mean_messages * machine.ranks_per_core();
    if (busiest == 0) return per_core * machine.cost(Level::node).alpha_of_many();
    double cost = sum_per_byte * static_cast<double>(load.summed);
    for (const auto level : levels) {
        const auto& [alpha, beta, sigma, ports] = machine.cost(level);
        const auto paid = static_cast<double>(starts(load, ports)) / busiest;
        cost += static_cast<double>(load.at(level).messages) * paid * alpha +
                static_cast<double>(load.at(level).bytes) * beta;
    }
    return per_core > busiest ? cost * per_core / busiest : cost;
}

}  // namespace

Traffic most(const Traffic& a, const Traffic& b) {
    return {std::max(a.messages, b.messages), std::max(a.blocks, b.blocks),
            std::max(a.bytes, b.bytes)};
}

TrafficByLevel most(const TrafficByLevel& a, const TrafficByLevel& b) {
    const auto network = static_cast<std::size_t>(Level::network);
    const auto far = most(a[network], b[network]);
    auto near = most(of_both_levels(a), of_both_levels(b));
    return {near -= far, far};
}

Traffic of_both_levels(const TrafficByLevel& traffic) {
    auto sum = traffic[0];
    return sum += traffic[1];
}

Traffic least(const Traffic& a, const Traffic& b) {
    return {std::min(a.messages, b.messages), std::min(a.blocks, b.blocks),
            std::min(a.bytes, b.bytes)};
}

Traffic& Traffic::operator+=(const Traffic& more) {
    messages += more.messages;
    blocks += more.blocks;
    bytes += more.bytes;
    return *this;
}

Traffic& Traffic::operator-=(const Traffic& part) {
    messages -= part.messages;
    blocks -= part.blocks;
    bytes -= part.bytes;
    return *this;
}

Load Load::with_blocks_of(std::int64_t block_bytes) const {
    auto load = *this;
    if (bytes() > 0) return load;
    for (auto& of_level : load.traffic) of_level.bytes = of_level.blocks * block_bytes;
    return load;
}

Load Load::with_straight(const Traffic& straight, Level widest) const {
    auto load = *this;
    load.at(widest) += straight;
    if (!load.by_phase.empty()) load.by_phase.front() += straight.messages;
    return load;
}

Load most(const Load& a, const Load& b) {
    const auto phases = std::max(a.phases, b.phases);
    const auto between = std::max(a.phases_between_nodes(), b.phases_between_nodes());
    return {most(a.traffic, b.traffic),
            phases,
            std::max(a.mean_messages, b.mean_messages),
            std::max(a.summed, b.summed),
            std::max(a.temp_bytes, b.temp_bytes),
            std::max(a.forwarded, b.forwarded),
            std::max(a.forwarded_by_all, b.forwarded_by_all),
            std::max(a.assembled, b.assembled),
            {},
            phases - between,
            most(a.beside, b.beside)};
}

Load load_of(const routing::Itinerary& itinerary, int rank, const Machine& machine) {
    Count count(rank, machine);
    for (const auto& ride : itinerary.sends())
        count.send(ride.phase, ride.peer, traffic_of(itinerary, ride));
    for (const auto& ride : itinerary.receives())
        count.receive(ride.phase, ride.peer, traffic_of(itinerary, ride));
    return count.load(itinerary.phases());
}

Load load_of(const schedule::Schedule& schedule, int rank, const Machine& machine) {
    Count count(rank, machine);
    for (const auto& [phase, send, receive] : schedule.rounds) {
        if (!send.parts.empty()) count.send(phase, send.peer, traffic_of(send));
        if (!receive.parts.empty()) count.receive(phase, receive.peer, traffic_of(receive));
    }
    const int phases = schedule.rounds.empty() ? 0 : schedule.rounds.back().phase + 1;
    auto load = count.load(phases);
    load.phases_on_node -= count.awaited_between_nodes(phases);
    load.temp_bytes = temp_bytes(schedule);
    for (const auto& sum : schedule.sums)
        load.summed += sum.bytes * (static_cast<std::int64_t>(sum.of.size()) - 1);
    return load;
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

/// If messages are taken to be spread evenly, alpha is paid at least messages / ports times, and at
/// most once per message.
std::int64_t starts(const Load& load, std::int64_t ports) {
    const auto starts_of = [ports](std::int64_t messages) {
        return messages / ports + (messages % ports != 0 ? 1 : 0);
    };
    const auto messages = load.messages();
    if (load.by_phase.empty()) {
        const auto phases = std::max<std::int64_t>(1, load.phases);
        const auto of_phase = messages / phases + (messages % phases != 0 ? 1 : 0);
        return std::max(starts_of(messages), std::min(messages, phases * starts_of(of_phase)));
    }
    std::int64_t sum = 0;
    for (const auto of_phase : load.by_phase) sum += starts_of(of_phase);
    return sum;
}

double estimate(const Machine& machine, const Load& load) {
    return cost_of_phases(machine, load) + cost_of_messages(machine, load) +
           cost_of_network(machine, load) + cost_of_memory(load.temp_bytes) +
           cost_of_forwarding(machine, load) + cost_of_assembly(load);
}

}  // namespace carpool::choose
