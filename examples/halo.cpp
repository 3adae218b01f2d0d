// SPDX-License-Identifier: MIT
// Halo exchange of a 9-point stencil on a torus of ranks: mpiexec -n 6 ./halo_cxx
//
// halo.c in C++: each rank has N x N cells and a halo one cell wide.
#include <carpool/carpool.hpp>

#include <array>
#include <iostream>
#include <sstream>
#include <vector>

namespace {

using Pair = std::array<int, 2>;
using Matrix = carpool::View<double, 2>;

constexpr int N = 5;

/// The position of a rank on the torus.
struct Place {
    Pair dims, coords;

    /// A number that identifies a cell of the whole torus, by its place in this rank's matrix.
    double content(int row, int column) const {
        const int y = (coords[0] * N + row - 1 + dims[0] * N) % (dims[0] * N);
        const int x = (coords[1] * N + column - 1 + dims[1] * N) % (dims[1] * N);
        return 1.0 + y * dims[1] * N + x;
    }
};

Pair dims_for(int ranks) {
    Pair dims{};
    MPI_Dims_create(ranks, 2, dims.data());
    return dims;
}

Pair coords_on(const carpool::Neighborhood& torus) {
    Pair coords{};
    MPI_Cart_coords(torus.comm(), torus.ranks().rank(), 2, coords.data());
    return coords;
}

void fill(const Matrix& matrix, const Place& place) {
    for (int y = 1; y <= N; ++y)
        for (int x = 1; x <= N; ++x) matrix(y, x) = place.content(y, x);
}

int wrong_cells(const Matrix& matrix, const Place& place) {
    int wrong = 0;
    for (int y = 0; y < N + 2; ++y)
        for (int x = 0; x < N + 2; ++x) wrong += matrix(y, x) != place.content(y, x);
    return wrong;
}

int run() {
    const auto dims = dims_for(carpool::Ranks(MPI_COMM_WORLD).size());
    const auto stencil = carpool::Stencil::moore(2, 1);
    const carpool::Neighborhood torus(MPI_COMM_WORLD, dims, Pair{1, 1}, stencil);
    const Place place{dims, coords_on(torus)};

    std::vector<double> cells((N + 2) * (N + 2));
    const Matrix matrix(cells, {N + 2, N + 2});
    auto exchange = carpool::halo_init(torus, matrix, carpool::Widths<2>::all(1), stencil);

    fill(matrix, place);
    exchange.start();  // these two lines in every step
    exchange.wait();

    const int wrong = wrong_cells(matrix, place);
    std::ostringstream line;
    line << "rank " << torus.ranks().rank() << " of " << torus.ranks().size() << ": " << wrong
         << " wrong cells\n";
    std::cout << line.str();
    return wrong;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int wrong = run();
    MPI_Finalize();
    return wrong != 0;
}
