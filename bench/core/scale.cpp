// SPDX-License-Identifier: MIT
// Prints what planning takes on many ranks: the tables of docs/measurements/scale.md.
//
//     cmake --build build/core --target scale && build/core/bench/core/scale
//
// Without arguments it plans for one rank of grids of 10^3 to 10^6 ranks. Arguments are graphs,
// which are planned for all of their ranks: "random 65536 density 0.001", "torus 256x256 moore 2
// 2".

#include "allocations.hpp"
#include "choose/graph_planner.hpp"
#include "choose/planner.hpp"
#include "routing/rule.hpp"
#include "topology/graph_text.hpp"
#include "topology/stencils.hpp"
#include "topology/text.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace carpool;
using schedule::Operation;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// What some work has taken.
struct Cost {
    double seconds;
    double processor_seconds;  ///< all threads together; other programs do not count
    std::int64_t most_bytes;   ///< at once, beyond what was there before
};

template <typename Work>
Cost cost_of(Work work) {
    forget_most();
    const auto before = allocated_bytes();
    const auto start = Clock::now();
    const auto processors = processor_seconds();
    work();
    return {seconds_since(start), processor_seconds() - processors,
            most_allocated_bytes() - before};
}

/// The least of several costs, since other programs on this machine may delay one.
template <typename Work>
Cost least_cost_of(Work work) {
    auto least = cost_of(work);
    for (int i = 0; i < 4; ++i) {
        const auto cost = cost_of(work);
        least = {std::min(least.seconds, cost.seconds),
                 std::min(least.processor_seconds, cost.processor_seconds),
                 std::max(least.most_bytes, cost.most_bytes)};
    }
    return least;
}

// ---- one rank of a grid ----

/// A torus or mesh of about 10^power ranks, with sides as equal as possible.
topology::Grid cube_of(int power, bool periodic) {
    const std::array<std::vector<int>, 4> sides{
        {{10, 10, 10}, {20, 20, 25}, {40, 50, 50}, {100, 100, 100}}};
    return {sides[static_cast<std::size_t>(power - 3)], std::vector<bool>(3, periodic)};
}

/// Plans as an init does, and makes the schedule of the rank in the middle.
void plan_one_rank(const topology::Grid& grid, const topology::Neighborhood& stencil,
                   const routing::Rule& rule, Operation operation) {
    const std::vector<std::int64_t> bytes(
        schedule::sends_one_block(operation) ? 1 : static_cast<std::size_t>(stencil.size()), 64);
    choose::Planner planner(grid, stencil);
    const auto plan = planner.planned(rule, operation);
    const auto schedule = planner.placed(plan, operation, static_cast<int>(grid.size() / 2), bytes);
    if (schedule.rounds.empty()) std::cerr << "nothing to send" << std::endl;
}

void print_grid_row(const std::string& name, const topology::Neighborhood& stencil,
                    const routing::Rule& rule, Operation operation, bool periodic) {
    std::cout << "| " << name << " | " << schedule::name_of(operation) << " | " << rule.name;
    for (int power = 3; power <= 6; ++power) {
        const auto grid = cube_of(power, periodic);
        const auto cost = least_cost_of([&] { plan_one_rank(grid, stencil, rule, operation); });
        std::cout << " | " << std::lround(cost.seconds * 1e6) << " µs, "
                  << (cost.most_bytes + 512) / 1024 << " KiB";
    }
    std::cout << " |" << std::endl;
}

void print_grids() {
    std::cout << "| grid and stencil | operation | rule | 10^3 ranks | 10^4 | 10^5 | 10^6 |\n"
              << "|---|---|---|---|---|---|---|\n";
    for (const int radius : {1, 2})
        for (const bool periodic : {true, false})
            for (const auto* rule : routing::grid_rules())
                for (const auto operation : {Operation::alltoall, Operation::allgather})
                    print_grid_row(std::string(periodic ? "torus" : "mesh") + ", moore 3 " +
                                       std::to_string(radius),
                                   topology::moore(3, radius), *rule, operation, periodic);
}

// ---- all ranks of a graph ----

/// A family of graphs, or a grid and a stencil in one text.
topology::Graph graph_of(const std::string& text) {
    if (!text.starts_with("torus") && !text.starts_with("mesh"))
        return topology::graph_from_text(text);
    const auto end = text.find(' ', text.find(' ') + 1);
    return topology::graph_of(topology::grid_from_text(text.substr(0, end)),
                              topology::stencil_from_text(text.substr(end + 1)));
}

/// A number that is the same only for the same routes.
std::uint64_t digest_of(const choose::GraphPlan& plan) {
    std::uint64_t digest = 0xcbf29ce484222325;
    const auto add = [&digest](std::int64_t number) {
        digest = (digest ^ static_cast<std::uint64_t>(number)) * 0x100000001b3;
    };
    for (const auto& route : plan.routes)
        for (const auto messages : {route.sends(), route.receives()})
            for (const auto& [phase, peer, stops] : messages) {
                add(phase);
                add(peer);
                for (const int stop : stops) add(stop);
            }
    return digest;
}

void print_graph_row(const choose::GraphPlanner& planner, const routing::Rule& rule) {
    std::uint64_t digest = 0;
    choose::Load load;
    std::int64_t steps = 0;
    const auto cost = cost_of([&] {
        const auto plan = planner.planned(rule);
        load = plan.load;
        steps = plan.traffic.front().supersteps;
        digest = digest_of(plan);
    });
    std::cout << "| " << rule.name << " | " << load.messages() << " | " << steps << " | "
              << std::round(cost.seconds * 10) / 10 << " | "
              << std::round(cost.processor_seconds * 10) / 10 << " | "
              << static_cast<double>(cost.most_bytes >> 20) / 1024 << " | " << std::hex << digest
              << std::dec << " |" << std::endl;
}

void print_graph(const std::string& text, const std::string& only) {
    const choose::GraphPlanner planner(graph_of(text), Operation::allgather, {});
    std::cout << "\n### " << text << "\n\n"
              << "| rule | messages | supersteps | s | processor s | GiB | digest "
                 "|\n|---|---|---|---|---|---|---|\n";
    for (const auto* rule : routing::graph_rules())
        if (only.empty() || rule->name == only) print_graph_row(planner, *rule);
}

}  // namespace

int main(int count, char** arguments) {
    std::string only;
    for (int i = 1; i < count; ++i) {
        const std::string text(arguments[i]);
        if (text.starts_with("rule="))
            only = text.substr(5);
        else
            print_graph(text, only);
    }
    if (count == 1) print_grids();
}
