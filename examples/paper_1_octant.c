/* SPDX-License-Identifier: MIT */
/* The positive octant of paper 1, section 2: mpiexec -n 6 ./paper_1_octant
 *
 * Every rank sends a block to each of seven neighbors, three times with one schedule. */
#include <carpool/papers.h>
#include <stdio.h>

enum { S = 7, M = 3 };

int main(int argc, char **argv)
{
    const int periods[3] = {1, 1, 1};
    int dims[3] = {0}, size, rank, wrong = 0;
    int sendbuf[S][M], recvbuf[S][M];
    MPI_Comm cartcomm, isocomm;
    Iso_request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &cartcomm);
    MPI_Comm_rank(cartcomm, &rank);

    /* As printed in the paper, with all 21 coordinates: */
    /* clang-format off */
    int octant[] =
    {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1};
    Iso_neighborhood_create(cartcomm,
        7, octant, &isocomm);
    /* clang-format on */

    Iso_neighbor_alltoall_init(sendbuf, M, MPI_INT, recvbuf, M, MPI_INT, isocomm, &request);
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < S; i++)
            for (int k = 0; k < M; k++) sendbuf[i][k] = 1000 * step + 100 * rank + 10 * i + k;
        Iso_start(&request);
        Iso_wait(&request);
        for (int i = 0; i < S; i++) {
            int source, target;
            Cart_relative_shift(isocomm, octant + 3 * i, &source, &target);
            for (int k = 0; k < M; k++)
                wrong += recvbuf[i][k] != 1000 * step + 100 * source + 10 * i + k;
        }
    }
    printf("rank %d of %d: %d wrong numbers\n", rank, size, wrong);
    Iso_request_free(&request);
    MPI_Comm_free(&isocomm);
    MPI_Comm_free(&cartcomm);
    MPI_Finalize();
    return wrong != 0;
}
