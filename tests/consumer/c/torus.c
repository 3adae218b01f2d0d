/* SPDX-License-Identifier: MIT */
/* Built as a user would, by pkg-config: every rank tells its four neighbors on a torus its rank. */
#include <carpool/carpool.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    const int dims[] = {2, ranks / 2}, periods[] = {1, 1};
    const int offsets[] = {-1, 0, 1, 0, 0, -1, 0, 1};
    MPI_Comm torus;
    Carpool_Cart_neighborhood_create(MPI_COMM_WORLD, 2, dims, periods, 4, offsets, MPI_UNWEIGHTED,
                                     MPI_INFO_NULL, 0, &torus);

    int rank, heard[] = {-1, -1, -1, -1}, wrong = 0;
    MPI_Comm_rank(torus, &rank);
    Carpool_Neighbor_allgather(&rank, 1, MPI_INT, heard, 1, MPI_INT, torus);

    for (int i = 0; i < 4; ++i) {
        int source, target;
        Carpool_Cart_relative_shift(torus, &offsets[2 * i], &source, &target);
        if (heard[i] != source) {
            printf("rank %d: block %d says %d, expected %d\n", rank, i, heard[i], source);
            wrong = 1;
        }
    }
    MPI_Comm_free(&torus);
    MPI_Finalize();
    return wrong;
}
