// SPDX-License-Identifier: MIT
// A program that ends as soon as it has freed a communicator on which it has made a call. The
// messages that ranks exchange about this must be complete before MPI ends.

#include <carpool/collectives.h>

int main(int argc, char* argv[]) {
    MPI_Init(&argc, &argv);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const int one = 1;
    int ranks = 0, sum = 0;
    Carpool_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return sum == ranks ? 0 : 1;
}
