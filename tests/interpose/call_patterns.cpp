// SPDX-License-Identifier: MIT
// Patterns of calls that real programs have, in an MPI program that knows nothing of Carpool. Ranks
// lie on a ring, and each result is checked against what the neighbors have sent.

#include "checks.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <vector>

namespace {

constexpr int times = 30;

int rank = 0, ranks = 0;

int left() { return (rank + ranks - 1) % ranks; }
int right() { return (rank + 1) % ranks; }

/// A graph whose targets are the right neighbor, then the left one.
MPI_Comm graph() {
    const std::array<int, 2> sources{left(), right()}, targets{right(), left()};
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources.data(), MPI_UNWEIGHTED, 2,
                                   targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    return comm;
}

/// The halo of a row of cells lies in the array from which it is filled.
void one_array_for_both_sides() {
    MPI_Comm comm = graph();
    const int one[] = {1, 1}, ends[] = {4, 1}, halo[] = {0, 5};
    for (int i = 0; i < times; ++i) {
        std::array<int, 6> cells{-1, rank, 0, 0, rank + i, -1};
        MPI_Neighbor_alltoallv(cells.data(), one, ends, MPI_INT, cells.data(), one, halo, MPI_INT,
                               comm);
        CHECK(cells[0] == left() + i && cells[5] == right());
    }
    MPI_Comm_free(&comm);
}

/// Columns of a matrix, two exchanges in flight, types that are freed before they end.
void columns_in_flight() {
    constexpr int rows = 5, columns = 4;
    MPI_Comm comm = graph();
    using Matrix = std::array<double, rows * columns>;
    for (int i = 0; i < times; ++i) {
        std::array<Matrix, 2> matrices{};
        std::array<MPI_Request, 2> requests{};
        MPI_Datatype column = MPI_DATATYPE_NULL;
        MPI_Type_create_hvector(rows, 1, columns * sizeof(double), MPI_DOUBLE, &column);
        MPI_Type_commit(&column);
        const int one[] = {1, 1};
        const MPI_Datatype types[] = {column, column};
        const MPI_Aint size = sizeof(double), sent[] = {2 * size, size}, received[] = {0, 3 * size};
        for (std::size_t m = 0; m < 2; ++m) {
            matrices[m].fill(rank + 10.0 * static_cast<double>(m) + i);
            MPI_Ineighbor_alltoallw(matrices[m].data(), one, sent, types, matrices[m].data(), one,
                                    received, types, comm, &requests[m]);
        }
        MPI_Type_free(&column);
        MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
        for (std::size_t m = 0; m < 2; ++m)
            for (int row = 0; row < rows; ++row) {
                const auto* const at = &matrices[m][static_cast<std::size_t>(row * columns)];
                const double more = 10.0 * static_cast<double>(m) + i;
                CHECK(at[0] == left() + more && at[1] == rank + more && at[3] == right() + more);
            }
    }
    MPI_Comm_free(&comm);
}

/// Rank 0 has no neighbors, and gives no arrays; rank 1 sends nothing.
void nothing_to_send() {
    std::vector<int> peers;
    if (rank != 0)
        for (const int peer : {left(), right()})
            if (peer != 0) peers.push_back(peer);
    const int n = static_cast<int>(peers.size());
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, n, peers.data(), MPI_UNWEIGHTED, n, peers.data(),
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    for (int i = 0; i < times; ++i) {
        std::vector<int> counts(peers.size(), rank == 1 ? 0 : 1), expected, places;
        for (std::size_t k = 0; k < peers.size(); ++k) {
            expected.push_back(peers[k] == 1 ? 0 : 1);
            places.push_back(static_cast<int>(k));
        }
        std::vector<int> from(peers.size(), rank), into(peers.size(), -1);
        MPI_Neighbor_alltoallv(rank == 1 ? nullptr : from.data(), counts.data(), places.data(),
                               MPI_INT, into.data(), expected.data(), places.data(), MPI_INT, comm);
        for (std::size_t k = 0; k < peers.size(); ++k)
            CHECK(into[k] == (peers[k] == 1 ? -1 : peers[k]));
        MPI_Neighbor_allgather(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, comm);
    }
    MPI_Comm_free(&comm);
}

/// Each halo width has a graph of its own.
void graphs_made_again() {
    for (int width = 1; width < times; ++width) {
        MPI_Comm comm = graph();
        std::vector<int> from(2 * static_cast<std::size_t>(width), rank), into(from.size(), -1);
        for (int i = 0; i < 2; ++i)
            MPI_Neighbor_alltoall(from.data(), width, MPI_INT, into.data(), width, MPI_INT, comm);
        CHECK(into.front() == left() && into.back() == right());
        MPI_Comm_free(&comm);
    }
}

/// Half of the data stays on its rank.
void mostly_to_itself() {
    for (int i = 0; i < times; ++i) {
        std::vector<int> counts, places;
        int end = 0;
        for (int to = 0; to < ranks; ++to) {
            counts.push_back(to == rank ? ranks : 1);
            places.push_back(end);
            end += counts.back();
        }
        std::vector<int> from(static_cast<std::size_t>(end), rank * 100 + i), into(from.size(), -1);
        MPI_Alltoallv(from.data(), counts.data(), places.data(), MPI_INT, into.data(),
                      counts.data(), places.data(), MPI_INT, MPI_COMM_WORLD);
        for (int peer = 0; peer < ranks; ++peer)
            CHECK(into[static_cast<std::size_t>(places[static_cast<std::size_t>(peer)])] ==
                  peer * 100 + i);
    }
}

/// A dimension of one rank, and one of two where there are as many: both neighbors are one rank.
/// Some hosts exchange the two blocks, and a program finds them where its MPI always put them.
void short_periods() {
    const std::array<int, 2> dims{1, ranks}, periods{1, 1};
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), periods.data(), 0, &comm);
    for (int i = 0; i < times; ++i) {
        std::array<int, 4> from{}, into{}, expected{};
        for (int k = 0; k < 4; ++k) from[static_cast<std::size_t>(k)] = 10 * rank + k;
        if (i % 2 == 0) {
            MPI_Neighbor_alltoall(from.data(), 1, MPI_INT, into.data(), 1, MPI_INT, comm);
            PMPI_Neighbor_alltoall(from.data(), 1, MPI_INT, expected.data(), 1, MPI_INT, comm);
        } else {
            std::array<MPI_Request, 2> requests{};
            MPI_Ineighbor_alltoall(from.data(), 1, MPI_INT, into.data(), 1, MPI_INT, comm,
                                   &requests[0]);
            PMPI_Ineighbor_alltoall(from.data(), 1, MPI_INT, expected.data(), 1, MPI_INT, comm,
                                    &requests[1]);
            MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
        }
        CHECK(into == expected);
    }
    MPI_Comm_free(&comm);
}

void add(void* from, void* into, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i) static_cast<int*>(into)[i] += static_cast<int*>(from)[i];
}

/// Everything that a persistent request was made with is freed before it is started.
void freed_early() {
    MPI_Comm comm = graph();
    MPI_Op op = MPI_OP_NULL;
    MPI_Datatype two = MPI_DATATYPE_NULL;
    MPI_Op_create(add, 1, &op);
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    std::array<int, 4> from{rank, rank + 1, rank + 2, rank + 3}, into{};
    int one = rank + 1, sum = 0;
    std::array<MPI_Request, 3> requests{};
    MPI_Neighbor_alltoall_init(from.data(), 1, two, into.data(), 1, two, comm, MPI_INFO_NULL,
                               &requests[0]);
    MPI_Allreduce_init(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Type_free(&two);
    MPI_Op_free(&op);
    int token = 0;
    MPI_Recv_init(&token, 1, MPI_INT, left(), 3, MPI_COMM_WORLD, &requests[2]);
    for (int i = 0; i < 5; ++i) {
        into.fill(-1);
        MPI_Startall(3, requests.data());
        MPI_Send(&i, 1, MPI_INT, right(), 3, MPI_COMM_WORLD);
        std::array<MPI_Status, 3> statuses{};
        MPI_Waitall(3, requests.data(), statuses.data());
        int received = 0;
        MPI_Get_count(&statuses[2], MPI_INT, &received);
        CHECK(token == i && received == 1 && statuses[2].MPI_SOURCE == left());
        CHECK(into == (std::array<int, 4>{left(), left() + 1, right() + 2, right() + 3}));
        CHECK(sum == ranks * (ranks + 1) / 2);
    }
    MPI_Comm_free(&comm);  // before the requests
    for (auto& request : requests) MPI_Request_free(&request);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    one_array_for_both_sides();
    columns_in_flight();
    nothing_to_send();
    graphs_made_again();
    mostly_to_itself();
    short_periods();
    freed_early();
    return interposed::finish("call_patterns");
}
