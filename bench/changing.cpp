// SPDX-License-Identifier: MIT
// Times programs whose calls differ each time, in the host MPI's forms and in Carpool's,
// interleaved. Prints one JSON object per line. Arguments: seconds of timing per case, seed, cases.
//
//   particles/D/N  On a torus of D dimensions about N particles of 48 bytes are sent to each of
//                  the 3^D - 1 neighbors in a step, after an exchange of their numbers.
//   gmres/N        30 steps of GMRES on N x N unknowns per rank. Each makes a vector of the Krylov
//                  space, exchanges its halo, and sums one scalar product more than the last.
//
//     tools/launch -n 8 changing 1 1 particles/3/20 gmres/32

#include "changing_calls.hpp"
#include "check.hpp"
#include "gmres.hpp"
#include "particles.hpp"
#include "program.hpp"
#include "race.hpp"
#include "timing.hpp"

#include <mpi.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using bench::check;
using bench::changing::Calls;
using bench::changing::Gmres;
using bench::changing::Particles;

template <typename Program>
void race(const std::string& name, const Program& program, bench::Timing& timing) {
    std::vector<bench::Racer> racers;
    for (const auto& calls : bench::changing::all_calls)
        racers.push_back({calls.name, [&program, &calls] { program(calls); }});
    for (const auto& racer : racers) racer.run();
    int rank = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    bench::emit_race({{"event", "changing"}, {"case", name}}, racers, timing, MPI_COMM_WORLD, rank);
}

void race_particles(const std::string& name, int dimensions, int mean, bench::Timing& timing) {
    Particles particles(dimensions, mean);
    race(name, [&](const Calls& calls) { particles.step(calls); }, timing);
}

void race_gmres(const std::string& name, int edge, bench::Timing& timing) {
    Gmres gmres(edge);
    const double expected = gmres.solve(bench::changing::all_calls.front());
    const auto solve = [&](const Calls& calls) {
        if (std::abs(gmres.solve(calls) - expected) > 1e-6 * std::abs(expected))
            throw std::runtime_error(std::string(calls.name) + " finds other coefficients");
    };
    race(name, solve, timing);
}

void race_case(const std::string& name, bench::Timing& timing) {
    const auto words = bench::split(name, '/');
    if (words.size() == 3 && words[0] == "particles")
        race_particles(name, std::stoi(words[1]), std::stoi(words[2]), timing);
    else if (words.size() == 2 && words[0] == "gmres")
        race_gmres(name, std::stoi(words[1]), timing);
    else
        throw std::runtime_error("a case reads particles/D/N or gmres/N, not " + name);
}

void run(int argc, char** argv) {
    if (argc < 4) throw std::runtime_error("usage: changing SECONDS SEED CASE…");
    auto timing = bench::timing_of(argv);
    for (int i = 3; i < argc; ++i) race_case(argv[i], timing);
}

}  // namespace

int main(int argc, char** argv) { return bench::program("changing", argc, argv, run); }
