// SPDX-License-Identifier: MIT
// Times consecutive starts of Carpool's requests, as in a loop of a program. Prints one JSON object
// per line.
//
//     tools/launch -n 2 starts 20 collectives/allreduce/8            20 batches

#include "cell.hpp"
#include "cell_kinds.hpp"
#include "measure.hpp"
#include "program.hpp"
#include "report.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <stdexcept>
#include <string>

namespace {

using bench::check;

void start(const bench::Cell& cell) {
    check(Carpool_Start(cell.request->address()));
    check(Carpool_Wait(cell.request->address(), MPI_STATUS_IGNORE));
}

/// Seconds per start of each batch, on the slowest rank.
bench::json::object steady(const std::string& name, int batches) {
    constexpr int warm = 300, in_batch = 1000;
    const auto cell = bench::cell_named(name);
    for (int i = 0; i < warm; ++i) start(cell);
    bench::json::array seconds;
    for (; batches > 0; --batches) {
        check(MPI_Barrier(MPI_COMM_WORLD));
        const double began = MPI_Wtime();
        for (int i = 0; i < in_batch; ++i) start(cell);
        const double took = (MPI_Wtime() - began) / in_batch;
        seconds.push_back(bench::largest(took, MPI_COMM_WORLD));
    }
    return {{"event", "steady"}, {"case", name}, {"seconds", seconds}};
}

void run(int argc, char** argv) {
    if (argc < 3) throw std::runtime_error("usage: starts BATCHES CELL…");
    const int batches = std::stoi(argv[1]);
    int rank = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    for (int i = 2; i < argc; ++i) bench::emit(steady(argv[i], batches), rank);
}

}  // namespace

int main(int argc, char** argv) { return bench::program("starts", argc, argv, run); }
