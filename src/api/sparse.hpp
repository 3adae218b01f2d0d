// SPDX-License-Identifier: MIT
#pragma once

#include "api/forms.hpp"
#include "api/sides.hpp"
#include "carpool/sparse.h"
#include "sparse/sparse_alltoallv.hpp"
#include "sparse/sparse_exchange.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::api {

/// A sparse data exchange as called: everything except whether it is blocking or nonblocking. A
/// call that lists both its destinations and its sources is a sparse::ListedCall.
struct SparseExchangeCall {
    sparse::SparseArguments arguments;
    MPI_Comm comm;
    Carpool_Delivery* delivery;
};

std::unique_ptr<engine::Request> once(const SparseExchangeCall& call);
std::shared_ptr<call::BoundCall> filled(const SparseExchangeCall& call);

// One function per operation describes the blocks of its arguments.

template <typename Count, typename Displacement>
sparse::ListedCall sparse_alltoallv(int outdegree, const int* destinations, const void* sendbuf,
                                    const Count* sendcounts, const Displacement* sdispls,
                                    MPI_Datatype sendtype, int indegree, const int* sources,
                                    void* recvbuf, const Count* recvcounts,
                                    const Displacement* rdispls, MPI_Datatype recvtype,
                                    MPI_Comm comm) {
    return {{"outdegree", "destinations", outdegree, destinations},
            {"indegree", "sources", indegree, sources},
            {schedule::Operation::alltoall,
             varying_blocks(send_v_names, sendbuf, sendcounts, sdispls, sendtype),
             varying_blocks(recv_v_names, recvbuf, recvcounts, rdispls, recvtype)},
            comm};
}

template <typename Count, typename Displacement>
SparseExchangeCall sparse_exchange(int outdegree, const int* destinations, const void* sendbuf,
                                   const Count* sendcounts, const Displacement* sdispls,
                                   MPI_Datatype sendtype, MPI_Comm comm,
                                   Carpool_Delivery* delivery) {
    if (delivery != nullptr) *delivery = CARPOOL_DELIVERY_NULL;  // once() refuses a null pointer
    return {{outdegree, destinations,
             on_host(varying_blocks(send_v_names, sendbuf, sendcounts, sdispls, sendtype))},
            comm,
            delivery};
}

}  // namespace carpool::api
