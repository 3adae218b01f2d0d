// SPDX-License-Identifier: MIT
#include "api/sparse.hpp"

#include "api/check_init.hpp"
#include "api/guarded.hpp"
#include "api/request.hpp"
#include "base/element.hpp"
#include "sparse/repeated.hpp"

#include <iterator>
#include <string>
#include <utility>

using namespace carpool;

namespace carpool::api {

namespace {

/// The deliveries of this process, by handle.
constinit base::HandleTable<sparse::Delivery> deliveries(0xca81);

auto into(Carpool_Delivery* delivery) {
    check_not_null("delivery", delivery, "the address of a delivery");
    return [delivery](sparse::Delivery arrived) {
        *delivery = reinterpret_cast<Carpool_Delivery>(deliveries.add(std::move(arrived)));
    };
}

}  // namespace

std::unique_ptr<engine::Request> once(const SparseExchangeCall& call) {
    return sparse::exchanged(call.comm, call.arguments, into(call.delivery));
}

std::shared_ptr<call::BoundCall> filled(const SparseExchangeCall& call) {
    if (call.delivery == nullptr) return nullptr;  // once() refuses it
    return sparse::exchanged_again(call.comm, call.arguments, into(call.delivery));
}

}  // namespace carpool::api

namespace {

std::string callers(std::int64_t index) { return std::to_string(base::callers_index(index)); }

sparse::Delivery& checked(Carpool_Delivery delivery) {
    auto* const arrived = api::deliveries.find(api::number_of(delivery));
    if (arrived == nullptr)
        throw mpi::Error(
            MPI_ERR_ARG,
            std::string("delivery is ") +
                (delivery == CARPOOL_DELIVERY_NULL ? "CARPOOL_DELIVERY_NULL"
                                                   : "no Carpool_Delivery, or has been freed") +
                ", expected a delivery that a sparse exchange has returned");
    return *arrived;
}

}  // namespace

int Carpool_Sparse_exchange_init(Carpool_Delivery delivery, const void* sendbuf, void* recvbuf,
                                 MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    const char* const function = __func__;
    return api::guarded(function, comm, [&] {
        api::check_init(comm, info, request);
        const sparse::Delivery* arrived = nullptr;
        const auto mistake = mpi::mistake_in([&] { arrived = &checked(delivery); });
        *request = api::wrapped(function, sparse::repeated(arrived, mistake, api::bytes_at(sendbuf),
                                                           api::bytes_at(recvbuf), comm, info));
    });
}

int Carpool_Delivery_count(Carpool_Delivery delivery, int* count) {
    return api::guarded(__func__, MPI_COMM_NULL, [&] {
        const auto& parcels = checked(delivery).parcels;
        api::check_not_null("count", count, "the address of an int");
        *count = static_cast<int>(parcels.size());
    });
}

int Carpool_Delivery_get(Carpool_Delivery delivery, int index, int* source, MPI_Count* bytes,
                         const void** data) {
    return api::guarded(__func__, MPI_COMM_NULL, [&] {
        const auto& parcels = checked(delivery).parcels;
        if (index < 0 || static_cast<std::size_t>(index) >= parcels.size())
            throw mpi::Error(MPI_ERR_ARG, "index is " + callers(index) + ", expected from " +
                                              callers(0) + " on, less than " +
                                              callers(std::ssize(parcels)));
        const auto& parcel = parcels[static_cast<std::size_t>(index)];
        *source = parcel.source;
        *bytes = parcel.bytes;
        *data = parcel.data;
    });
}

int Carpool_Delivery_free(Carpool_Delivery* delivery) {
    return api::guarded(__func__, MPI_COMM_NULL, [&] {
        api::check_not_null("delivery", delivery, "the address of a delivery");
        checked(*delivery);
        api::deliveries.take(api::number_of(std::exchange(*delivery, CARPOOL_DELIVERY_NULL)));
    });
}
