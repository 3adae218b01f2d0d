// SPDX-License-Identifier: MIT
// Built as a user would, by find_package, on carpool.hpp: every rank hears from its eight neighbors
// on a torus, and a mistake is an exception.
#include <carpool/carpool.hpp>

#include <array>
#include <iostream>

namespace {

int wrong_values(const carpool::Neighborhood& torus) {
    const auto received = torus.allgather(torus.ranks().rank());
    return received == torus.ranks_around().sources ? 0 : 1;
}

int mistakes_not_told(const carpool::Neighborhood& torus) {
    try {
        (void)torus.allgather_init(carpool::ConstBuffer(), carpool::Buffer(),
                                   {{"carpool_algorithm", "unknown"}});
    } catch (const carpool::Error& error) {
        return error.call() == "Carpool_Neighbor_allgather_init_c" ? 0 : 1;
    }
    return 1;
}

int wrong() {
    const carpool::Ranks world(MPI_COMM_WORLD);
    const std::array dims{2, world.size() / 2};
    const carpool::Neighborhood torus(MPI_COMM_WORLD, dims, std::array{1, 1},
                                      carpool::Stencil::moore(2, 1));
    return wrong_values(torus) + mistakes_not_told(torus);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int faults = wrong();
    if (faults != 0) std::cout << faults << " faults\n";
    MPI_Finalize();
    return faults;
}
