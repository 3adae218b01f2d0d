// SPDX-License-Identifier: MIT
// Times conjugate gradients with sparse matrices whose rows are distributed over all ranks: one
// alltoallv for the entries of p and one allreduce for each of two sums, in the host MPI's forms
// and in Carpool's, interleaved. Prints one JSON object per line. Arguments: seconds of timing per
// case, seed, cases. A case is a graph of tests/graphs and the number of rows for each of its
// vertices.
//
//     tools/launch -n 16 cg 1 1 airfoil-16/16 bar-32/1

#include "cg_ways.hpp"
#include "program.hpp"
#include "race.hpp"
#include "sparse_rows.hpp"
#include "timing.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using bench::check;
using bench::Communicator;
using bench::Racer;
using bench::SparseRows;
using bench::cg::Place;
using bench::cg::Together;
using bench::cg::Way;

constexpr int iterations = 10;  // in each repetition, which begins anew

/// The vectors of this rank.
struct Vectors {
    explicit Vectors(SparseRows& rows)
        : a(rows),
          p(static_cast<std::size_t>(rows.entries())),
          x(static_cast<std::size_t>(rows.rows())),
          r(x.size()),
          ap(x.size()),
          b(x.size()) {}

    /// The place where a form stores other ranks' entries of p.
    Place on(MPI_Comm graph, MPI_Comm all) { return {a.halo(), p.data() + x.size(), graph, all}; }

    SparseRows& a;
    std::vector<double> p, x, r, ap, b;
};

double solution(std::int64_t row) { return std::sin(0.1 * static_cast<double>(row)) + 1; }

double dot(const Vectors& v, const std::vector<double>& left, const std::vector<double>& right,
           const Together& by) {
    double mine = 0;
    for (std::size_t i = 0; i < v.x.size(); ++i) mine += left[i] * right[i];
    return by.sum(mine);
}

void multiply(Vectors& v, const Together& by) {
    v.a.pack(v.p);
    by.exchange();
    v.a.multiply(v.p, v.ap);
}

/// Solves from x = 0. Returns the square of the residual over that of the right-hand side.
double solve(Vectors& v, const Together& by, int most) {
    std::fill(v.x.begin(), v.x.end(), 0.0);
    v.r = v.b;
    std::copy(v.b.begin(), v.b.end(), v.p.begin());
    const double bb = dot(v, v.b, v.b, by);
    double rr = bb;
    for (int i = 0; i < most && rr > 1e-24 * bb; ++i) {
        multiply(v, by);
        const double alpha = rr / dot(v, v.p, v.ap, by);
        for (std::size_t k = 0; k < v.x.size(); ++k) {
            v.x[k] += alpha * v.p[k];
            v.r[k] -= alpha * v.ap[k];
        }
        const double before = rr;
        rr = dot(v, v.r, v.r, by);
        for (std::size_t k = 0; k < v.x.size(); ++k) v.p[k] = v.r[k] + rr / before * v.p[k];
    }
    return rr / bb;
}

/// Sets a right-hand side whose solution is known.
void set_right_side(Vectors& v, const Together& by) {
    for (std::size_t k = 0; k < v.x.size(); ++k)
        v.p[k] = solution(v.a.first_row() + static_cast<std::int64_t>(k));
    multiply(v, by);
    v.b = v.ap;
}

/// @note Collective
void verify(const std::string& name, Vectors& v, const Together& by) {
    std::fill(v.p.begin(), v.p.end(), std::nan(""));
    solve(v, by, 10 * v.a.whole());
    double error = 0;
    for (std::size_t k = 0; k < v.x.size(); ++k) {
        const double off = v.x[k] - solution(v.a.first_row() + static_cast<std::int64_t>(k));
        error = std::isnan(off) ? 1 : std::max(error, std::abs(off));
    }
    if (bench::largest(error, MPI_COMM_WORLD) > 1e-9)
        throw std::runtime_error(name + " does not find the solution");
}

/// Seconds of a form's inits and of its first product and sum, on communicators of its own.
/// @note Collective
double setup_seconds(const Way& way, Vectors& v) {
    std::vector<double> seconds;
    for (int repetition = 0; repetition < 5; ++repetition) {
        const auto graph = bench::graph_of(v.a.halo());
        MPI_Comm copy = MPI_COMM_NULL;
        check(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
        const Communicator all(copy);
        check(MPI_Barrier(MPI_COMM_WORLD));
        const double began = MPI_Wtime();
        const auto together = way.on(v.on(graph.get(), all.get()));
        together.exchange();
        together.sum(1);
        seconds.push_back(bench::largest(MPI_Wtime() - began, MPI_COMM_WORLD));
    }
    return bench::quartiles(seconds).median;
}

bench::json::object about(const std::string& name, SparseRows& rows) {
    const auto& halo = rows.halo();
    const double degree = static_cast<double>(halo.neighbors.size());
    double sums[] = {degree, static_cast<double>(halo.out.size() * sizeof(double))};
    int ranks = 0;
    check(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    check(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    return {{"event", "cg"},
            {"case", name},
            {"rows", rows.whole()},
            {"iterations", iterations},
            {"neighbors", sums[0] / ranks},
            {"most_neighbors", bench::largest(degree, MPI_COMM_WORLD)},
            {"bytes", sums[1] / ranks}};
}

void race(const std::string& name, bench::Timing& timing) {
    const auto words = bench::split(name, '/');
    if (words.size() != 2) throw std::runtime_error("a case reads GRAPH/ROWS, not " + name);
    SparseRows rows(bench::vertex_graph(words[0]), std::stoi(words[1]), MPI_COMM_WORLD);
    Vectors v(rows);
    const auto graph = bench::graph_of(rows.halo());
    const auto place = v.on(graph.get(), MPI_COMM_WORLD);
    std::vector<Racer> racers;
    set_right_side(v, bench::cg::blocking(place));
    auto event = about(name, rows);
    bench::json::object setup;
    for (const auto& way : bench::cg::ways) {
        const auto together = way.on(place);
        verify(way.name, v, together);
        racers.push_back(
            {way.name, [&v, together] { solve(v, together, iterations); }, together.plan});
        setup[way.name] = setup_seconds(way, v);
    }
    event["setup"] = std::move(setup);
    int rank = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    bench::emit_race(std::move(event), racers, timing, MPI_COMM_WORLD, rank);
}

void run(int argc, char** argv) {
    if (argc < 4) throw std::runtime_error("usage: cg SECONDS SEED CASE…");
    auto timing = bench::timing_of(argv);
    for (int i = 3; i < argc; ++i) race(argv[i], timing);
}

}  // namespace

int main(int argc, char** argv) { return bench::program("cg", argc, argv, run); }
