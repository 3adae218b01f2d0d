#include "carpool/personalized.h"

#include "api/guarded.hpp"
#include "api/request.hpp"
#include "api/sides.hpp"
#include "sparse/repeated.hpp"
#include "sparse/sparse_exchange.hpp"

#include <string>
#include <utility>

using namespace carpool;
using api::send_v_names;
using api::varying_blocks;

/// What a Carpool_Delivery points to.
struct Carpool_Delivery_s {
    sparse::Delivery arrived;
};

namespace {

std::unique_ptr<engine::Request> exchange(const sparse::Arguments& arguments, MPI_Comm comm,
                                          Carpool_Delivery* delivery) {
    api::check_comm(comm, "comm");
    return sparse::exchanged(comm, arguments, [delivery](sparse::Delivery arrived) {
        *delivery = new Carpool_Delivery_s{std::move(arrived)};
    });
}

int blocking(const sparse::Arguments& arguments, MPI_Comm comm, Carpool_Delivery* delivery) {
    *delivery = CARPOOL_DELIVERY_NULL;
    return api::guarded(comm, [&] { exchange(arguments, comm, delivery)->wait(); });
}

int nonblocking(const sparse::Arguments& arguments, MPI_Comm comm, Carpool_Delivery* delivery,
                Carpool_Request* request) {
    *delivery = CARPOOL_DELIVERY_NULL;
    return api::guarded(comm,
                        [&] { *request = api::wrapped(exchange(arguments, comm, delivery)); });
}

void check_delivery(Carpool_Delivery delivery) {
    if (delivery == CARPOOL_DELIVERY_NULL)
        throw mpi::Error(MPI_ERR_ARG,
                         "delivery is CARPOOL_DELIVERY_NULL, expected that of an exchange");
}

}  // namespace

int Carpool_Exchange(int outdegree, const int destinations[], const void* sendbuf,
                     const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                     MPI_Comm comm, Carpool_Delivery* delivery) {
    return blocking({outdegree, destinations,
                     varying_blocks(send_v_names, sendbuf, sendcounts, sdispls, sendtype)},
                    comm, delivery);
}

int Carpool_Exchange_c(int outdegree, const int destinations[], const void* sendbuf,
                       const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                       MPI_Datatype sendtype, MPI_Comm comm, Carpool_Delivery* delivery) {
    return blocking({outdegree, destinations,
                     varying_blocks(send_v_names, sendbuf, sendcounts, sdispls, sendtype)},
                    comm, delivery);
}

int Carpool_Iexchange(int outdegree, const int destinations[], const void* sendbuf,
                      const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                      MPI_Comm comm, Carpool_Delivery* delivery, Carpool_Request* request) {
    return nonblocking({outdegree, destinations,
                        varying_blocks(send_v_names, sendbuf, sendcounts, sdispls, sendtype)},
                       comm, delivery, request);
}

int Carpool_Iexchange_c(int outdegree, const int destinations[], const void* sendbuf,
                        const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                        MPI_Datatype sendtype, MPI_Comm comm, Carpool_Delivery* delivery,
                        Carpool_Request* request) {
    return nonblocking({outdegree, destinations,
                        varying_blocks(send_v_names, sendbuf, sendcounts, sdispls, sendtype)},
                       comm, delivery, request);
}

int Carpool_Exchange_init(Carpool_Delivery delivery, const void* sendbuf, void* recvbuf,
                          MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return api::guarded(comm, [&] {
        api::check_comm(comm, "comm");
        const auto* arrived = delivery == CARPOOL_DELIVERY_NULL ? nullptr : &delivery->arrived;
        *request = api::wrapped(
            sparse::again(arrived, api::bytes_at(sendbuf), api::bytes_at(recvbuf), comm, info));
    });
}

int Carpool_Delivery_count(Carpool_Delivery delivery, int* count) {
    return api::guarded(MPI_COMM_SELF, [&] {
        check_delivery(delivery);
        *count = static_cast<int>(delivery->arrived.parcels.size());
    });
}

int Carpool_Delivery_get(Carpool_Delivery delivery, int index, int* source, MPI_Count* bytes,
                         const void** data) {
    return api::guarded(MPI_COMM_SELF, [&] {
        check_delivery(delivery);
        const auto& parcels = delivery->arrived.parcels;
        if (index < 0 || static_cast<std::size_t>(index) >= parcels.size())
            throw mpi::Error(MPI_ERR_ARG, "index is " + std::to_string(index) +
                                              ", expected from 0 on, less than " +
                                              std::to_string(parcels.size()));
        const auto& arrival = parcels[static_cast<std::size_t>(index)];
        *source = arrival.source;
        *bytes = arrival.bytes;
        *data = arrival.data;
    });
}

int Carpool_Delivery_free(Carpool_Delivery* delivery) {
    return api::guarded(MPI_COMM_SELF, [&] {
        check_delivery(*delivery);
        delete std::exchange(*delivery, CARPOOL_DELIVERY_NULL);
    });
}
