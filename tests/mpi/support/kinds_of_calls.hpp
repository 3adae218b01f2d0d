// SPDX-License-Identifier: MIT
#pragma once

#include "handles.hpp"
#include "world.hpp"

#include <carpool/carpool.h>
#include <carpool/collectives.h>
#include <carpool/sparse.h>

#include <array>
#include <string>
#include <vector>

namespace carpool::tests {

/// A blocking call of one kind on a ring of all ranks. @return the code
struct KindOfCall {
    std::string name;
    int (*call)(MPI_Comm comm);
};

inline Comm ring_of_all() {
    const int ranks = world_size(), periodic = 1;
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    return Comm(ring);
}

inline int exchange_with_next(MPI_Comm comm) {
    const int mine = world_rank(), to = (mine + 1) % world_size(), one = 1, zero = 0;
    Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
    const int code = Carpool_Sparse_exchange(1, &to, &mine, &one, &zero, MPI_INT, comm, &delivery);
    if (code == MPI_SUCCESS) Carpool_Delivery_free(&delivery);
    return code;
}

/// One call of each family of collectives.
inline const std::array<KindOfCall, 4>& kinds_of_calls() {
    static const std::array<KindOfCall, 4> kinds{
        {{"alltoall",
          [](MPI_Comm comm) {
              const std::vector<int> sent(static_cast<std::size_t>(world_size()));
              std::vector<int> received(sent.size());
              return Carpool_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm);
          }},
         {"neighbor_alltoall",
          [](MPI_Comm comm) {
              const int sent[2] = {};
              int received[2];
              return Carpool_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm);
          }},
         {"sparse_alltoallv",
          [](MPI_Comm comm) {
              const int mine = world_rank(), n = world_size(), to = (mine + 1) % n,
                        from = (mine + n - 1) % n, one = 1, zero = 0;
              int received;
              return Carpool_Sparse_alltoallv(1, &to, &mine, &one, &zero, MPI_INT, 1, &from,
                                              &received, &one, &zero, MPI_INT, comm);
          }},
         {"sparse_exchange", exchange_with_next}}};
    return kinds;
}

}  // namespace carpool::tests
