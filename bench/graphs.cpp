// SPDX-License-Identifier: MIT
// Times neighborhood collectives on graphs: Carpool's rules against the host MPI's three forms and
// a hand-written persistent loop, interleaved. Arguments: seconds of timing per case, seed, graphs,
// sizes.
//
//     tools/launch -n 16 graphs 1 1 random:0.2,random:0.8,moore:2:1 4,64,1024,4096

#include "alike.hpp"
#include "edges.hpp"
#include "graph_exchange.hpp"
#include "program.hpp"
#include "race.hpp"
#include "timing.hpp"

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace {

using bench::check;
using bench::Racer;

constexpr const char* rules[] = {"direct", "friends",   "cumulative", "mesh",
                                 "grid",   "hypercube", "auto"};

Racer by_carpool(bench::GraphExchange& x, const std::string& rule) {
    return bench::racer_of("Carpool " + rule, bench::carpool_request(x, rule));
}

/// Seconds of the first init by a rule, on a communicator of its own: the planning of all ranks.
double setup_seconds(const bench::Edges& edges, bool allgather, int bytes, const char* rule) {
    const auto graph = bench::graph_of(edges);
    bench::GraphExchange x(edges, graph.get(), allgather, bytes);
    check(MPI_Barrier(MPI_COMM_WORLD));
    const double began = MPI_Wtime();
    const auto racer = by_carpool(x, rule);
    double took = MPI_Wtime() - began;
    check(MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
    return took;
}

void race(const std::string& name, const bench::Edges& edges, MPI_Comm graph, bool allgather,
          int bytes, bench::Timing& timing) {
    bench::GraphExchange x(edges, graph, allgather, bytes);
    auto racers = bench::by_host(x);
    racers.push_back(bench::by_hand(x));
    for (const char* rule : rules) racers.push_back(by_carpool(x, rule));
    bench::Alike alike(x.recv, std::byte{0xA5});
    for (const auto& racer : racers) alike.run(racer.name, racer.run);
    bench::json::object setup;
    for (const char* rule : rules) setup[rule] = setup_seconds(edges, allgather, bytes, rule);
    int rank = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    const std::string operation = allgather ? "allgather" : "alltoall";
    bench::emit_race({{"case", operation + ", " + name + ", " + std::to_string(bytes) + " B"},
                      {"operation", operation},
                      {"graph", name},
                      {"block", bytes},
                      {"setup", setup}},
                     racers, timing, MPI_COMM_WORLD, rank);
}

void run(int argc, char** argv) {
    if (argc != 5) throw std::runtime_error("usage: graphs SECONDS SEED GRAPHS SIZES");
    auto timing = bench::timing_of(argv);
    for (const auto& name : bench::split(argv[3], ',')) {
        const auto edges = bench::edges_of(name, std::stoull(argv[2]));
        const auto graph = bench::graph_of(edges);
        for (const bool allgather : {true, false})
            for (const int bytes : bench::numbers(argv[4]))
                race(name, edges, graph.get(), allgather, bytes, timing);
    }
}

}  // namespace

int main(int argc, char** argv) { return bench::program("graphs", argc, argv, run); }
