// SPDX-License-Identifier: MIT
#pragma once

#include "form.hpp"
#include "handles.hpp"
#include "world.hpp"

#include <boost/test/unit_test.hpp>

#include <dlfcn.h>

#include <functional>

namespace carpool::tests {

/// Does this MPI call back a library from its progress engine?
inline bool mpi_calls_back() {
    return dlsym(RTLD_DEFAULT, "MPIX_Async_start") != nullptr ||
           dlsym(RTLD_DEFAULT, "opal_progress_register") != nullptr;
}

/// A ring on which each rank sends a number to the rank after the next one, which forwards it.
class ForwardedExchange {
public:
    explicit ForwardedExchange(MPI_Comm comm = MPI_COMM_WORLD)
        : ring_(neighborhood({{size_of(comm)}, {1}}, {"two on", 1, {2}},
                             info_of({{"carpool_algorithm", "torus"}}), comm)),
          rank_(rank_in(comm)),
          size_(size_of(comm)) {
        Carpool_Neighbor_alltoall_init(&sent_, 1, MPI_INT, &received_, 1, MPI_INT, ring_,
                                       MPI_INFO_NULL, &persistent_);
    }
    ForwardedExchange(const ForwardedExchange&) = delete;
    ~ForwardedExchange() { Carpool_Request_free(&persistent_); }

    MPI_Comm comm() const { return ring_; }
    Carpool_Request& persistent() { return persistent_; }

    void begin(Form form, int value) {
        sent_ = value + rank_;
        received_ = -1;
        expected_ = value + (rank_ + size_ - 2) % size_;
        if (is_persistent(form))
            Carpool_Start(&persistent_);
        else
            Carpool_Ineighbor_alltoall(&sent_, 1, MPI_INT, &received_, 1, MPI_INT, ring_, &once);
    }

    int end(Form form) {
        return is_persistent(form) ? Carpool_Wait(&persistent_, MPI_STATUS_IGNORE)
                                   : MPI_Wait(&once, MPI_STATUS_IGNORE);
    }

    bool arrived() const { return *static_cast<const volatile int*>(&received_) == expected_; }

    MPI_Request once = MPI_REQUEST_NULL;

private:
    Comm ring_;
    int rank_;
    int size_;
    int sent_ = 0, received_ = 0, expected_ = 0;
    Carpool_Request persistent_ = CARPOOL_REQUEST_NULL;
};

constexpr int forwarding_rank = 1;

/// All ranks start. The forwarding rank then calls `sit`, which returns only after the others have
/// completed the exchange and called `release`.
inline void wait_in_mpi_while_others_complete(ForwardedExchange& exchange, Form form, int rounds,
                                              const std::function<void()>& wait_in_mpi,
                                              const std::function<void()>& release) {
    for (int round = 0; round < rounds; ++round) {
        exchange.begin(form, 1000 * round);
        if (world_rank() == forwarding_rank) wait_in_mpi();
        BOOST_TEST(exchange.end(form) == MPI_SUCCESS);
        if (world_rank() != forwarding_rank) release();
        BOOST_TEST(exchange.arrived(), name_of(form) << ", round " << round);
    }
}

/// Waits in MPI_Recv, in MPI_Barrier, in MPI_Win_fence and in MPI_Waitall of other requests.
inline void wait_in_every_call_of_mpi(ForwardedExchange& exchange, Form form, int rounds) {
    if (!mpi_calls_back()) return;
    const int last = world_size() - 1;
    int word = 0;
    const auto tell = [&] {
        if (world_rank() == last) MPI_Send(&word, 1, MPI_INT, forwarding_rank, 7, MPI_COMM_WORLD);
    };
    wait_in_mpi_while_others_complete(
        exchange, form, rounds,
        [&] { MPI_Recv(&word, 1, MPI_INT, last, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }, tell);
    wait_in_mpi_while_others_complete(
        exchange, form, rounds,
        [&] {
            MPI_Request request;
            MPI_Irecv(&word, 1, MPI_INT, last, 7, MPI_COMM_WORLD, &request);
            MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
        },
        tell);
    const auto barrier = [] { MPI_Barrier(MPI_COMM_WORLD); };
    wait_in_mpi_while_others_complete(exchange, form, rounds, barrier, barrier);
    MPI_Win window;
    MPI_Win_create(&word, sizeof word, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    const auto fence = [&] { MPI_Win_fence(0, window); };
    fence();
    wait_in_mpi_while_others_complete(exchange, form, rounds, fence, fence);
    MPI_Win_free(&window);
}

}  // namespace carpool::tests
