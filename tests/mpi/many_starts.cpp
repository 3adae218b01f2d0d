// Starts a request many times. Run by tests/tools/test_cli_report.py.

#include <carpool/collectives.h>
#include <mpi.h>

#include <cstddef>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int starts = argc > 1 ? std::atoi(argv[1]) : 1;
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<int> sent(static_cast<std::size_t>(ranks), 7), received(sent.size());
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    Carpool_Alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, MPI_COMM_WORLD,
                          MPI_INFO_NULL, &request);
    for (int start = 0; start < starts; ++start) {
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
    }
    Carpool_Request_free(&request);
    MPI_Finalize();
    return received == sent ? EXIT_SUCCESS : EXIT_FAILURE;
}
