#include "api/sparse.hpp"

#include "api/guarded.hpp"
#include "api/request.hpp"
#include "many/again.hpp"

#include <string>
#include <utility>

using namespace carpool;

/// What a Carpool_Delivery points to.
struct Carpool_Delivery_s {
    many::Delivery arrived;
};

namespace carpool::api {
namespace {

std::unique_ptr<engine::Request> exchanged(const SparseExchangeCall& call) {
    check_comm(call.comm, "comm");
    return many::exchanged(call.comm, call.arguments,
                           [delivery = call.delivery](many::Delivery arrived) {
                               *delivery = new Carpool_Delivery_s{std::move(arrived)};
                           });
}

}  // namespace

int blocking(const SparseExchangeCall& call) {
    *call.delivery = CARPOOL_DELIVERY_NULL;
    return guarded(call.comm, [&] { exchanged(call)->wait(); });
}

int nonblocking(const SparseExchangeCall& call, Carpool_Request* request) {
    *call.delivery = CARPOOL_DELIVERY_NULL;
    return guarded(call.comm, [&] { *request = wrapped(exchanged(call)); });
}

int blocking(const neighbor::SparseCall& call) {
    return guarded(call.comm, [&] {
        check_comm(call.comm, "comm");
        neighbor::sparse_once(call)->wait();
    });
}

int nonblocking(const neighbor::SparseCall& call, Carpool_Request* request) {
    return guarded(call.comm, [&] {
        check_comm(call.comm, "comm");
        *request = wrapped(neighbor::sparse_once(call));
    });
}

int persistent(const neighbor::SparseCall& call, MPI_Info info, Carpool_Request* request) {
    return guarded(call.comm, [&] {
        check_comm(call.comm, "comm");
        *request = wrapped(neighbor::sparse_persistent(call, info));
    });
}

}  // namespace carpool::api

namespace {

void check_delivery(Carpool_Delivery delivery) {
    if (delivery == CARPOOL_DELIVERY_NULL)
        throw mpi::Error(MPI_ERR_ARG,
                         "delivery is CARPOOL_DELIVERY_NULL, expected that of an exchange");
}

}  // namespace

int Carpool_Sparse_exchange_init(Carpool_Delivery delivery, const void* sendbuf, void* recvbuf,
                                 MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return api::guarded(comm, [&] {
        api::check_comm(comm, "comm");
        const auto* arrived = delivery == CARPOOL_DELIVERY_NULL ? nullptr : &delivery->arrived;
        *request = api::wrapped(
            many::again(arrived, api::bytes_at(sendbuf), api::bytes_at(recvbuf), comm, info));
    });
}

int Carpool_Delivery_count(Carpool_Delivery delivery, int* count) {
    return api::guarded(MPI_COMM_SELF, [&] {
        check_delivery(delivery);
        *count = static_cast<int>(delivery->arrived.arrivals.size());
    });
}

int Carpool_Delivery_get(Carpool_Delivery delivery, int index, int* source, MPI_Count* bytes,
                         const void** data) {
    return api::guarded(MPI_COMM_SELF, [&] {
        check_delivery(delivery);
        const auto& arrivals = delivery->arrived.arrivals;
        if (index < 0 || static_cast<std::size_t>(index) >= arrivals.size())
            throw mpi::Error(MPI_ERR_ARG, "index is " + std::to_string(index) +
                                              ", expected from 0 on, less than " +
                                              std::to_string(arrivals.size()));
        const auto& arrival = arrivals[static_cast<std::size_t>(index)];
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
