#include "api/sparse.hpp"

#include "api/check_init.hpp"
#include "api/guarded.hpp"
#include "api/request.hpp"
#include "sparse/repeated.hpp"

#include <string>
#include <utility>

using namespace carpool;

/// What a Carpool_Delivery points to.
struct Carpool_Delivery_s {
    sparse::Delivery arrived;
};

namespace carpool::api {

namespace {

auto into(Carpool_Delivery* delivery) {
    check_not_null("delivery", delivery, "the address of a delivery");
    return [delivery](sparse::Delivery arrived) {
        *delivery = new Carpool_Delivery_s{std::move(arrived)};
    };
}

}  // namespace

std::unique_ptr<engine::Request> once(const SparseExchangeCall& call, call::Until) {
    return sparse::exchanged(call.comm, call.arguments, into(call.delivery));
}

std::shared_ptr<call::BoundCall> recent(const SparseExchangeCall& call, call::Until) {
    if (call.delivery == nullptr) return nullptr;  // once() refuses
    return sparse::exchanged_again(call.comm, call.arguments, into(call.delivery));
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
    return api::guarded(__func__, comm, [&] {
        api::check_init(comm, info, request);
        const auto* arrived = delivery == CARPOOL_DELIVERY_NULL ? nullptr : &delivery->arrived;
        *request = api::wrapped(__func__, sparse::repeated(arrived, api::bytes_at(sendbuf),
                                                           api::bytes_at(recvbuf), comm, info));
    });
}

int Carpool_Delivery_count(Carpool_Delivery delivery, int* count) {
    return api::guarded(__func__, MPI_COMM_SELF, [&] {
        check_delivery(delivery);
        api::check_not_null("count", count, "the address of an int");
        *count = static_cast<int>(delivery->arrived.parcels.size());
    });
}

int Carpool_Delivery_get(Carpool_Delivery delivery, int index, int* source, MPI_Count* bytes,
                         const void** data) {
    return api::guarded(__func__, MPI_COMM_SELF, [&] {
        check_delivery(delivery);
        const auto& parcels = delivery->arrived.parcels;
        if (index < 0 || static_cast<std::size_t>(index) >= parcels.size())
            throw mpi::Error(MPI_ERR_ARG, "index is " + std::to_string(index) +
                                              ", expected from 0 on, less than " +
                                              std::to_string(parcels.size()));
        const auto& parcel = parcels[static_cast<std::size_t>(index)];
        *source = parcel.source;
        *bytes = parcel.bytes;
        *data = parcel.data;
    });
}

int Carpool_Delivery_free(Carpool_Delivery* delivery) {
    return api::guarded(__func__, MPI_COMM_SELF, [&] {
        api::check_not_null("delivery", delivery, "the address of a delivery");
        check_delivery(*delivery);
        delete std::exchange(*delivery, CARPOOL_DELIVERY_NULL);
    });
}
