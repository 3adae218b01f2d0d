// SPDX-License-Identifier: MIT
// A rank ends during exchanges through memory, by SIGKILL or by MPI_Abort. Before that, each rank
// prints whether its shared memory has a name in the file system. Run by
// tests/tools/test_killed.py.

#include <carpool/collectives.h>
#include <mpi.h>

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

namespace {

constexpr int count = 1000;
constexpr int before = 50;  // successful starts

/// The number of links to the memory that this process shares, or -1 if it shares none.
int names_of_memory() {
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code gone;
        const auto target = std::filesystem::read_symlink(entry.path(), gone);
        struct stat about{};
        if (!gone && target.string().starts_with("/memfd:carpool") &&
            stat(entry.path().c_str(), &about) == 0)
            return static_cast<int>(about.st_nlink);
    }
    return -1;
}

void end(const char* how) {
    if (std::strcmp(how, "kill") == 0) raise(SIGKILL);
    if (std::strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
}

}  // namespace

int main(int argc, char* argv[]) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<int> sent(count, rank), received(static_cast<std::size_t>(count * ranks));
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    Carpool_Allgather_init(sent.data(), count, MPI_INT, received.data(), count, MPI_INT,
                           MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    std::printf("memory of rank %d has %d names\n", rank, names_of_memory());
    std::fflush(stdout);
    for (int start = 0; start < 2 * before; ++start) {
        Carpool_Start(&request);
        if (start == before && rank == ranks - 1) end(argc > 1 ? argv[1] : "");
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
    }
    Carpool_Request_free(&request);
    MPI_Finalize();
    return 0;
}
