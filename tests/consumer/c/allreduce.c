/* SPDX-License-Identifier: MIT */
/* Built as a user would, on collectives.h alone: a sum over all ranks, planned at once and planned
 * by its first start, each started three times. */
#include <carpool/collectives.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    int word = 0, sums[2], wrong = 0;
    Carpool_Request requests[2];
    Carpool_Allreduce_init(&word, &sums[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &requests[0]);
    Carpool_Iallreduce_init(&word, &sums[1], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                            &requests[1]);

    for (int round = 1; round <= 3; ++round) {
        const int expected = ranks * 100 * round + ranks * (ranks - 1) / 2;
        word = 100 * round + rank;
        sums[0] = sums[1] = -1;
        Carpool_Startall(2, requests);
        Carpool_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 2; ++i) {
            if (sums[i] != expected) {
                printf("rank %d, round %d: sum %d is %d, expected %d\n", rank, round, i, sums[i],
                       expected);
                wrong = 1;
            }
        }
    }
    Carpool_Request_free(&requests[0]);
    Carpool_Request_free(&requests[1]);
    MPI_Finalize();
    return wrong;
}
