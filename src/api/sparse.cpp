#include "carpool/personalized.h"

#include "api/guarded.hpp"
#include "api/request.hpp"
#include "api/sides.hpp"
#include "sparse/sparse_alltoallv.hpp"

using namespace carpool;
using api::recv_v_names;
using api::send_v_names;
using api::varying_blocks;

namespace {

template <typename Count, typename Displacement>
carpool::sparse::ListedCall listed(int outdegree, const int* destinations, const void* sendbuf,
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

int blocking(const carpool::sparse::ListedCall& call) {
    return api::guarded(call.comm, [&] {
        api::check_comm(call.comm, "comm");
        carpool::sparse::listed_once(call)->wait();
    });
}

int nonblocking(const carpool::sparse::ListedCall& call, Carpool_Request* request) {
    return api::guarded(call.comm, [&] {
        api::check_comm(call.comm, "comm");
        *request = api::wrapped(carpool::sparse::listed_once(call));
    });
}

int persistent(const carpool::sparse::ListedCall& call, MPI_Info info, Carpool_Request* request) {
    return api::guarded(call.comm, [&] {
        api::check_comm(call.comm, "comm");
        *request = api::wrapped(carpool::sparse::listed_init(call, info));
    });
}

}  // namespace

int Carpool_Sparse_alltoallv(int outdegree, const int destinations[], const void* sendbuf,
                             const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                             int indegree, const int sources[], void* recvbuf,
                             const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                             MPI_Comm comm) {
    return blocking(listed(outdegree, destinations, sendbuf, sendcounts, sdispls, sendtype,
                           indegree, sources, recvbuf, recvcounts, rdispls, recvtype, comm));
}

int Carpool_Sparse_alltoallv_c(int outdegree, const int destinations[], const void* sendbuf,
                               const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                               MPI_Datatype sendtype, int indegree, const int sources[],
                               void* recvbuf, const MPI_Count recvcounts[],
                               const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    return blocking(listed(outdegree, destinations, sendbuf, sendcounts, sdispls, sendtype,
                           indegree, sources, recvbuf, recvcounts, rdispls, recvtype, comm));
}

int Carpool_Isparse_alltoallv(int outdegree, const int destinations[], const void* sendbuf,
                              const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                              int indegree, const int sources[], void* recvbuf,
                              const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                              MPI_Comm comm, Carpool_Request* request) {
    return nonblocking(listed(outdegree, destinations, sendbuf, sendcounts, sdispls, sendtype,
                              indegree, sources, recvbuf, recvcounts, rdispls, recvtype, comm),
                       request);
}

int Carpool_Isparse_alltoallv_c(int outdegree, const int destinations[], const void* sendbuf,
                                const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                MPI_Datatype sendtype, int indegree, const int sources[],
                                void* recvbuf, const MPI_Count recvcounts[],
                                const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                Carpool_Request* request) {
    return nonblocking(listed(outdegree, destinations, sendbuf, sendcounts, sdispls, sendtype,
                              indegree, sources, recvbuf, recvcounts, rdispls, recvtype, comm),
                       request);
}

int Carpool_Sparse_alltoallv_init(int outdegree, const int destinations[], const void* sendbuf,
                                  const int sendcounts[], const int sdispls[],
                                  MPI_Datatype sendtype, int indegree, const int sources[],
                                  void* recvbuf, const int recvcounts[], const int rdispls[],
                                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                  Carpool_Request* request) {
    return persistent(listed(outdegree, destinations, sendbuf, sendcounts, sdispls, sendtype,
                             indegree, sources, recvbuf, recvcounts, rdispls, recvtype, comm),
                      info, request);
}

int Carpool_Sparse_alltoallv_init_c(int outdegree, const int destinations[], const void* sendbuf,
                                    const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                    MPI_Datatype sendtype, int indegree, const int sources[],
                                    void* recvbuf, const MPI_Count recvcounts[],
                                    const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                    MPI_Info info, Carpool_Request* request) {
    return persistent(listed(outdegree, destinations, sendbuf, sendcounts, sdispls, sendtype,
                             indegree, sources, recvbuf, recvcounts, rdispls, recvtype, comm),
                      info, request);
}
