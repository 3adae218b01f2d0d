/* SPDX-License-Identifier: MIT */
/* Every rank of a torus learns who its four neighbors are: mpiexec -n 6 ./hello_neighbors */
#include <carpool/carpool.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const int offsets[] = {0, 1, 0, -1, 1, 0, -1, 0};
    const int periods[] = {1, 1};
    int dims[] = {0, 0}, size, rank, from[4], left, right;
    MPI_Comm torus;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    Carpool_Cart_neighborhood_create(MPI_COMM_WORLD, 2, dims, periods, 4, offsets, MPI_UNWEIGHTED,
                                     MPI_INFO_NULL, 0, &torus);

    /* Block 0 belongs to offset (0, 1), so it comes from the left neighbor, at offset (0, -1). */
    MPI_Comm_rank(torus, &rank);
    Carpool_Neighbor_allgather(&rank, 1, MPI_INT, from, 1, MPI_INT, torus);
    printf("rank %d: left %d, right %d, above %d, below %d\n", rank, from[0], from[1], from[2],
           from[3]);

    MPI_Cart_shift(torus, 1, 1, &left, &right);
    MPI_Comm_free(&torus);
    MPI_Finalize();
    return from[0] != left || from[1] != right;
}
