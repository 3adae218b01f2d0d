// Times programs whose calls differ each time, in the host's forms and in Carpool's, interleaved.
// Prints one JSON object per line. Arguments: seconds of timing per case, seed, cases.
//
//   particles/D/N  on a torus of D dimensions about N particles of 48 bytes leave for each of the
//                  3^D - 1 neighbors in a step, which first tells how many, into vectors as long
//   gmres/N        30 steps of GMRES on N x N unknowns per rank: each makes a vector of the Krylov
//                  space, exchanges its halo, and sums one scalar product more than the last
//
//     tools/launch -n 8 changing 1 1 particles/3/20 gmres/32

#include "changing_calls.hpp"
#include "program.hpp"
#include "race.hpp"
#include "timing.hpp"

#include <mpi.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using bench::check;
using bench::Communicator;
using bench::changing::Calls;

/// All ranks on a torus of so many dimensions.
Communicator torus(int dimensions) {
    int ranks = 0;
    check(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    const auto d = static_cast<std::size_t>(dimensions);
    std::vector<int> dims(d, 0), periods(d, 1);
    check(MPI_Dims_create(ranks, dimensions, dims.data()));
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims.data(), periods.data(), 0, &comm));
    return Communicator(comm);
}

/// Ranks by all offsets of 0 and ±1 but the zero vector, and by the opposite ones.
struct Neighbors {
    std::vector<int> targets, sources;
};

Neighbors around(MPI_Comm cart, int dimensions) {
    int rank = 0;
    check(MPI_Comm_rank(cart, &rank));
    std::vector<int> here(static_cast<std::size_t>(dimensions));
    check(MPI_Cart_coords(cart, rank, dimensions, here.data()));
    int all = 1;
    for (int d = 0; d < dimensions; ++d) all *= 3;
    Neighbors neighbors;
    for (int number = 0; number < all; ++number) {
        if (number == all / 2) continue;
        auto to = here, from = here;
        for (int d = 0, rest = number; d < dimensions; ++d, rest /= 3) {
            to[static_cast<std::size_t>(d)] += rest % 3 - 1;
            from[static_cast<std::size_t>(d)] -= rest % 3 - 1;
        }
        check(MPI_Cart_rank(cart, to.data(), &neighbors.targets.emplace_back()));
        check(MPI_Cart_rank(cart, from.data(), &neighbors.sources.emplace_back()));
    }
    return neighbors;
}

/// Up, down, left and right on a torus of two dimensions.
Neighbors beside(MPI_Comm cart) {
    Neighbors neighbors;
    for (int d = 0; d < 2; ++d) {
        int before = 0, behind = 0;
        check(MPI_Cart_shift(cart, d, 1, &before, &behind));
        neighbors.targets.insert(neighbors.targets.end(), {before, behind});
        neighbors.sources.insert(neighbors.sources.end(), {behind, before});
    }
    return neighbors;
}

Communicator graph_of(const Neighbors& n) {
    MPI_Comm graph = MPI_COMM_NULL;
    const auto degree = static_cast<int>(n.targets.size());
    check(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, n.sources.data(), MPI_UNWEIGHTED,
                                         degree, n.targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                         &graph));
    return Communicator(graph);
}

std::vector<int> places_of(const std::vector<int>& counts) {
    std::vector<int> places;
    int end = 0;
    for (const int count : counts) {
        places.push_back(end);
        end += count;
    }
    places.push_back(end);
    return places;
}

/// Particles that move between neighbors at random; all ranks know of all steps who moves.
class Particles {
public:
    Particles(int dimensions, int mean)
        : cart_(torus(dimensions)),
          neighbors_(around(cart_.get(), dimensions)),
          graph_(graph_of(neighbors_)),
          mean_(mean) {
        check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_));
    }

    void step(const Calls& calls) {
        ++step_;
        const auto t = neighbors_.targets.size();
        std::vector<int> leaving(t), coming(t);
        for (std::size_t i = 0; i < t; ++i) leaving[i] = how_many(rank_, i);
        check(calls.alltoall(leaving.data(), 1, coming.data(), graph_.get()));
        const auto from = places_of(leaving), to = places_of(coming);
        const std::vector<Particle> sent(static_cast<std::size_t>(from.back()) + 1, {1.0 * rank_});
        std::vector<Particle> come(static_cast<std::size_t>(to.back()) + 1);
        check(calls.alltoallv(sent.data(), leaving.data(), from.data(), come.data(), coming.data(),
                              to.data(), particle(), graph_.get()));
        for (std::size_t i = 0; i < t; ++i) {
            const int source = neighbors_.sources[i];
            if (coming[i] != how_many(source, i))
                throw std::runtime_error("wrong counts have come");
            for (int k = to[i]; k < to[i + 1]; ++k)
                if (come[static_cast<std::size_t>(k)].values[0] != source)
                    throw std::runtime_error("a wrong particle has come");
        }
    }

private:
    struct Particle {
        double values[6];
    };

    static MPI_Datatype particle() {
        static const MPI_Datatype type = [] {
            MPI_Datatype six = MPI_DATATYPE_NULL;
            check(MPI_Type_contiguous(6, MPI_DOUBLE, &six));
            check(MPI_Type_commit(&six));
            return six;
        }();
        return type;
    }

    /// The same on all ranks, of any rank.
    int how_many(int rank, std::size_t neighbor) const {
        constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
        auto bits =
            (static_cast<std::uint64_t>(step_) << 32 | static_cast<unsigned>(rank) << 8) + neighbor;
        for (int i = 0; i < 2; ++i) bits = (bits ^ bits >> 29) * golden;
        return static_cast<int>((bits >> 32) % static_cast<unsigned>(2 * mean_ + 1));
    }

    Communicator cart_;
    Neighbors neighbors_;
    Communicator graph_;
    int mean_;
    int rank_ = 0;
    std::int64_t step_ = 0;
};

/// Arnoldi's process for the five-point Laplacian on a torus of squares, one per rank.
class Gmres {
public:
    explicit Gmres(int edge) : graph_(graph_of(beside(torus(2).get()))), edge_(edge) {
        check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_));
    }

    /// The sum of all coefficients, which all forms find alike but for the order of sums.
    double solve(const Calls& calls) {
        constexpr int steps = 30;
        std::vector<std::vector<double>> basis{begun()};
        double all = scale(basis.front(), calls);
        for (int step = 0; step < steps; ++step) {
            auto next = product(basis.back(), calls);
            std::vector<double> mine, sums(basis.size());
            for (const auto& one : basis) mine.push_back(dot(one, next));
            check(calls.allreduce(mine.data(), sums.data(), static_cast<int>(sums.size()),
                                  MPI_COMM_WORLD));
            for (std::size_t k = 0; k < basis.size(); ++k) {
                all += sums[k];
                for (std::size_t i = 0; i < next.size(); ++i) next[i] -= sums[k] * basis[k][i];
            }
            all += scale(next, calls);
            basis.push_back(std::move(next));
        }
        return all;
    }

private:
    std::size_t at(int row, int column) const {
        return static_cast<std::size_t>(row * edge_ + column);
    }

    std::vector<double> begun() const {
        std::vector<double> result(at(edge_, 0));
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = std::sin(static_cast<double>(i * 7 + static_cast<std::size_t>(rank_) * 13));
        return result;
    }

    static double dot(const std::vector<double>& a, const std::vector<double>& b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
        return sum;
    }

    static double scale(std::vector<double>& vector, const Calls& calls) {
        const double mine = dot(vector, vector);
        double sum = 0;
        check(calls.allreduce(&mine, &sum, 1, MPI_COMM_WORLD));
        const double norm = std::sqrt(sum);
        for (auto& value : vector) value /= norm;
        return norm;
    }

    /// What goes up comes from below.
    std::vector<double> product(const std::vector<double>& of, const Calls& calls) const {
        const auto n = static_cast<std::size_t>(edge_);
        std::vector<double> out(4 * n), in(4 * n);
        for (int i = 0; i < edge_; ++i) {
            const auto k = static_cast<std::size_t>(i);
            out[k] = of[at(0, i)];
            out[n + k] = of[at(edge_ - 1, i)];
            out[2 * n + k] = of[at(i, 0)];
            out[3 * n + k] = of[at(i, edge_ - 1)];
        }
        check(calls.alltoall_of_doubles(out.data(), edge_, in.data(), graph_.get()));
        std::vector<double> result(of.size());
        for (int row = 0; row < edge_; ++row)
            for (int column = 0; column < edge_; ++column) {
                const auto r = static_cast<std::size_t>(row), c = static_cast<std::size_t>(column);
                const double up = row > 0 ? of[at(row - 1, column)] : in[n + c];
                const double down = row + 1 < edge_ ? of[at(row + 1, column)] : in[c];
                const double left = column > 0 ? of[at(row, column - 1)] : in[3 * n + r];
                const double right = column + 1 < edge_ ? of[at(row, column + 1)] : in[2 * n + r];
                result[at(row, column)] = 4 * of[at(row, column)] - up - down - left - right;
            }
        return result;
    }

    Communicator graph_;
    int edge_;
    int rank_ = 0;
};

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
    const double right = gmres.solve(bench::changing::all_calls.front());
    const auto solve = [&](const Calls& calls) {
        if (std::abs(gmres.solve(calls) - right) > 1e-6 * std::abs(right))
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
