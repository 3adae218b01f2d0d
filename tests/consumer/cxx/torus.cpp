// SPDX-License-Identifier: MIT
// Built as a user would, by find_package: every rank hears from its eight neighbors on a torus,
// three times over one persistent request.
#include <carpool/carpool.h>

#include <array>
#include <cstdio>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    const std::array dims{2, ranks / 2};
    const std::array periods{1, 1};
    const std::array offsets{-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1};
    MPI_Comm torus = MPI_COMM_NULL;
    Carpool_Cart_neighborhood_create(MPI_COMM_WORLD, 2, dims.data(), periods.data(), 8,
                                     offsets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &torus);

    int rank = 0;
    MPI_Comm_rank(torus, &rank);
    int word = 0;
    std::array<int, 8> heard{};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    Carpool_Neighbor_allgather_init(&word, 1, MPI_INT, heard.data(), 1, MPI_INT, torus,
                                    MPI_INFO_NULL, &request);

    bool right = true;
    for (int round = 1; round <= 3; ++round) {
        word = 100 * round + rank;
        heard.fill(-1);
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
        for (std::size_t i = 0; i < heard.size(); ++i) {
            int source = 0;
            int target = 0;
            Carpool_Cart_relative_shift(torus, &offsets[2 * i], &source, &target);
            if (heard[i] != 100 * round + source) {
                std::printf("rank %d, round %d: block %zu says %d, expected %d\n", rank, round, i,
                            heard[i], 100 * round + source);
                right = false;
            }
        }
    }
    Carpool_Request_free(&request);
    MPI_Comm_free(&torus);
    MPI_Finalize();
    return right ? 0 : 1;
}
