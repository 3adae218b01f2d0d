// SPDX-License-Identifier: MIT
// Times how well Carpool chooses: the time of its request and of its call, divided by that of the
// best single algorithm or of the host MPI's best form, all in random order. Before this, the
// request and the call have run 200 times, with uneven computations on the ranks or without. The
// environment sets how Carpool chooses. Prints one JSON object per line: first the run, then each
// cell.
//
//     tools/launch -n 8 regret 0.2 1 uneven graphs/random:0.3/allgather/64 collectives/bcast/8

#include "cell.hpp"
#include "cell_kinds.hpp"
#include "check.hpp"
#include "program.hpp"
#include "race.hpp"
#include "timing.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <cstddef>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using bench::check;

/// Up to 100 us of work, a different time on each rank.
void compute(std::minstd_rand& random) {
    std::uniform_real_distribution<double> seconds(0, 100e-6);
    for (const double end = MPI_Wtime() + seconds(random); MPI_Wtime() < end;) continue;
}

/// The exchanges that a program does before it is measured.
void go_on(const std::function<void()>& exchange, bool uneven, int rank) {
    constexpr int times = 200;
    std::minstd_rand random(static_cast<unsigned>(rank) + 1);
    for (int i = 0; i < times; ++i) {
        if (uneven) compute(random);
        exchange();
    }
}

/// A racer for each algorithm that applies; a request names its algorithm.
std::vector<bench::Racer> ordered(const bench::Cell& cell) {
    std::vector<bench::Racer> racers;
    check(MPI_Comm_set_errhandler(cell.comm, MPI_ERRORS_RETURN));
    for (const auto& algorithm : cell.algorithms) {
        const auto info = bench::info_with({{"carpool_algorithm", algorithm}});
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        if (cell.init(info.get(), &request) == MPI_SUCCESS)
            racers.push_back(bench::racer_of(algorithm, request));
    }
    check(MPI_Comm_set_errhandler(cell.comm, MPI_ERRORS_ARE_FATAL));
    return racers;
}

double median_of(const bench::Entry& entry) { return bench::quartiles(entry.seconds).median; }

bench::json::object regret(const std::string& name, bool uneven, bench::Timing& timing, int rank) {
    const auto cell = bench::cell_named(name);
    auto racers = cell.hosts;
    for (auto& one : ordered(cell)) racers.push_back(std::move(one));
    const auto others = racers.size();
    racers.push_back({.name = "request", .run = bench::started(cell)});
    racers.push_back({.name = "call", .run = cell.call});
    for (auto ours = others; ours < racers.size(); ++ours) go_on(racers[ours].run, uneven, rank);
    std::vector<bench::Contender> names;
    for (const auto& racer : racers) names.push_back({racer.name, "", nullptr});
    const auto entries = bench::raced(racers, names, timing, MPI_COMM_WORLD);
    const auto& best = bench::best_of(entries, others);
    return {{"event", "regret"},
            {"case", name},
            {"best", best.contender->name},
            {"algorithm", bench::algorithm_json(cell)},
            {"request", median_of(entries[others]) / median_of(best)},
            {"call", median_of(entries[others + 1]) / median_of(best)},
            {"seconds", bench::seconds_json(entries)}};
}

void run(int argc, char** argv) {
    const std::string_view program = argc > 4 ? argv[3] : "";
    if (program != "even" && program != "uneven")
        throw std::runtime_error("usage: regret SECONDS SEED even|uneven CELL…");
    auto timing = bench::timing_of(argv);
    int rank = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    for (int i = 4; i < argc; ++i)
        bench::emit(regret(argv[i], program == "uneven", timing, rank), rank);
}

}  // namespace

int main(int argc, char** argv) { return bench::program("regret", argc, argv, run); }
