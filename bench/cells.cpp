// SPDX-License-Identifier: MIT
// Times cells of all kinds, each in its steady state: Carpool's request and call against the host
// MPI's best form for it, interleaved. Prints one JSON object per line: first the run, then each
// cell as it is done. Arguments: seconds of timing per cell, seed of the order of contenders,
// cells.
//
//     tools/launch -n 8 cells 0.2 1 graphs/random:0.2/allgather/64 collectives/allreduce/8

#include "cell.hpp"
#include "cell_kinds.hpp"
#include "program.hpp"
#include "timing.hpp"

#include <mpi.h>

#include <stdexcept>
#include <string>

namespace {

void run(int argc, char** argv) {
    if (argc < 4) throw std::runtime_error("usage: cells SECONDS SEED CELL…");
    auto timing = bench::timing_of(argv);
    int rank = 0;
    bench::check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    for (int i = 3; i < argc; ++i) {
        const auto cell = bench::cell_named(argv[i]);
        bench::emit(bench::measured(argv[i], cell, timing, MPI_COMM_WORLD), rank);
    }
}

}  // namespace

int main(int argc, char** argv) { return bench::program("cells", argc, argv, run); }
