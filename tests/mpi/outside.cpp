// SPDX-License-Identifier: MIT
// Calls entry points before MPI_Init and after MPI_Finalize: each says so and aborts. Each call has
// a process of its own. A call without a communicator aborts before MPI_Init only if it has an
// error: there might be a session. With the argument "misspelt" the program makes one call with the
// variables of the environment.

#include <carpool/carpool.h>
#include <carpool/collectives.h>
#include <carpool/halo.h>
#include <carpool/sparse.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

int number = 1;
Carpool_Request request = reinterpret_cast<Carpool_Request>(&number);  // none
MPI_Request mpi_request = MPI_REQUEST_NULL;
Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
MPI_Comm comm = MPI_COMM_WORLD;

struct EntryPoint {
    const char* name;
    std::function<int()> call;
};

/// At least one entry point of each kind: the forms of each family, and those written by hand.
std::vector<EntryPoint> entry_points() {
    int* const n = &number;
    const auto none = MPI_INFO_NULL;
    MPI_Status* const ignored = MPI_STATUS_IGNORE;
    return {
        {"Carpool_Neighbor_alltoall",
         [=] { return Carpool_Neighbor_alltoall(n, 1, MPI_INT, n, 1, MPI_INT, comm); }},
        {"Carpool_Ineighbor_alltoall",
         [=] {
             return Carpool_Ineighbor_alltoall(n, 1, MPI_INT, n, 1, MPI_INT, comm, &mpi_request);
         }},
        {"Carpool_Neighbor_alltoall_init",
         [=] {
             return Carpool_Neighbor_alltoall_init(n, 1, MPI_INT, n, 1, MPI_INT, comm, none,
                                                   &request);
         }},
        {"Carpool_Ibarrier_init", [=] { return Carpool_Ibarrier_init(comm, none, &request); }},
        {"Carpool_Sparse_exchange",
         [=] { return Carpool_Sparse_exchange(0, n, n, n, n, MPI_INT, comm, &delivery); }},
        {"Carpool_Sparse_exchange_init",
         [=] { return Carpool_Sparse_exchange_init(delivery, n, n, comm, none, &request); }},
        {"Carpool_Delivery_count", [=] { return Carpool_Delivery_count(delivery, n); }},
        {"Carpool_Halo_init", [=] { return Carpool_Halo_init(nullptr, comm, none, &request); }},
        {"Carpool_Cart_neighborhood_create",
         [=] {
             return Carpool_Cart_neighborhood_create(comm, 1, n, n, 1, n, MPI_UNWEIGHTED, none, 0,
                                                     &comm);
         }},
        {"Carpool_Cart_relative_rank", [=] { return Carpool_Cart_relative_rank(comm, n, n); }},
        {"Carpool_Stencil_moore", [=] { return Carpool_Stencil_moore(0, 1, 0, n, nullptr); }},
        {"Carpool_Start", [=] { return Carpool_Start(&request); }},
        {"Carpool_Startall", [=] { return Carpool_Startall(1, &request); }},
        {"Carpool_Test", [=] { return Carpool_Test(&request, n, ignored); }},
        {"Carpool_Wait", [=] { return Carpool_Wait(&request, ignored); }},
        {"Carpool_Waitall", [=] { return Carpool_Waitall(1, &request, MPI_STATUSES_IGNORE); }},
        {"Carpool_Waitany", [=] { return Carpool_Waitany(1, &request, n, ignored); }},
        {"Carpool_Request_free", [=] { return Carpool_Request_free(&request); }},
    };
}

/// Returns what a process writes to its standard error during the call, and its exit status.
std::string said(const EntryPoint& entry, int& status) {
    int ends[2];
    if (pipe(ends) != 0) return "";
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        std::signal(SIGABRT, SIG_DFL);
        entry.call();
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    char part[256];
    for (ssize_t length; (length = read(ends[0], part, sizeof part)) > 0;)
        text.append(part, static_cast<std::size_t>(length));
    close(ends[0]);
    waitpid(child, &status, 0);
    return text;
}

int wrong(const std::string& when) {
    int faults = 0;
    for (const auto& entry : entry_points()) {
        int status = 0;
        const auto text = said(entry, status);
        const auto expected = std::string(entry.name) + ": called " + when +
                              ", expected between MPI_Init and MPI_Finalize\n";
        if (text.ends_with(expected) && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT)
            continue;
        std::printf("%s %s: status %d, said: %s\n", entry.name, when.c_str(), status, text.c_str());
        ++faults;
    }
    return faults;
}

/// Does what needs no MPI, before MPI_Init.
int without_mpi() {
    Carpool_Request none = CARPOOL_REQUEST_NULL;
    int t = 0;
    const bool right = Carpool_Wait(&none, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
                       Carpool_Stencil_moore(2, 1, 0, &t, nullptr) == MPI_SUCCESS && t == 8;
    if (!right) std::printf("a call that needs no MPI has failed\n");
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
    const bool misspelt = argc > 1 && std::strcmp(argv[1], "misspelt") == 0;
    int faults = misspelt ? 0 : wrong("before MPI_Init") + without_mpi();
    MPI_Init(&argc, &argv);
    Carpool_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);  // not freed
    if (misspelt) Carpool_Request_free(&request);
    MPI_Finalize();
    faults += misspelt ? 0 : wrong("after MPI_Finalize");
    std::printf("%d faults\n", faults);
    return faults != 0;
}
