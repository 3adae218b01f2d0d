// SPDX-License-Identifier: MIT
// Prints how much rules for graphs save, counted on the plans of all ranks and not measured: the
// tables of docs/measurements/graphs.md, for the graphs of [3] §VI.
//
//     cmake --build build/core --target graphs && build/core/bench/core/graphs
//
// Arguments choose graphs: "random 0.05", "Moore 2 3", one argument each. "sweep" prints the costs
// of planning by friends on more and more ranks, separately for its two phases, as in [3] figures 6
// and 7, tables I and II.

#include "choose/grid_load.hpp"
#include "choose/load.hpp"
#include "choose/machine.hpp"
#include "routing/rule.hpp"
#include "routing/simulation.hpp"
#include "schedule/place_itinerary.hpp"
#include "topology/graph.hpp"
#include "topology/stencils.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace carpool;
using choose::CostModel;
using choose::Load;
using routing::Itinerary;
using routing::Pattern;

namespace {

constexpr CostModel infiniband{1.5e-6, 0.3e-9, 0.5e-6};  // about QDR, as in [3]
constexpr CostModel mpich{12.5e-6, 3e-9,
                          10e-6};  // the defaults of src/neighbor/topology/settings.cpp
constexpr std::array<std::int64_t, 4> block_sizes{4, 64, 1024, 4096};

struct Subject {
    std::string name;
    std::function<topology::Graph()> graph;
    Load cartesian;  ///< if the graph is that of a torus
};

/// The result and the costs of planning by a rule.
struct Outcome {
    std::string rule;
    Load most;
    double messages, blocks;  // means over all ranks
    routing::SuperstepTraffic planning;
    double seconds;
    double plan = 0, place = 0;  ///< processor time of all ranks together: [3]'s phases 1 and 2
};

/// Processor time in seconds, since other programs on this machine would distort wall time.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double seconds_to_place(const std::vector<Itinerary>& itineraries, const topology::Graph& graph) {
    const auto start = processor_seconds();
    for (std::size_t rank = 0; rank < graph.size(); ++rank)
        schedule::place(itineraries[rank], schedule::Operation::allgather, graph[rank],
                        itineraries[rank].phases(), std::span(block_sizes).first(1));
    return processor_seconds() - start;
}

Outcome outcome(const routing::Rule& rule, const topology::Graph& graph) {
    const auto start = std::chrono::steady_clock::now();
    const auto processors = processor_seconds();
    const int ranks = static_cast<int>(graph.size());
    const auto simulated = routing::simulate<Itinerary>(ranks, [&](int rank) {
        const auto& edges = graph[static_cast<std::size_t>(rank)];
        return rule.route({rank, ranks, &edges}, Pattern::allgather);
    });
    Outcome outcome{std::string(rule.name), {}, 0, 0, {}, 0};
    outcome.plan = processor_seconds() - processors;
    for (int rank = 0; rank < ranks; ++rank) {
        const auto load =
            choose::load_of(simulated.results[static_cast<std::size_t>(rank)], rank, CostModel{});
        outcome.most = choose::most(outcome.most, load);
        outcome.messages += static_cast<double>(load.messages()) / ranks;
        outcome.blocks += static_cast<double>(load.blocks()) / ranks;
    }
    for (const auto& traffic : simulated.traffic) {
        outcome.planning.supersteps = traffic.supersteps;
        outcome.planning.messages += traffic.messages;
        outcome.planning.words += traffic.words;
        outcome.planning.board_words += traffic.board_words;
    }
    outcome.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    outcome.place = seconds_to_place(simulated.results, graph);
    return outcome;
}

/// The time in percent of that of direct, for each block size.
std::string relative_times(const CostModel& model, const Load& load, const Load& direct) {
    std::ostringstream text;
    for (const auto bytes : block_sizes) {
        const auto time = choose::estimate(model, load.with_blocks_of(bytes));
        text << (bytes == block_sizes.front() ? "" : ", ")
             << std::lround(100 * time / choose::estimate(model, direct.with_blocks_of(bytes)));
    }
    return text.str();
}

void print_row(const Outcome& row, const Load& direct, std::int64_t ranks) {
    const auto& [steps, messages, words, board] = row.planning;
    std::cout << "| " << row.rule << " | " << row.most.messages() << " ("
              << std::lround(row.messages) << ") | " << row.most.phases << " | "
              << row.most.blocks() << " (" << std::lround(row.blocks) << ") | "
              << relative_times(infiniband, row.most, direct) << " | "
              << relative_times(mpich, row.most, direct) << " | " << steps << " | "
              << messages / ranks << " | " << (words + board) / ranks << " | "
              << std::round(10 * row.seconds) / 10 << " |" << std::endl;
}

void print_table(const Subject& subject) {
    std::cout
        << "\n### " << subject.name << "\n\n"
        << "| rule | messages | phases | blocks | % of direct, InfiniBand | % of direct, MPICH "
           "| supersteps | planning messages | words | s "
           "|\n|---|---|---|---|---|---|---|---|---|---|\n";
    const auto graph = subject.graph();
    const auto ranks = static_cast<std::int64_t>(graph.size());
    Load direct;
    for (const auto* rule : routing::graph_rules()) {
        std::cerr << subject.name << ", " << rule->name << std::endl;
        const auto row = outcome(*rule, graph);
        if (rule == &routing::direct) direct = row.most;
        print_row(row, direct, ranks);
    }
    const auto& found = subject.cartesian;
    if (found.messages() > 0)
        print_row({"cartesian",
                   found,
                   static_cast<double>(found.messages()),
                   static_cast<double>(found.blocks()),
                   {},
                   0},
                  direct, ranks);
}

Subject random_subject(const std::string& density) {
    return {"random " + density,
            [density] { return topology::random_graph(4096, std::stod(density), 1); },
            {}};
}

/// A torus of 2^n ranks, as MPI_Dims_create makes it.
topology::Grid torus(int n, int dimensions) {
    std::vector<int> sizes;
    for (int k = dimensions - 1; k >= 0; --k) sizes.push_back(1 << ((n + k) / dimensions));
    return {sizes, std::vector<bool>(sizes.size(), true)};
}

Subject moore_subject(int dimensions, int radius) {
    const auto grid = torus(13, dimensions);
    const auto neighborhood = topology::moore(dimensions, radius);
    const auto plan = routing::cartesian.plan(grid, neighborhood, Pattern::allgather);
    return {"Moore " + std::to_string(dimensions) + " " + std::to_string(radius),
            [=] { return topology::graph_of(grid, neighborhood); },
            choose::load_of(plan, choose::rounds_of(plan), grid, CostModel{})};
}

std::vector<Subject> subjects() {
    std::vector<Subject> subjects;
    for (const auto* density : {"0.05", "0.1", "0.2", "0.4", "0.8"})
        subjects.push_back(random_subject(density));
    for (int dimensions = 2; dimensions <= 4; ++dimensions)
        for (int radius = 1; radius <= (dimensions == 4 ? 3 : 4); ++radius)
            subjects.push_back(moore_subject(dimensions, radius));
    return subjects;
}

void print_planning(std::int64_t ranks, const Outcome& row) {
    const auto& [steps, messages, words, board] = row.planning;
    const auto per_rank = [&](double sum) { return sum / static_cast<double>(ranks); };
    std::cout << "| " << ranks << " | " << row.rule << " | " << row.most.messages() << " ("
              << std::lround(row.messages) << ") | " << row.most.blocks() << " ("
              << std::lround(row.blocks) << ") | " << steps << " | " << messages / ranks << " | "
              << words / ranks << " | " << board / ranks << " | "
              << std::lround(1e6 * per_rank(row.plan)) << " | "
              << std::lround(1e6 * per_rank(row.place)) << " |" << std::endl;
}

/// Prints one kind of graph on 2^first to 2^last ranks.
void print_sweep(const std::string& name, int first, int last,
                 const std::function<topology::Graph(int n)>& graph_of_ranks) {
    std::cout
        << "\n### Sweep: " << name << "\n\n"
        << "| P | rule | messages | blocks | supersteps | planning messages | words in them | "
           "words "
           "of boards | phase 1, µs | phase 2, µs |\n|---|---|---|---|---|---|---|---|---|---|\n";
    for (int n = first; n <= last; ++n) {
        const auto graph = graph_of_ranks(n);
        for (const auto* rule : {&routing::direct, &routing::friends, &routing::cumulative})
            print_planning(static_cast<std::int64_t>(graph.size()), outcome(*rule, graph));
    }
}

void print_sweeps() {
    for (const double density : {0.05, 0.2})
        print_sweep((std::ostringstream() << "random, density " << density).str(), 8, 12,
                    [=](int n) { return topology::random_graph(1 << n, density, 1); });
    for (const auto& [d, r] : {std::pair{2, 2}, std::pair{2, 4}, std::pair{3, 2}})
        print_sweep((std::ostringstream() << "Moore (" << d << ", " << r << ")").str(), 9, 13,
                    [=](int n) { return topology::graph_of(torus(n, d), topology::moore(d, r)); });
}

}  // namespace

int main(int count, char** arguments) {
    const std::vector<std::string> chosen(arguments + 1, arguments + count);
    if (chosen == std::vector<std::string>{"sweep"}) return print_sweeps(), 0;
    for (const auto& subject : subjects())
        if (chosen.empty() || std::find(chosen.begin(), chosen.end(), subject.name) != chosen.end())
            print_table(subject);
}
