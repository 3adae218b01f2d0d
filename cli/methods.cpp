// SPDX-License-Identifier: MIT
#include "methods.hpp"

#include "collective_question.hpp"
#include "collectives/algorithm.hpp"
#include "graph_question.hpp"
#include "question.hpp"

#include <algorithm>

namespace cli {
namespace {

namespace json = boost::json;
using namespace carpool;

using Visit = std::function<void(const Method&)>;

void visit_grid(const json::object& question, const Visit& visit) {
    Question q(question);
    for (const auto& plan : q.plans())
        visit({plan.name(), static_cast<int>(q.grid.size()), q.nodes.machine().nodes(),
               [&](int rank, BlockBytes bytes) {
                   auto sizes = q.block_bytes;
                   if (bytes) std::fill(sizes.begin(), sizes.end(), *bytes);
                   return q.planner.placed(plan, q.operation, rank, sizes);
               }});
}

void visit_graph(const json::object& question, const Visit& visit) {
    const GraphQuestion q(question);
    for (const auto* rule : q.rules()) {
        const auto plan = q.planner.planned(*rule);
        visit({std::string(rule->name), q.ranks(), q.nodes.machine().nodes(),
               [&](int rank, BlockBytes bytes) {
                   return q.planner.placed(plan, rank, bytes.value_or(q.block_bytes));
               }});
    }
}

void visit_collective(const json::object& question, const Visit& visit) {
    const CollectiveQuestion q(question);
    for (const auto* algorithm : q.algorithms())
        visit({std::string(algorithm->name), q.problem.ranks, q.problem.nodes,
               [&](int rank, BlockBytes bytes) {
                   auto problem = q.problem;
                   if (bytes && !problem.bytes.empty()) problem.bytes = {*bytes};
                   return schedule_of(*algorithm, problem, rank);
               }});
}

}  // namespace

void visit_methods(const json::object& question, const Visit& visit) {
    if (question.contains("graph")) return visit_graph(question, visit);
    if (question.contains("collective")) return visit_collective(question, visit);
    visit_grid(question, visit);
}

}  // namespace cli
