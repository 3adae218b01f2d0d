// SPDX-License-Identifier: MIT
#pragma once

#include "forwarded_exchange.hpp"

#include <atomic>
#include <deque>
#include <thread>
#include <vector>

namespace carpool::tests {

inline bool several_threads() {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    return level == MPI_THREAD_MULTIPLE;
}

/// Runs `work` in several threads, each with its own communicator; returns the sum of the results.
template <typename Work>
int in_threads(int count, const Work& work) {
    std::vector<MPI_Comm> comms(static_cast<std::size_t>(count));
    for (auto& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    std::atomic<int> faults = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i)
        threads.emplace_back([&, i] { faults += work(i, comms[static_cast<std::size_t>(i)]); });
    for (auto& thread : threads) thread.join();
    for (auto& comm : comms) MPI_Comm_free(&comm);
    return faults;
}

/// Exchanges by all forms while one rank waits in MPI_Recv on that communicator.
inline int forward_in_thread(MPI_Comm comm, int rounds) {
    ForwardedExchange exchange(comm);
    int faults = 0;
    const int rank = rank_in(comm), last = size_of(comm) - 1;
    for (int round = 0; round < rounds; ++round) {
        const Form form = round % 2 == 0 ? Form::persistent : Form::nonblocking;
        int word = round;
        exchange.begin(form, round);
        if (rank == forwarding_rank) MPI_Recv(&word, 1, MPI_INT, last, 7, comm, MPI_STATUS_IGNORE);
        MPI_Request request = exchange.once;
        if (round % 4 == 2) Carpool_Request_get_mpi(exchange.persistent(), &request);
        if (round % 4 == 0)
            faults += exchange.end(form) != MPI_SUCCESS;
        else
            faults += MPI_Waitall(1, &request, MPI_STATUSES_IGNORE) != MPI_SUCCESS;
        if (rank == last) MPI_Send(&word, 1, MPI_INT, forwarding_rank, 7, comm);
        faults += !exchange.arrived();
    }
    return faults;
}

}  // namespace carpool::tests
