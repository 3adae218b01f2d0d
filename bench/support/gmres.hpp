// SPDX-License-Identifier: MIT
#pragma once

#include "changing_calls.hpp"
#include "check.hpp"
#include "edges.hpp"
#include "handle.hpp"
#include "torus.hpp"

#include <mpi.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace bench::changing {

/// The edges to the ranks above, below, left and right on a torus of two dimensions.
inline Edges edges_beside() {
    int rank = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    const auto torus = torus_of(MPI_COMM_WORLD, 2);
    Edges edges;
    for (const auto& offset : {std::array{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
        edges.targets.push_back(torus.target(rank, offset));
        edges.sources.push_back(torus.source(rank, offset));
    }
    return edges;
}

/// Arnoldi's process for the five-point Laplacian on a torus of squares, one per rank.
class Gmres {
public:
    explicit Gmres(int edge) : graph_(graph_of(edges_beside())), edge_(edge) {
        check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_));
    }

    /// The sum of all coefficients, which is the same in all forms but for the order of additions.
    double solve(const Calls& calls) {
        constexpr int steps = 30;
        std::vector<std::vector<double>> basis{start_vector()};
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

    std::vector<double> start_vector() const {
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

    /// The Laplacian of a vector. The edge that is sent up arrives from the rank below, so the
    /// first edge of `in` belongs to the rank below.
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
        check(calls.alltoall(out.data(), edge_, MPI_DOUBLE, in.data(), graph_.get()));
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

}  // namespace bench::changing
