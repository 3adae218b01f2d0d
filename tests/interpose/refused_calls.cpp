// SPDX-License-Identifier: MIT
// Random programs in which single ranks make calls that MPI refuses (MPI_ERRORS_RETURN), then the
// right ones, in MPI programs that know nothing of Carpool. Each call's error class must be that of
// the host's own function, and each right call must deliver what the program itself computes.
//
//     refused_calls SEED PROGRAMS [CALLS [SECONDS]]   with libcarpool_mpi.so
//     refused_calls bare SEED PROGRAMS …              without: what the host does
//     refused_calls table                             without: each mistake that the host refuses
//
// CALLS is their number in a program, by default a random one; SECONDS the time limit of a step.

#include "checks.hpp"
#include "support/layouts.hpp"
#include "support/random_program.hpp"
#include "support/refusal_table.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

using namespace interposed;

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF})
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    std::vector<std::string> words(argv + 1, argv + argc);
    Options options;
    options.bare = !words.empty() && words[0] == "bare";
    if (options.bare) words.erase(words.begin());
    const auto number = [&](std::size_t i, int otherwise) {
        return i < words.size() ? std::atoi(words[i].c_str()) : otherwise;
    };
    const int seed = number(0, 1), programs = number(1, 20);
    options.calls = number(2, 0);
    options.seconds = unsigned(number(3, long_enough));
    {
        const Layouts layouts;
        if (!words.empty() && words[0] == "table")
            RefusalTable(layouts).check();
        else
            for (int i = 0; i < programs; ++i) RandomProgram(seed + i, options, layouts).run();
    }
    alarm(0);
    return finish("refused_calls", seed);
}
