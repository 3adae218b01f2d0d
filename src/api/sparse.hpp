#pragma once

#include "api/sides.hpp"
#include "carpool/sparse.h"
#include "many/exchange.hpp"
#include "neighbor/sparse.hpp"

#include <mpi.h>

namespace carpool::api {

/// A sparse data exchange as called: everything but its form.
struct SparseExchangeCall {
    many::Arguments arguments;
    MPI_Comm comm;
    Carpool_Delivery* delivery;
};

int blocking(const SparseExchangeCall& call);
int nonblocking(const SparseExchangeCall& call, Carpool_Request* request);

int blocking(const neighbor::SparseCall& call);
int nonblocking(const neighbor::SparseCall& call, Carpool_Request* request);
int persistent(const neighbor::SparseCall& call, MPI_Info info, Carpool_Request* request);

// One function per operation: which blocks its arguments describe.

template <typename Count, typename Displacement>
neighbor::SparseCall sparse_alltoallv(int outdegree, const int* destinations, const void* sendbuf,
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
    return {{outdegree, destinations,
             varying_blocks(send_v_names, sendbuf, sendcounts, sdispls, sendtype)},
            comm,
            delivery};
}

}  // namespace carpool::api
