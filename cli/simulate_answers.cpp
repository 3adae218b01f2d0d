// SPDX-License-Identifier: MIT
#include "simulate_answers.hpp"

#include "fields.hpp"
#include "methods.hpp"
#include "schedule/json.hpp"
#include "simulate/loggp.hpp"
#include "simulate/simgrid.hpp"
#include "simulate/trace.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cli {
namespace {

namespace json = boost::json;
using namespace carpool;

/// What messages cost in the simulation, whatever the estimates assume.
choose::Costs simulated_costs(const json::object& question) {
    return costs_of(question.at("costs").as_object(), choose::MessageUse::neighborhoods);
}

std::vector<BlockBytes> sizes_of(const json::object& question) {
    const auto& given = question.at("sizes");
    if (given.is_null()) return {std::nullopt};
    std::vector<BlockBytes> sizes;
    for (const auto& size : given.as_array())
        sizes.emplace_back(integer("a block of", size, " bytes", 0, most_bytes));
    return sizes;
}

struct TooManyMessages : std::invalid_argument {
    explicit TooManyMessages(const std::string& method)
        : std::invalid_argument(method +
                                " sends more than 2^25 messages, expected at most 2^25; take fewer "
                                "ranks") {}
};

/// The traces of all ranks, which have to fit into memory.
std::vector<simulate::Trace> traces_of(const Method& method, BlockBytes bytes) {
    constexpr std::size_t most = 1 << 25;
    std::size_t messages = 0;
    std::vector<simulate::Trace> traces;
    for (int rank = 0; rank < method.ranks; ++rank) {
        traces.push_back(simulate::trace_of(method.schedule_of(rank, bytes)));
        messages += traces.back().sends.size();
        if (messages > most) throw TooManyMessages(method.name);
    }
    return traces;
}

topology::Nodes nodes_of(const Method& method) {
    if (method.nodes) return *method.nodes;
    return topology::Nodes(std::vector<std::uint64_t>(static_cast<std::size_t>(method.ranks)));
}

json::object to_json(const simulate::MessageTotals& carried) {
    return {{"messages", carried.messages}, {"bytes", carried.bytes}};
}

json::object to_json(const simulate::Cost& cost) {
    return {{"time", cost.time},
            {"busy", cost.busy},
            {"within", to_json(cost.traffic[0])},
            {"between", to_json(cost.traffic[1])},
            {"adapter", to_json(cost.busiest_adapter)}};
}

json::array costs_of(const Method& method, const json::object& question) {
    const auto costs_of_machine = simulated_costs(question);
    const auto nodes = nodes_of(method);
    json::array costs;
    for (const auto bytes : sizes_of(question))
        costs.push_back(
            to_json(simulate::evaluate(traces_of(method, bytes), costs_of_machine, nodes)));
    return costs;
}

std::ofstream opened(const std::string& file) {
    std::ofstream out(file);
    if (!out) throw std::invalid_argument(file + ": " + std::strerror(errno));
    return out;
}

void close(std::ofstream& out, const std::string& file) {
    out.close();
    if (!out) throw std::invalid_argument(file + ": " + std::strerror(errno));
}

}  // namespace

json::object simulate(const json::object& question) {
    json::array methods;
    visit_methods(question, [&](const Method& method) {
        json::object answer{{"name", method.name}, {"ranks", method.ranks}};
        try {
            answer["costs"] = costs_of(method, question);
        } catch (const TooManyMessages& why) {
            answer["left_out"] = why.what();
        }
        methods.push_back(std::move(answer));
    });
    return {{"methods", methods}};
}

json::object trace(const json::object& question) {
    const auto file = text(question, "file");
    const auto costs_of_machine = simulated_costs(question);
    const auto detached_below =
        integer("detached_below", question.at("detached_below"), " bytes", 0, most_bytes);
    auto out = opened(file);
    json::array nodes;
    visit_methods(question, [&](const Method& method) {
        const auto traces = traces_of(method, sizes_of(question).front());
        const auto of_ranks = nodes_of(method);
        simulate::write_simgrid(out, traces, costs_of_machine, of_ranks, detached_below);
        for (int rank = 0; rank < method.ranks; ++rank) nodes.push_back(of_ranks.node(rank));
    });
    close(out, file);
    return {{"file", file}, {"nodes", nodes}};
}

json::object schedules(const json::object& question) {
    const auto file = text(question, "file");
    auto out = opened(file);
    visit_methods(question, [&](const Method& method) {
        for (int rank = 0; rank < method.ranks; ++rank)
            out << schedule::to_json(method.schedule_of(rank, std::nullopt)) << '\n';
    });
    close(out, file);
    return {{"file", file}};
}

}  // namespace cli
