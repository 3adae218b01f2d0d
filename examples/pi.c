/* SPDX-License-Identifier: MIT */
/* Replaces an MPI_Allreduce in a loop by an init before the loop and a start and wait in it: the
 * collective is checked, chosen and planned once. Sums over all ranks approximate pi more and more
 * closely.
 *
 *   tools/launch -n 4 build/mpich-dev/examples/pi
 */
#include <carpool/collectives.h>

#include <math.h>
#include <stdio.h>

/* This rank's share of the midpoint rule for the integral of 4 / (1 + x^2) from 0 to 1. */
static double share(int rank, int size, long intervals)
{
    double sum = 0;
    for (long i = rank; i < intervals; i += size) {
        const double x = ((double)i + 0.5) / (double)intervals;
        sum += 4 / (1 + x * x);
    }
    return sum / (double)intervals;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    double mine, pi = 0, before;
    Carpool_Request sum;
    Carpool_Allreduce_init(&mine, &pi, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &sum);
    Carpool_Plan plan;
    Carpool_Request_get_plan(sum, &plan);

    long intervals = 1;
    do {
        before = pi;
        intervals *= 2;
        mine = share(rank, size, intervals);
        Carpool_Start(&sum);
        Carpool_Wait(&sum, MPI_STATUS_IGNORE);
    } while (fabs(pi - before) > 1e-10); /* the sums are the same on all ranks */

    if (rank == 0)
        printf("pi is %.9f, from %ld intervals; each sum by %s, %d messages of this rank\n", pi,
               intervals, plan.algorithm, (int)plan.messages);
    Carpool_Request_free(&sum);
    MPI_Finalize();
    return fabs(pi - 3.14159265358979) < 1e-8 ? 0 : 1;
}
