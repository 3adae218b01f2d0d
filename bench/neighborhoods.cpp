// Times the host MPI's forms, a hand-written loop and Carpool's rules on neighborhood exchanges,
// interleaved. Prints one JSON object per line: first the run, then each case as it is done.
// Arguments: seconds of timing per case, seed of the order of contenders, cases.
//
//     tools/launch -n 8 neighborhoods 1.5 1 grid-d3-n5/alltoall/40 moore-d3-r1/alltoallw/128

#include "measure.hpp"
#include "report.hpp"
#include "scene.hpp"

#include <mpi.h>

#include <cstdint>
#include <exception>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Options {
    double budget = 0;  // seconds of timing per case
    std::uint64_t seed = 0;
    std::vector<std::string> cases;
};

Options options_from(int argc, char** argv) {
    if (argc < 4) throw std::runtime_error("usage: neighborhoods SECONDS SEED CASE…");
    return {std::stod(argv[1]), std::stoull(argv[2]), {argv + 3, argv + argc}};
}

void run(const Options& options, MPI_Comm comm) {
    int rank = 0, ranks = 0;
    bench::check(MPI_Comm_rank(comm, &rank));
    bench::check(MPI_Comm_size(comm, &ranks));
    bench::emit({{"event", "run"},
                 {"machine", bench::machine_json()},
                 {"seed", options.seed},
                 {"budget", options.budget},
                 {"ranks", ranks}},
                rank);
    std::mt19937_64 random(options.seed);
    for (const auto& name : options.cases) {
        bench::Scene scene(comm, bench::case_named(name));
        const auto entries = bench::measured(scene, options.budget, random);
        bench::emit(bench::to_json(scene, entries), rank);
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    try {
        run(options_from(argc, argv), MPI_COMM_WORLD);
    } catch (const std::exception& error) {
        std::cerr << "neighborhoods: " << error.what() << std::endl;
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return MPI_Finalize();
}
