// SPDX-License-Identifier: MIT
// Calls for a report to list: several at the same time, of several sizes, on several kinds of
// communicators, and some that Carpool leaves to MPI. Rank 0 prints how long the first took. Run by
// tests/tools/test_unchanged.py.

#include "checks.hpp"

#include <mpi.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <string_view>
#include <vector>

namespace {

constexpr int at_once = 8;
constexpr int rounds = 10;

int rank = 0, ranks = 0;

void compute() { usleep(5000); }

MPI_Comm ring(MPI_Comm parent = MPI_COMM_WORLD) {
    const std::array<int, 2> neighbors{(rank + ranks - 1) % ranks, (rank + 1) % ranks};
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(parent, 2, neighbors.data(), MPI_UNWEIGHTED, 2, neighbors.data(),
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    return comm;
}

/// The program computes while eight calls are under way, in the latter half eight persistent
/// requests.
void overlapping() {
    const auto n = static_cast<std::size_t>(ranks);
    std::array<MPI_Comm, at_once> comms{};
    std::array<MPI_Request, at_once> requests{};
    std::array<std::vector<int>, at_once> sent, received;
    for (auto& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (auto& buffer : sent) buffer.assign(n, rank);
    for (auto& buffer : received) buffer.assign(n, -1);
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < at_once; ++i)
            MPI_Ialltoall(sent[i].data(), 1, MPI_INT, received[i].data(), 1, MPI_INT, comms[i],
                          &requests[i]);
        compute();
        MPI_Waitall(at_once, requests.data(), MPI_STATUSES_IGNORE);
        CHECK(received[0].back() == ranks - 1);
    }
    for (std::size_t i = 0; i < at_once; ++i)
        MPI_Alltoall_init(sent[i].data(), 1, MPI_INT, received[i].data(), 1, MPI_INT, comms[i],
                          MPI_INFO_NULL, &requests[i]);
    for (int round = 0; round < rounds; ++round) {
        MPI_Startall(at_once, requests.data());
        compute();
        MPI_Waitall(at_once, requests.data(), MPI_STATUSES_IGNORE);
    }
    if (rank == 0) std::printf("overlapping: %f\n", MPI_Wtime() - began);
    for (auto& request : requests) MPI_Request_free(&request);
    for (auto& comm : comms) MPI_Comm_free(&comm);
}

/// From 3 to 12 ints to each neighbor, on one graph.
void sizes() {
    MPI_Comm comm = ring();
    std::vector<int> sent(24, rank), received(24, -1);
    for (int call = 0; call < 60; ++call) {
        const int count = 3 + call % 10;
        const std::array<int, 2> counts{count, count}, places{0, 12};
        MPI_Neighbor_alltoallv(sent.data(), counts.data(), places.data(), MPI_INT, received.data(),
                               counts.data(), places.data(), MPI_INT, comm);
        CHECK(received[0] == (rank + ranks - 1) % ranks);
    }
    MPI_Comm_free(&comm);
}

void exchange(MPI_Comm comm, int calls) {
    std::array<double, 4> sent{1, 2, 3, 4}, received{};
    for (int i = 0; i < calls; ++i)
        MPI_Neighbor_alltoall(sent.data(), 1, MPI_DOUBLE, received.data(), 1, MPI_DOUBLE, comm);
}

/// A torus, a duplicate of it, and twenty graphs over half of the ranks.
void comms() {
    const std::array<int, 2> dims{ranks, 1}, periods{1, 0};
    MPI_Comm torus = MPI_COMM_NULL, duplicate = MPI_COMM_NULL, half = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), periods.data(), 0, &torus);
    exchange(torus, 6);
    MPI_Comm_dup(torus, &duplicate);
    exchange(duplicate, 6);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    int half_rank = 0, half_ranks = 0;
    MPI_Comm_rank(half, &half_rank);
    MPI_Comm_size(half, &half_ranks);
    for (int i = 0; i < 20; ++i) {
        const int next = (half_rank + 1) % half_ranks;
        const int before = (half_rank + half_ranks - 1) % half_ranks;
        MPI_Comm graph = MPI_COMM_NULL;
        MPI_Dist_graph_create_adjacent(half, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                       MPI_INFO_NULL, 0, &graph);
        exchange(graph, 6);
        MPI_Comm_free(&graph);
    }
    for (auto* comm : {&torus, &duplicate, &half}) MPI_Comm_free(comm);
}

void messages() {
    int sent = rank, received = -1;
    std::array<MPI_Request, 2> requests{};
    MPI_Irecv(&received, 1, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&sent, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    CHECK(received == (rank + 1) % ranks);
}

void left_to_the_host() {
    int one = 1, sum = 0;
    std::vector<int> ones(static_cast<std::size_t>(ranks));
    for (int i = 0; i < 7; ++i) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    CHECK(sum == ranks);
    MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 5; ++i) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Igather(&one, 1, MPI_INT, ones.data(), 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string_view only = argc > 1 ? argv[1] : "";
    if (only == "topologies") {
        MPI_Comm comm = ring();
        MPI_Comm_free(&comm);
    } else if (only == "messages") {
        messages();
    } else if (only.empty()) {
        overlapping();
        sizes();
        comms();
        left_to_the_host();
    }
    return interposed::finish("reported");
}
