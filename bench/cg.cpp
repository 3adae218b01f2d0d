// Times conjugate gradients with sparse matrices whose rows are dealt to all ranks: the entries of
// p by one alltoallv, two sums by one allreduce each, in the host's forms and in Carpool's,
// interleaved. Prints one JSON object per line. Arguments: seconds of timing per case, seed, cases.
// A case is a graph of tests/graphs and how many rows each of its vertices has.
//
//     tools/launch -n 16 cg 1 1 airfoil-16/16 bar-32/1

#include "program.hpp"
#include "race.hpp"
#include "sparse_rows.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using bench::check;
using bench::Communicator;
using bench::Racer;
using bench::SparseRows;

constexpr int iterations = 10;  // in each repetition, from the start

/// What conjugate gradients need of other ranks.
struct Together {
    std::function<void()> exchange;          ///< brings others' entries of p
    std::function<double(double mine)> sum;  ///< over all ranks
    std::optional<Carpool_Plan> plan = {};
};

/// The vectors of this rank.
struct Vectors {
    explicit Vectors(SparseRows& rows)
        : a(rows),
          p(static_cast<std::size_t>(rows.entries())),
          x(static_cast<std::size_t>(rows.rows())),
          r(x.size()),
          ap(x.size()),
          b(x.size()) {}

    double* others() { return p.data() + x.size(); }

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

/// Starts from zero. Gives the square of the residual over that of the right side.
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

/// The right side whose solution is known.
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

/// Where the calls of one way go to: a graph, and a communicator of all ranks.
struct Place {
    MPI_Comm graph, all;
};

/// One of MPI's or Carpool's ways; makes what it needs on a place.
struct Way {
    std::string name;
    std::function<Together(Vectors&, Place)> on;
};

template <class Exchange, class... More>
int exchange_by(Exchange exchange, Vectors& v, MPI_Comm graph, More... more) {
    auto& h = v.a.halo();
    return exchange(h.out.data(), h.sendcounts.data(), h.sdispls.data(), MPI_DOUBLE, v.others(),
                    h.recvcounts.data(), h.rdispls.data(), MPI_DOUBLE, graph, more...);
}

double host_sum(double mine, MPI_Comm all) {
    check(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_SUM, all));
    return mine;
}

Together blocking(Vectors& v, Place place) {
    return {[&v, place] { check(exchange_by(MPI_Neighbor_alltoallv, v, place.graph)); },
            [place](double mine) { return host_sum(mine, place.all); }};
}

Together nonblocking(Vectors& v, Place place) {
    return {[&v, place] {
                MPI_Request request = MPI_REQUEST_NULL;
                check(exchange_by(MPI_Ineighbor_alltoallv, v, place.graph, &request));
                check(MPI_Wait(&request, MPI_STATUS_IGNORE));
            },
            [place](double mine) {
                MPI_Request request = MPI_REQUEST_NULL;
                double sum = 0;
                check(MPI_Iallreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, place.all, &request));
                check(MPI_Wait(&request, MPI_STATUS_IGNORE));
                return sum;
            }};
}

/// What a persistent sum adds up, at addresses that stay.
struct Sum {
    double mine = 0, all = 0;
};

Together persistent(Vectors& v, Place place) {
    MPI_Request exchange = MPI_REQUEST_NULL, sum = MPI_REQUEST_NULL;
    const auto values = std::make_shared<Sum>();
    check(exchange_by(MPI_Neighbor_alltoallv_init, v, place.graph, MPI_INFO_NULL, &exchange));
    check(MPI_Allreduce_init(&values->mine, &values->all, 1, MPI_DOUBLE, MPI_SUM, place.all,
                             MPI_INFO_NULL, &sum));
    const auto done = [](const std::shared_ptr<bench::HostRequest>& request) {
        check(MPI_Start(request->address()));
        check(MPI_Wait(request->address(), MPI_STATUS_IGNORE));
    };
    const auto exchanging = std::make_shared<bench::HostRequest>(exchange);
    const auto summing = std::make_shared<bench::HostRequest>(sum);
    return {[=] { done(exchanging); },
            [=](double mine) {
                values->mine = mine;
                done(summing);
                return values->all;
            }};
}

std::function<void()> by_request(Vectors& v, MPI_Comm graph, std::optional<Carpool_Plan>& plan) {
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    check(exchange_by(Carpool_Neighbor_alltoallv_init, v, graph, MPI_INFO_NULL, &request));
    auto racer = bench::racer_of("", request);
    plan = racer.plan;
    return racer.run;
}

Together carpool_call(Vectors& v, Place place) {
    return {[&v, place] { check(exchange_by(Carpool_Neighbor_alltoallv, v, place.graph)); },
            [place](double mine) { return host_sum(mine, place.all); }};
}

Together carpool_request(Vectors& v, Place place) {
    Together together;
    together.exchange = by_request(v, place.graph, together.plan);
    together.sum = [place](double mine) { return host_sum(mine, place.all); };
    return together;
}

/// The sums by Carpool too.
Together carpool_requests(Vectors& v, Place place) {
    Together together;
    together.exchange = by_request(v, place.graph, together.plan);
    const auto values = std::make_shared<Sum>();
    Carpool_Request sum = CARPOOL_REQUEST_NULL;
    check(Carpool_Allreduce_init(&values->mine, &values->all, 1, MPI_DOUBLE, MPI_SUM, place.all,
                                 MPI_INFO_NULL, &sum));
    together.sum = [values, add = bench::racer_of("", sum).run](double mine) {
        values->mine = mine;
        add();
        return values->all;
    };
    return together;
}

const std::vector<Way> ways{
    {"host blocking", blocking},          {"host nonblocking", nonblocking},
    {"host persistent", persistent},      {"Carpool call", carpool_call},
    {"Carpool request", carpool_request}, {"Carpool requests", carpool_requests}};

/// Seconds of a way's inits and of its first product and sum, on communicators of its own.
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
        const auto together = way.on(v, {graph.get(), all.get()});
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

void race(const std::string& name, double budget, std::mt19937_64& random) {
    const auto words = bench::split(name, '/');
    if (words.size() != 2) throw std::runtime_error("a case reads GRAPH/ROWS, not " + name);
    SparseRows rows(bench::vertex_graph(words[0]), std::stoi(words[1]), MPI_COMM_WORLD);
    Vectors v(rows);
    const auto graph = bench::graph_of(rows.halo());
    const Place place{graph.get(), MPI_COMM_WORLD};
    std::vector<Racer> racers;
    set_right_side(v, blocking(v, place));
    auto event = about(name, rows);
    bench::json::object setup;
    for (const auto& way : ways) {
        const auto together = way.on(v, place);
        verify(way.name, v, together);
        racers.push_back(
            {way.name, [&v, together] { solve(v, together, iterations); }, together.plan});
        setup[way.name] = setup_seconds(way, v);
    }
    event["setup"] = std::move(setup);
    int rank = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    bench::emit_race(std::move(event), racers, budget, random, MPI_COMM_WORLD, rank);
}

void run(int argc, char** argv) {
    if (argc < 4) throw std::runtime_error("usage: cg SECONDS SEED CASE…");
    const std::uint64_t seed = std::stoull(argv[2]);
    bench::emit_run({{"seed", seed}, {"budget", std::stod(argv[1])}}, MPI_COMM_WORLD);
    std::mt19937_64 random(seed);
    for (int i = 3; i < argc; ++i) race(argv[i], std::stod(argv[1]), random);
}

}  // namespace

int main(int argc, char** argv) { return bench::program("cg", argc, argv, run); }
