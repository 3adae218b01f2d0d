// SPDX-License-Identifier: MIT
#include "collective_answers.hpp"

#include "collective_blocks.hpp"
#include "collectives/expected.hpp"
#include "fields.hpp"
#include "schedule/json.hpp"
#include "verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cli {
namespace {

namespace json = boost::json;
using namespace carpool;
using namespace carpool::collectives;

json::object about(const CollectiveQuestion& q) {
    const auto& problem = q.problem;
    const auto& model = q.machine.cost(q.machine.widest());
    const auto& within = q.machine.cost(choose::Level::node);
    return {{"collective", name_of(problem.kind)},
            {"ranks", problem.ranks},
            {"root", has_root(problem.kind) ? json::value(problem.root) : json::value()},
            {"reduces", reduces(problem.kind)},
            {"commutes", problem.commutes},
            {"block_bytes", json::value_from(problem.bytes)},
            {"segment", problem.segment},
            {"alpha", model.alpha},
            {"beta", model.beta},
            {"sigma", model.sigma},
            {"ports", model.ports},
            {"ranks_per_core", q.machine.ranks_per_core()},
            {"nodes", problem.nodes ? problem.nodes->count() : 1},
            {"within", to_json(within)},
            {"rank", q.rank}};
}

json::object counts(const CollectiveQuestion& q, const Algorithm& algorithm) {
    const bool sends = q.problem.kind == Kind::barrier || !are_empty(q.problem.bytes);
    const auto load = sends ? load_of(algorithm, q.problem, q.machine) : choose::Load{};
    return {{"name", algorithm.name},
            {"automatic", algorithm.automatic},
            {"pieces", algorithm.pieces(q.problem)},
            {"phases", load.phases},
            {"messages", load.messages()},
            {"blocks", load.blocks()},
            {"bytes", load.bytes()},
            {"all_messages", std::llround(load.mean_messages * q.problem.ranks)},
            {"starts", starts(load, q.machine.cost(q.machine.widest()).ports)},
            {"estimate", estimate(q.machine, load)}};
}

template <typename Describe>
json::array per_algorithm(const std::vector<const Algorithm*>& algorithms, Describe describe) {
    json::array described;
    for (const auto* algorithm : algorithms) described.push_back(describe(*algorithm));
    return described;
}

/// The same choice as cheapest(); of equal ones the simplest.
json::value cheapest(const json::array& rules) {
    const auto cost = [](const json::value& rule) {
        return rule.at("automatic").as_bool() ? rule.at("estimate").as_double()
                                              : std::numeric_limits<double>::infinity();
    };
    return std::min_element(rules.begin(), rules.end(),
                            [&](const auto& a, const auto& b) { return cost(a) < cost(b); })
        ->at("name");
}

json::array inapplicable(const Problem& problem) {
    json::array others;
    for (const auto& one : algorithms(problem.kind))
        if (is_told_of(one, problem) && !one.applies(problem))
            others.push_back(json::object{{"name", one.name}, {"needs", needs(one, problem)}});
    return others;
}

/// The block sizes from which on another algorithm is the cheapest. Sizes are doubled, and bisected
/// where the answer changes.
class CutOffs {
public:
    explicit CutOffs(const CollectiveQuestion& q) : machine_(q.machine), problem_(q.problem) {}

    json::array found() {
        constexpr std::int64_t most = std::int64_t{1} << 30;
        json::array steps;
        std::int64_t from = 1;
        note(steps, from);
        for (std::int64_t to = 2; to <= most; to *= 2)
            while (cheapest(from) != cheapest(to)) note(steps, from = change(from, to));
        return steps;
    }

private:
    const Algorithm* cheapest(std::int64_t bytes) {
        problem_.bytes = {bytes};
        return carpool::collectives::cheapest(machine_, problem_).algorithm;
    }

    /// The first size with another answer, between two sizes whose answers differ.
    std::int64_t change(std::int64_t low, std::int64_t high) {
        const auto* before = cheapest(low);
        while (high - low > 1) {
            const auto middle = low + (high - low) / 2;
            (cheapest(middle) == before ? low : high) = middle;
        }
        return high;
    }

    void note(json::array& steps, std::int64_t bytes) {
        steps.push_back(json::object{{"from_bytes", bytes}, {"rule", cheapest(bytes)->name}});
    }

    const choose::Machine& machine_;
    Problem problem_;
};

/// The cut-offs; empty for a barrier, blocks that differ, or so many ranks that it would take long.
json::array cut_offs(const CollectiveQuestion& q) {
    const int most_ranks = is_square(q.problem.kind) ? 64 : 1024;
    if (q.problem.bytes.size() != 1 || q.problem.ranks > most_ranks) return {};
    return CutOffs(q).found();
}

/// For each temporary slot, the block that it holds; empty for reductions.
json::array transit_of(const CollectiveQuestion& q, const Algorithm& algorithm, int slots) {
    json::array transit;
    const auto kind = q.problem.kind;
    if (reduces(kind) || kind == Kind::barrier) return transit;
    CollectiveBlocks blocks(algorithm, q.problem);
    for (int slot = 0; slot < slots; ++slot) {
        const auto [rank, block] = blocks.origin(q.rank, {schedule::Slot::Kind::temp, slot});
        json::object named{{"origin", rank}};
        if (kind == Kind::alltoall || kind == Kind::scatter) named["target"] = block;
        transit.push_back(std::move(named));
    }
    return transit;
}

json::object described(const CollectiveQuestion& q, const Algorithm& algorithm) {
    const auto schedule = schedule_of(algorithm, q.problem, q.rank);
    auto result = counts(q, algorithm);
    result["transit"] = transit_of(q, algorithm, schedule.temp_slots);
    result["schedule"] = json::parse(schedule::to_json(schedule));
    return result;
}

json::array messages_of(const CollectiveQuestion& q, const Algorithm& algorithm) {
    json::array messages;
    for (int rank = 0; rank < q.problem.ranks; ++rank)
        for (const auto& round : schedule_of(algorithm, q.problem, rank).rounds)
            if (!round.send.parts.empty())
                messages.push_back(json::object{{"phase", round.phase},
                                                {"from", rank},
                                                {"to", round.send.peer},
                                                {"blocks", round.send.parts.size()},
                                                {"bytes", schedule::bytes_of(round.send)}});
    return messages;
}

/// The schedules of all ranks; throws if they do not fit into memory.
std::vector<schedule::Schedule> schedules_of(const CollectiveQuestion& q,
                                             const Algorithm& algorithm) {
    constexpr std::int64_t most = 1 << 22;
    std::int64_t moved = 0;
    std::vector<schedule::Schedule> schedules;
    for (int rank = 0; rank < q.problem.ranks; ++rank) {
        schedules.push_back(schedule_of(algorithm, q.problem, rank));
        const auto& last = schedules.back();
        moved += schedule::blocks_sent(last) + last.recv_slots;
        if (moved > most)
            throw std::invalid_argument(
                std::string(algorithm.name) + " moves and delivers more than 2^22 blocks on " +
                std::to_string(q.problem.ranks) +
                " ranks, expected at most as many to run them all here; fewer ranks show the same");
    }
    return schedules;
}

json::object verified(const CollectiveQuestion& q, const Algorithm& algorithm) {
    const auto schedules = schedules_of(q, algorithm);  // may be refused, so it comes first
    return verdict(algorithm.name, schedules,
                   expected(std::span(&q.problem, 1), algorithm.pieces(q.problem)),
                   order_of(q.problem));
}

json::array estimates_of(const CollectiveQuestion& q, const Algorithm& algorithm,
                         const json::array& machines) {
    const auto& nodes = q.problem.nodes;
    const auto load = load_of(algorithm, q.problem, choose::Machine::counting(nodes));
    json::array estimates;
    for (const auto& machine : machines)
        estimates.push_back(
            estimate({costs_of(machine.as_object(), choose::MessageUse::collectives), nodes,
                      q.machine.ranks_per_core()},
                     load));
    return estimates;
}

}  // namespace

json::object explain(const CollectiveQuestion& q) {
    auto answer = about(q);
    answer["rules"] =
        per_algorithm(q.applicable(), [&q](const auto& one) { return counts(q, one); });
    answer["inapplicable"] = inapplicable(q.problem);
    answer["automatic"] = cheapest(answer["rules"].as_array());
    answer["choice"] =
        q.algorithm == "auto" ? answer["automatic"] : json::value(json::string(q.algorithm));
    answer["cut_offs"] = cut_offs(q);
    return answer;
}

json::object estimates(const json::object& question) {
    const auto& machines = question.at("costs").as_array();
    json::array all;
    for (const auto& problem : question.at("problems").as_array()) {
        auto asked = problem.as_object();
        const auto& any = machines.front().as_object();
        asked.insert(any.begin(), any.end());
        const CollectiveQuestion q(asked);
        json::object by_algorithm;
        for (const auto* algorithm : q.algorithms())
            by_algorithm[algorithm->name] = estimates_of(q, *algorithm, machines);
        all.push_back(std::move(by_algorithm));
    }
    return {{"estimates", all}};
}

json::object plan(const CollectiveQuestion& q) {
    auto answer = about(q);
    answer["rules"] =
        per_algorithm(q.algorithms(), [&q](const auto& one) { return described(q, one); });
    return answer;
}

json::object messages(const CollectiveQuestion& q) {
    constexpr int most_ranks = 64;
    if (q.problem.ranks > most_ranks)
        throw std::invalid_argument("a picture of " + std::to_string(q.problem.ranks) +
                                    " ranks, expected at most 64 to tell arrows apart");
    auto answer = about(q);
    answer["rules"] = per_algorithm(q.algorithms(), [&q](const auto& one) {
        auto rule = counts(q, one);
        rule["sent"] = messages_of(q, one);
        return rule;
    });
    return answer;
}

json::object applicable(const CollectiveQuestion& q) {
    return {{"applicable", per_algorithm(q.applicable(), [](const auto& one) {
                 return json::value(json::string(one.name));
             })}};
}

json::object verify(const CollectiveQuestion& q) {
    auto answer = about(q);
    answer["rules"] =
        per_algorithm(q.algorithms(), [&q](const auto& one) { return verified(q, one); });
    return answer;
}

json::array collective_algorithms() {
    json::array all;
    for (const auto kind : kinds()) {
        json::array names;
        for (const auto& one : algorithms(kind)) names.emplace_back(one.name);
        all.push_back(json::object{{"kind", name_of(kind)},
                                   {"root", has_root(kind)},
                                   {"reduces", reduces(kind)},
                                   {"algorithms", names}});
    }
    return all;
}

}  // namespace cli
