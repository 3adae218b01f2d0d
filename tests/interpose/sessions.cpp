// SPDX-License-Identifier: MIT
// Two sessions, one after the other, in an MPI program without MPI_Init that knows nothing of
// Carpool.

#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

constexpr int times = 20;

int faults = 0;

void expect(bool right, const char* what) {
    if (right) return;
    std::fprintf(stderr, "wrong: %s\n", what);
    ++faults;
}

struct Ranks {
    explicit Ranks(MPI_Comm comm) {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
    }

    int left() const { return (rank + size - 1) % size; }
    int right() const { return (rank + 1) % size; }

    int rank = 0, size = 0;
};

void check_alltoall(MPI_Comm comm) {
    const Ranks ranks(comm);
    std::vector<int> out(static_cast<std::size_t>(ranks.size)), in(out.size());
    for (int i = 0; i < times; ++i) {
        for (int to = 0; to < ranks.size; ++to) out[std::size_t(to)] = 100 * ranks.rank + to + i;
        MPI_Request request = MPI_REQUEST_NULL;
        if (i % 2 == 0) {
            MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, comm);
        } else {
            MPI_Ialltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, comm, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        for (int from = 0; from < ranks.size; ++from)
            expect(in[std::size_t(from)] == 100 * from + ranks.rank + i, "alltoall");
    }
}

void check_persistent(MPI_Comm comm) {
    const Ranks ranks(comm);
    int mine = 0, sum = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
    for (int i = 0; i < times; ++i) {
        mine = ranks.rank + i;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(sum == ranks.size * (ranks.size - 1) / 2 + ranks.size * i, "allreduce_init");
    }
    MPI_Request_free(&request);
}

void check_neighbors(MPI_Comm comm) {
    const Ranks ranks(comm);
    const int left = ranks.left(), right = ranks.right();
    MPI_Comm graph = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(comm, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    for (int i = 0; i < times; ++i) {
        const int out = ranks.rank + i;
        int in = -1;
        MPI_Neighbor_alltoall(&out, 1, MPI_INT, &in, 1, MPI_INT, graph);
        expect(in == left + i, "neighbor_alltoall");
    }
    MPI_Comm_free(&graph);
}

void check_session() {
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Comm_create_from_group(all, "sessions", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&all);
    check_alltoall(comm);
    check_persistent(comm);
    check_neighbors(comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
}

}  // namespace

int main() {
    check_session();
    check_session();
    return faults > 0 ? 1 : 0;
}
