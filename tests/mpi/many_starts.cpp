// SPDX-License-Identifier: MIT
// Starts requests many times, and prints how long that took. Run by tests/tools/test_cli_report.py.
//
//     many_starts STARTS [REQUESTS]    the requests are under way at the same time

#include <carpool/collectives.h>
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int starts = argc > 1 ? std::atoi(argv[1]) : 1;
    const int at_once = argc > 2 ? std::atoi(argv[2]) : 1;
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto n = static_cast<std::size_t>(ranks);
    const std::vector<int> sent(n, 7);
    std::vector<std::vector<int>> received(static_cast<std::size_t>(at_once), std::vector<int>(n));
    std::vector<Carpool_Request> requests(received.size(), CARPOOL_REQUEST_NULL);
    for (std::size_t i = 0; i < requests.size(); ++i)
        Carpool_Alltoall_init(sent.data(), 1, MPI_INT, received[i].data(), 1, MPI_INT,
                              MPI_COMM_WORLD, MPI_INFO_NULL, &requests[i]);
    const double began = MPI_Wtime();
    for (int start = 0; start < starts; ++start) {
        Carpool_Startall(at_once, requests.data());
        for (auto& request : requests) Carpool_Wait(&request, MPI_STATUS_IGNORE);
    }
    std::printf("%f\n", MPI_Wtime() - began);
    for (auto& request : requests) Carpool_Request_free(&request);
    MPI_Finalize();
    return received.front() == sent ? EXIT_SUCCESS : EXIT_FAILURE;
}
