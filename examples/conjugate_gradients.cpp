// SPDX-License-Identifier: MIT
// Solves A x = b by conjugate gradients, as conjugate_gradients.c does, in C++:
//
//   tools/launch -n 4 build/mpich-dev/examples/conjugate_gradients_cxx [rows]
//
// Row i of A has entries at i, i +- 1 and i +- 20. Before each product A p a rank needs entries of
// p that other ranks own. It has ghosts of these, which one persistent request updates each time.
#include <carpool/carpool.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace {

using Indices = std::vector<int>;
using Vector = std::vector<double>;

constexpr int width = 20;

/// The diagonal outweighs the other entries, so A is positive definite.
double entry(int i, int j) { return i == j ? 4.5 : -1; }

double solution(int i) { return std::sin(0.1 * i) + 1; }

Indices columns_of(int n, int i) {
    Indices columns;
    for (const int j : {i - width, i - 1, i, i + 1, i + width})
        if (j >= 0 && j < n) columns.push_back(j);
    return columns;
}

double right_side(int n, int i) {
    double sum = 0;
    for (const int j : columns_of(n, i)) sum += entry(i, j) * solution(j);
    return sum;
}

/// The rows are dealt out in equal parts, in the order of ranks.
struct Rows {
    int n, ranks, rank;

    int begin_of(int r) const { return static_cast<int>(static_cast<long long>(r) * n / ranks); }
    int begin() const { return begin_of(rank); }
    int end() const { return begin_of(rank + 1); }
    int size() const { return end() - begin(); }
    bool own(int row) const { return row >= begin() && row < end(); }
    /// The first row of each rank, and the end of the last one.
    std::vector<MPI_Count> ranges() const {
        std::vector<MPI_Count> all;
        for (int r = 0; r <= ranks; ++r) all.push_back(begin_of(r));
        return all;
    }
};

/// The rows of other ranks that this rank reads, in ascending order.
std::vector<MPI_Count> wanted(const Rows& rows) {
    std::set<MPI_Count> found;
    for (int i = rows.begin(); i < rows.end(); ++i)
        for (const int j : columns_of(rows.n, i))
            if (!rows.own(j)) found.insert(j);
    return {found.begin(), found.end()};
}

/// The product with A and sums over all ranks, planned once and started in every iteration.
class Operator {
public:
    Operator(const carpool::Ranks& world, const Rows& rows)
        : rows_(rows),
          reads_(wanted(rows)),
          ghosts_(world.comm(), rows.ranges(), reads_),
          p_(static_cast<std::size_t>(rows.size())),
          p_ghosts_(reads_.size()),
          update_(ghosts_.update_init(p_, p_ghosts_)),
          sum_(world.allreduce_init(mine_, all_, MPI_SUM)) {}
    Operator(const Operator&) = delete;  // requests hold the addresses of its members
    Operator& operator=(const Operator&) = delete;

    void multiply(const Vector& p, Vector& product) {
        std::ranges::copy(p, p_.begin());
        update_.run();
        for (int i = rows_.begin(); i < rows_.end(); ++i) {
            product[place(i)] = 0;
            for (const int j : columns_of(rows_.n, i))
                product[place(i)] += entry(i, j) * (rows_.own(j) ? p[place(j)] : ghost_value(j));
        }
    }

    double dot(const Vector& a, const Vector& b) {
        mine_ = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
        sum_.run();
        return all_;
    }

private:
    std::size_t place(int row) const { return static_cast<std::size_t>(row - rows_.begin()); }

    double ghost_value(int row) const {
        const auto at = std::ranges::lower_bound(reads_, row);
        return p_ghosts_[static_cast<std::size_t>(at - reads_.begin())];
    }

    Rows rows_;
    std::vector<MPI_Count> reads_;
    carpool::Ghosts ghosts_;
    Vector p_, p_ghosts_;
    double mine_ = 0, all_ = 0;
    carpool::Request update_, sum_;
};

void add(Vector& to, double factor, const Vector& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

/// Returns the number of iterations until the residual is small relative to b.
int solve(Operator& a, const Vector& b, Vector& x) {
    Vector r = b, p = b, ap(b.size());
    double rr = a.dot(r, r);
    const double small = 1e-24 * rr;
    int iterations = 0;
    for (; rr > small && iterations < 1000; ++iterations) {
        a.multiply(p, ap);
        const double alpha = rr / a.dot(p, ap);
        add(x, alpha, p);
        add(r, -alpha, ap);
        const double before = std::exchange(rr, a.dot(r, r));
        for (std::size_t i = 0; i < p.size(); ++i) p[i] = r[i] + rr / before * p[i];
    }
    return iterations;
}

bool is_right(int n) {
    const auto world = carpool::Communicator::duplicate_of(MPI_COMM_WORLD);
    const Rows rows{n, world.size(), world.rank()};
    Vector b, x(static_cast<std::size_t>(rows.size()));
    for (int i = rows.begin(); i < rows.end(); ++i) b.push_back(right_side(n, i));

    Operator a(world, rows);
    const int iterations = solve(a, b, x);

    double error = 0;
    for (int i = rows.begin(); i < rows.end(); ++i)
        error =
            std::max(error, std::abs(x[static_cast<std::size_t>(i - rows.begin())] - solution(i)));
    error = world.allreduce(error, MPI_MAX);
    if (world.rank() == 0)
        std::cout << n << " rows, " << iterations << " iterations, error " << error << '\n';
    return error < 1e-9;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const bool right = is_right(argc > 1 ? std::atoi(argv[1]) : 2000);
    MPI_Finalize();
    return right ? 0 : 1;
}
