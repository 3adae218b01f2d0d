// SPDX-License-Identifier: MIT
// Times neighborhood exchanges by the host MPI's forms, a hand-written loop and Carpool's rules,
// interleaved. Prints one JSON object per line: first the run, then each case as it is done.
// Arguments: seconds of timing per case, seed of the order of contenders, cases.
//
//     tools/launch -n 8 neighborhoods 1.5 1 grid-d3-n5/alltoall/40 moore-d3-r1/alltoallw/128

#include "measure.hpp"
#include "program.hpp"
#include "report.hpp"
#include "scene.hpp"
#include "timing.hpp"

#include <mpi.h>

#include <stdexcept>
#include <string>

namespace {

void run(int argc, char** argv) {
    if (argc < 4) throw std::runtime_error("usage: neighborhoods SECONDS SEED CASE…");
    auto timing = bench::timing_of(argv);
    for (int i = 3; i < argc; ++i) {
        bench::Scene scene(MPI_COMM_WORLD, bench::case_named(argv[i]));
        const auto entries = bench::measured(scene, timing.budget, timing.random);
        bench::emit(bench::to_json(scene, entries), scene.rank);
    }
}

}  // namespace

int main(int argc, char** argv) { return bench::program("neighborhoods", argc, argv, run); }
