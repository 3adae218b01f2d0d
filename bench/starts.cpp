// Times starts of Carpool's requests that follow each other, as loops of users do them: what the
// first ones cost more than later ones, or how long later ones take. One JSON object per line.
//
//     tools/launch -n 8 starts exploring 5 graphs/random:0.6/alltoall/64    5 requests
//     tools/launch -n 2 starts steady 20 collectives/allreduce/8            20 batches

#include "cell.hpp"
#include "cell_kinds.hpp"
#include "measure.hpp"
#include "program.hpp"
#include "report.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using bench::check;

void start(const bench::Cell& cell) {
    check(Carpool_Start(cell.request->address()));
    check(Carpool_Wait(cell.request->address(), MPI_STATUS_IGNORE));
}

/// Seconds of each of so many starts on this rank.
std::vector<double> seconds_of_starts(const bench::Cell& cell, int count) {
    std::vector<double> seconds;
    seconds.reserve(static_cast<std::size_t>(count));
    check(MPI_Barrier(MPI_COMM_WORLD));
    for (double began = MPI_Wtime(); count > 0; --count) {
        start(cell);
        const double now = MPI_Wtime();
        seconds.push_back(now - began);
        began = now;
    }
    return seconds;
}

/// Of a new request: how much more its first starts take than as many later ones, and how long a
/// later one takes; both on the rank where it is most.
bench::json::object first_starts(const std::string& name) {
    constexpr int all = 1000, first = 100;
    const auto cell = bench::cell_named(name);
    const auto seconds = seconds_of_starts(cell, all);
    const auto later = seconds.begin() + first;
    const double steady = std::accumulate(later, seconds.end(), 0.0) / (all - first);
    const double more = std::accumulate(seconds.begin(), later, 0.0) - first * steady;
    return {{"more", bench::largest(more, MPI_COMM_WORLD)},
            {"steady", bench::largest(steady, MPI_COMM_WORLD)},
            {"algorithm", bench::algorithm_json(cell)}};
}

/// With a trial, and as the model says without one.
bench::json::object exploring(const std::string& name) {
    auto tried = first_starts(name);
    setenv("CARPOOL_CHOICE", "model", 1);
    auto untried = first_starts(name);
    unsetenv("CARPOOL_CHOICE");
    return {{"event", "exploring"}, {"case", name}, {"tried", tried}, {"untried", untried}};
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
    const std::string what = argc > 3 ? argv[1] : "";
    if (what != "exploring" && what != "steady")
        throw std::runtime_error("usage: starts exploring|steady NUMBER CELL…");
    const int number = std::stoi(argv[2]);
    int rank = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    for (int i = 3; i < argc; ++i) {
        if (what == "steady") bench::emit(steady(argv[i], number), rank);
        for (int r = 0; what == "exploring" && r < number; ++r)
            bench::emit(exploring(argv[i]), rank);
    }
}

}  // namespace

int main(int argc, char** argv) { return bench::program("starts", argc, argv, run); }
