// SPDX-License-Identifier: MIT
#include "dispatch.hpp"

#include "answers.hpp"
#include "collective_answers.hpp"
#include "cost_answers.hpp"
#include "graph_answers.hpp"
#include "halo_question.hpp"
#include "simulate_answers.hpp"

#include <stdexcept>

namespace cli {
namespace {

namespace json = boost::json;

json::object answer_on_graph(const json::object& question) {
    const auto& command = question.at("command").as_string();
    const GraphQuestion asked(question);
    if (command == "explain") return explain(asked);
    if (command == "plan") return plan(asked);
    if (command == "verify") return verify(asked);
    throw std::invalid_argument("no such command");
}

json::object answer_on_collective(const json::object& question) {
    const auto& command = question.at("command").as_string();
    const CollectiveQuestion asked(question);
    if (command == "explain") return explain(asked);
    if (command == "plan") return plan(asked);
    if (command == "messages") return messages(asked);
    if (command == "applicable") return applicable(asked);
    if (command == "verify") return verify(asked);
    throw std::invalid_argument("no such command");
}

}  // namespace

json::object answer(const json::object& question) {
    const auto& command = question.at("command").as_string();
    if (command == "stencils") return stencils();
    if (command == "graphs") return graphs();
    if (command == "algorithms") return algorithms();
    if (command == "costs") return costs(question);
    if (command == "estimates") return estimates(question);
    if (command == "simulate") return simulate(question);
    if (command == "trace") return trace(question);
    if (command == "schedules") return schedules(question);
    if (question.contains("graph")) return answer_on_graph(question);
    if (question.contains("collective")) return answer_on_collective(question);
    if (question.contains("halo")) return explain(HaloQuestion(question));
    Question asked(question);
    if (command == "explain") return explain(asked);
    if (command == "plan") return plan(asked);
    if (command == "verify") return verify(asked);
    throw std::invalid_argument("no such command");
}

}  // namespace cli
