#include "collectives/choice.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace carpool::collectives {
namespace {

/// One way of a rank's traffic.
struct Traffic {
    std::int64_t messages = 0;
    std::int64_t blocks = 0;
    std::int64_t bytes = 0;

    void add(const schedule::Message& message) {
        if (message.parts.empty()) return;
        ++messages;
        blocks += static_cast<std::int64_t>(message.parts.size());
        bytes += schedule::bytes_of(message);
    }
};

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

/// @return  bytes that lie on the rank on their way
std::int64_t count(const schedule::Schedule& schedule, Load& load) {
    Traffic sent;
    Traffic received;
    for (const auto& round : schedule.rounds) {
        sent.add(round.send);
        received.add(round.receive);
    }
    if (!schedule.rounds.empty())
        load.phases = std::max<std::int64_t>(load.phases, schedule.rounds.back().phase + 1);
    load.messages = std::max({load.messages, sent.messages, received.messages});
    load.blocks = std::max({load.blocks, sent.blocks, received.blocks});
    load.bytes = std::max({load.bytes, sent.bytes, received.bytes});
    const auto temporary = temp_bytes(schedule);
    load.temp_bytes = std::max(load.temp_bytes, temporary);
    return temporary;
}

/// Ranks of which one is as busy as any: the root, or where an operator that does not commute has
/// its tree's root; the last; the top of the tree of a scan.
std::vector<int> busiest_ranks(const Problem& problem) {
    std::vector<int> ranks{problem.root};
    if (problem.ranks > 1) ranks.push_back((problem.root + problem.ranks - 1) % problem.ranks);
    if (!problem.commutes && problem.root > 1) ranks.push_back(0);
    const bool scans = problem.kind == Kind::scan || problem.kind == Kind::exscan;
    if (scans && problem.ranks > 3)
        ranks.push_back(static_cast<int>(std::bit_floor(static_cast<unsigned>(problem.ranks))) / 2 -
                        1);
    return ranks;
}

/// Blocks that differ may be so few that most pairs of ranks have none.
std::int64_t sent_by_all(const Algorithm& algorithm, const Problem& problem) {
    const auto all = algorithm.messages(problem);
    if (!problem.degree || algorithm.forwards) return all;
    return std::min(all, *problem.degree * problem.ranks);
}

/// Seconds for memory beyond what caches and pools give for nothing.
double cost_of_memory(std::int64_t bytes) {
    constexpr std::int64_t free_bytes = 1 << 26;
    constexpr double per_byte = 1e-9;
    return bytes > free_bytes ? per_byte * static_cast<double>(bytes - free_bytes) : 0;
}

/// Seconds to copy what is passed on, on the core that does most of it. Where all of its ranks do,
/// they drive each other's blocks from its cache. Measured for all-to-alls on 4 to 64 ranks on 2
/// cores (docs/personalized.md).
double cost_of_forwarding(const Machine& machine, const Load& load) {
    constexpr double per_byte = 1e-9;
    constexpr double of_all = 2;
    return per_byte *
           std::max(static_cast<double>(load.forwarded),
                    of_all * machine.ranks_per_core * static_cast<double>(load.forwarded_by_all));
}

}  // namespace

Load load_of(const Algorithm& algorithm, const Problem& problem) {
    Load load;
    load.all_messages = sent_by_all(algorithm, problem);
    auto least = std::numeric_limits<std::int64_t>::max();
    for (const int busy : busiest_ranks(problem))
        least = std::min(least, count(schedule_of(algorithm, problem, busy), load));
    if (algorithm.forwards && problem.kind == Kind::alltoall) {
        load.forwarded = load.temp_bytes;
        load.forwarded_by_all = least;
    }
    if (problem.degree && !algorithm.forwards) {
        load.messages = std::min(load.messages, *problem.degree);
        load.blocks = std::min(load.blocks, *problem.degree);
    }
    return load;
}

double estimate(const Machine& machine, const Load& load, int ranks) {
    const auto busiest = static_cast<double>(load.messages);
    const double per_core = static_cast<double>(load.all_messages) / ranks * machine.ranks_per_core;
    const double mean = load.messages > 0 ? static_cast<double>(load.bytes) / busiest : 0;
    const auto& model = machine.model;
    return model.sigma * static_cast<double>(load.phases) +
           std::max(busiest, per_core) * (model.alpha + model.beta * mean) +
           cost_of_memory(load.temp_bytes) + cost_of_forwarding(machine, load);
}

/// Planning is local, but not free: where the number of messages alone costs more than another
/// algorithm does, nothing is planned.
Choice cheapest(const Machine& machine, const Problem& problem) {
    std::vector<std::pair<double, const Algorithm*>> by_messages;
    for (const auto* algorithm : applicable(problem)) {
        Load load;
        load.all_messages = sent_by_all(*algorithm, problem);
        load.phases = load.all_messages > 0 ? 1 : 0;
        by_messages.emplace_back(estimate(machine, load, problem.ranks), algorithm);
    }
    std::stable_sort(by_messages.begin(), by_messages.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Choice best{nullptr, {}};
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [at_least, algorithm] : by_messages) {
        if (best.algorithm != nullptr && at_least >= least) break;
        const auto load = load_of(*algorithm, problem);
        const double cost = estimate(machine, load, problem.ranks);
        if (best.algorithm == nullptr || cost < least ||
            (cost == least && algorithm < best.algorithm))
            best = {algorithm, load};
        least = std::min(least, cost);
    }
    return best;
}

std::vector<const Algorithm*> applicable(const Problem& problem) {
    std::vector<const Algorithm*> result;
    for (const auto& algorithm : algorithms(problem.kind))
        if (algorithm.automatic && algorithm.applies(problem)) result.push_back(&algorithm);
    return result;
}

}  // namespace carpool::collectives
