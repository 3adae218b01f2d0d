// SPDX-License-Identifier: MIT
// carpool-planner: answers one question about plans, given as JSON on standard input, with JSON on
// standard output. The command `carpool` calls it. If a question cannot be answered it prints
// {"error": "why"} and exits with code 2.

#include "answers.hpp"
#include "collective_answers.hpp"
#include "cost_answers.hpp"
#include "graph_answers.hpp"
#include "halo_question.hpp"
#include "simulate_answers.hpp"

#include <exception>
#include <iostream>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>

namespace {

namespace json = boost::json;

json::object answer_on_graph(const json::object& question) {
    const auto& command = question.at("command").as_string();
    const cli::GraphQuestion asked(question);
    if (command == "explain") return cli::explain(asked);
    if (command == "plan") return cli::plan(asked);
    if (command == "verify") return cli::verify(asked);
    throw std::invalid_argument("no such command");
}

json::object answer_on_collective(const json::object& question) {
    const auto& command = question.at("command").as_string();
    const cli::CollectiveQuestion asked(question);
    if (command == "explain") return cli::explain(asked);
    if (command == "plan") return cli::plan(asked);
    if (command == "messages") return cli::messages(asked);
    if (command == "applicable") return cli::applicable(asked);
    if (command == "verify") return cli::verify(asked);
    throw std::invalid_argument("no such command");
}

json::object answer(const json::object& question) {
    const auto& command = question.at("command").as_string();
    if (command == "stencils") return cli::stencils();
    if (command == "graphs") return cli::graphs();
    if (command == "algorithms") return cli::algorithms();
    if (command == "costs") return cli::costs(question);
    if (command == "estimates") return cli::estimates(question);
    if (command == "simulate") return cli::simulate(question);
    if (command == "trace") return cli::trace(question);
    if (command == "schedules") return cli::schedules(question);
    if (question.contains("graph")) return answer_on_graph(question);
    if (question.contains("collective")) return answer_on_collective(question);
    if (question.contains("halo")) return cli::explain(cli::HaloQuestion(question));
    cli::Question asked(question);
    if (command == "explain") return cli::explain(asked);
    if (command == "plan") return cli::plan(asked);
    if (command == "verify") return cli::verify(asked);
    throw std::invalid_argument("no such command");
}

int refuse(const char* why) {
    std::cout << json::object{{"error", why}} << '\n';
    return 2;
}

}  // namespace

int main() {
    try {
        const std::string text(std::istreambuf_iterator<char>(std::cin), {});
        std::cout << answer(json::parse(text).as_object()) << '\n';
        return 0;
    } catch (const std::bad_alloc&) {
        return refuse("not enough memory for that many neighbors or ranks");
    } catch (const std::exception& error) {
        return refuse(error.what());
    }
}
