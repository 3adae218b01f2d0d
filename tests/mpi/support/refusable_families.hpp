// SPDX-License-Identifier: MIT
#pragma once

#include "checked_exchange.hpp"
#include "checked_request.hpp"
#include "exchange_faults.hpp"
#include "halo_array.hpp"
#include "listed_traffic.hpp"
#include "parcels.hpp"
#include "refusable.hpp"
#include "world.hpp"

#include <carpool/carpool.h>
#include <carpool/sparse.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace carpool::tests {

// Calls of the other families, and what a rank can do wrong in them.

/// The code of a call, of its start if it is persistent, or of its wait.
inline int ended(int code, Form form, Carpool_Request& request, MPI_Request& once) {
    if (code != MPI_SUCCESS) return code;
    if (is_nonblocking(form)) return MPI_Wait(&once, MPI_STATUS_IGNORE);
    if (!is_persistent(form)) return code;
    code = Carpool_Start(&request);
    if (code == MPI_SUCCESS) code = Carpool_Wait(&request, MPI_STATUS_IGNORE);
    Carpool_Request_free(&request);
    return code;
}

/// A neighborhood collective with these neighbors. A rank makes no mistakes where it sends or
/// receives nothing, since no argument matters there.
inline Refusable refusable(const std::shared_ptr<CheckedExchange>& exchange,
                           const Neighbors& neighbors, Form form, MPI_Comm comm,
                           MPI_Datatype uncommitted) {
    const auto make = [=](const ExchangeArguments& arguments) {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        MPI_Request once = MPI_REQUEST_NULL;
        const int code = make_call(arguments, {form, comm, MPI_INFO_NULL, &request, &once});
        return ended(code, form, request, once);
    };
    exchange->prepare(0);
    const auto& right = exchange->arguments();
    Refusable result{
        std::string("neighbor_") + name_of(right.operation) + ", " + name_of(form),
        form,
        [=] { return make(exchange->arguments()); },
        {},
        [=] { return exchange->fault(); },
        [=] { return std::string(exchange->untouched() ? "" : "something was written"); }};
    if (neighbors.targets.empty() || neighbors.sources.empty() || right.send.counts[0] == 0 ||
        right.recv.counts[0] == 0)
        return result;
    const int last = static_cast<int>(right.recv.counts.size()) - 1;
    for (const auto& fault : exchange_faults(uncommitted, last)) {
        const bool exists =
            std::find(fault.in.begin(), fault.in.end(), right.operation) != fault.in.end();
        // on a graph the sizes of the two sides may differ
        if (!exists || fault.name.starts_with("sizes")) continue;
        auto wrong = right;
        fault.spoil(wrong);
        result.wrong.push_back({fault.name, fault.expected_error, [=] { return make(wrong); }});
    }
    return result;
}

/// A sum over neighbors.
inline Refusable refusable_sum(Form form, const std::vector<int>& sources, MPI_Comm comm) {
    struct Arguments {
        int count;
        MPI_Datatype type;
        MPI_Op op;
    };
    const auto numbers =
        std::make_shared<Contribution>(Contribution{std::vector<int>(5), std::vector<int>(5)});
    const auto make = [=](const Arguments& a) {
        const int* const own = numbers->own.data();
        int* const sum = numbers->result.data();
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        MPI_Request once = MPI_REQUEST_NULL;
        const int code =
            is_blocking(form) ? Carpool_Neighbor_reduce(own, sum, a.count, a.type, a.op, comm)
            : is_nonblocking(form)
                ? Carpool_Ineighbor_reduce(own, sum, a.count, a.type, a.op, comm, &once)
                : Carpool_Neighbor_reduce_init(own, sum, a.count, a.type, a.op, comm, MPI_INFO_NULL,
                                               &request);
        return ended(code, form, request, once);
    };
    const Arguments right{5, MPI_INT, MPI_SUM};
    numbers->prepare(world_rank(), 0);
    const auto differing_lists = [=](const std::vector<int>& ranks) {
        return mismatch(folded(ranks, 0, 5, false), numbers->result);
    };
    return {std::string("neighbor_reduce, ") + name_of(form),
            form,
            [=] { return make(right); },
            {{"negative count",
              {MPI_ERR_COUNT, {"count", "-2"}},
              [=] { return make({-2, MPI_INT, MPI_SUM}); }},
             {"null type",
              {MPI_ERR_TYPE, {"datatype", "MPI_DATATYPE_NULL"}},
              [=] { return make({5, MPI_DATATYPE_NULL, MPI_SUM}); }},
             {"null operator",
              {MPI_ERR_OP, {"op", "MPI_OP_NULL"}},
              [=] { return make({5, MPI_INT, MPI_OP_NULL}); }}},
            [=] { return differing_lists(sources); },
            [=] { return differing_lists({}); }};
}

/// A call along lists.
inline Refusable refusable(const std::shared_ptr<ListedTraffic>& right, Form form, MPI_Comm comm) {
    const auto make = [=](ListedTraffic& traffic) {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        MPI_Request once = MPI_REQUEST_NULL;
        const int code = is_blocking(form)      ? traffic.blocking(comm)
                         : is_nonblocking(form) ? traffic.nonblocking(comm, &once)
                                                : traffic.init(comm, MPI_INFO_NULL, &request);
        return ended(code, form, request, once);
    };
    right->prepare(0);
    Refusable result{
        std::string("sparse_alltoallv, ") + name_of(form),
        form,
        [=] { return make(*right); },
        {},
        [=] { return right->fault(); },
        [=] { return std::string(all_poison(right->recv.memory) ? "" : "it has written"); }};
    const auto add = [&](const char* name, const ExpectedError& expected_error, auto spoil) {
        const auto wrong = std::make_shared<ListedTraffic>(*right);
        spoil(*wrong);
        result.wrong.push_back({name, expected_error, [=] { return make(*wrong); }});
    };
    if (!right->send.peers.empty()) {
        add("a destination out of range", {MPI_ERR_RANK, {"destinations[0]"}},
            [](auto& traffic) { traffic.send.peers[0] = world_size(); });
        add("a negative count", {MPI_ERR_COUNT, {"sendcounts[0]", "-1"}},
            [](auto& traffic) { traffic.send.counts[0] = -1; });
    }
    if (!right->recv.peers.empty())
        add("a negative source", {MPI_ERR_RANK, {"sources[0]", "-9"}},
            [](auto& traffic) { traffic.recv.peers[0] = -9; });
    return result;
}

/// An exchange whose receivers do not know the senders.
inline Refusable refusable(const std::shared_ptr<Parcels>& right, Form form, MPI_Comm comm) {
    const auto delivery = std::make_shared<Carpool_Delivery>(CARPOOL_DELIVERY_NULL);
    const auto make = [=](const Parcels& parcels) {
        if (is_blocking(form)) return parcels.exchange(comm, delivery.get());
        MPI_Request once = MPI_REQUEST_NULL;
        const int code = parcels.begin(comm, delivery.get(), &once);
        return code != MPI_SUCCESS ? code : MPI_Wait(&once, MPI_STATUS_IGNORE);
    };
    Refusable result{std::string("sparse_exchange, ") + name_of(form),
                     form,
                     [=] { return make(*right); },
                     {},
                     [=] {
                         auto fault = right->fault(*delivery);
                         Carpool_Delivery_free(delivery.get());
                         return fault;
                     },
                     [] { return std::string(); }};
    const auto add = [&](const char* name, const ExpectedError& expected_error, auto spoil) {
        const auto wrong = std::make_shared<Parcels>(*right);
        spoil(*wrong);
        result.wrong.push_back({name, expected_error, [=] { return make(*wrong); }});
    };
    if (right->targets.empty()) return result;
    add("a destination out of range", {MPI_ERR_RANK, {"destinations[0]"}},
        [](auto& parcels) { parcels.targets[0] = world_size(); });
    add("a negative count", {MPI_ERR_COUNT, {"sendcounts[0]", "-1"}},
        [](auto& parcels) { parcels.counts[0] = -1; });
    return result;
}

/// A halo exchange.
inline Refusable refusable(const std::shared_ptr<HaloCase>& halo, MPI_Comm cart) {
    const auto arrays =
        std::make_shared<HaloArrays>(*halo, world_rank(), 0, HaloArrays::Filled::owned);
    const auto make = [=](const std::function<void(HaloCall&)>& spoil) {
        HaloCall call(*halo, arrays->addresses());
        spoil(call);
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        MPI_Request none = MPI_REQUEST_NULL;
        const int code = Carpool_Halo_init(&call.arguments, cart, MPI_INFO_NULL, &request);
        return ended(code, Form::persistent, request, none);
    };
    const auto differing_halo = [=](HaloArrays::Filled filled) {
        const HaloArrays wanted(*halo, world_rank(), 0, filled);
        return std::string(*arrays == wanted ? "" : "a cell is wrong");
    };
    Refusable result{"halo_init",
                     Form::persistent,
                     [=] { return make([](HaloCall&) {}); },
                     {},
                     [=] { return differing_halo(HaloArrays::Filled::all); },
                     [=] { return differing_halo(HaloArrays::Filled::owned); }};
    const auto add = [&](const char* name, const ExpectedError& expected_error, auto spoil) {
        result.wrong.push_back({name, expected_error, [=] { return make(spoil); }});
    };
    add("a negative width", {MPI_ERR_ARG, {"upper[0] is -4"}},
        [](HaloCall& call) { call.upper[0] = -4; });
    add("a negative shape", {MPI_ERR_DIMS, {"shape[0] is -2"}},
        [](HaloCall& call) { call.shape[0] = -2; });
    add("a null field", {MPI_ERR_ARG, {"field[0]", "null"}},
        [](HaloCall& call) { call.field[0] = nullptr; });
    add("a null type", {MPI_ERR_TYPE, {"element"}},
        [](HaloCall& call) { call.arguments.element = MPI_DATATYPE_NULL; });
    add("an odd order", {MPI_ERR_ARG, {"order is 99"}},
        [](HaloCall& call) { call.arguments.order = 99; });
    return result;
}

/// A bundle of some requests.
inline Refusable refusable(const std::shared_ptr<std::vector<CheckedRequest>>& members,
                           MPI_Comm comm) {
    const auto make = [=](int n, bool with_null) {
        std::vector<Carpool_Request> requests;
        for (const auto& member : *members) {
            member.prepare(0);
            requests.push_back(member.request);
        }
        if (with_null) requests.back() = CARPOOL_REQUEST_NULL;
        Carpool_Request bundle = CARPOOL_REQUEST_NULL;
        MPI_Request none = MPI_REQUEST_NULL;
        const int code = Carpool_Bundle_init(n, requests.data(), comm, MPI_INFO_NULL, &bundle);
        return ended(code, Form::persistent, bundle, none);
    };
    const int n = static_cast<int>(members->size());
    return {"bundle_init",
            Form::persistent,
            [=] { return make(n, false); },
            {{"a negative number",
              {MPI_ERR_COUNT, {"Carpool_Bundle_init", "n is -1"}},
              [=] { return make(-1, false); }},
             {"a null request",
              {MPI_ERR_REQUEST, {"requests[" + std::to_string(n - 1) + "]", "NULL"}},
              [=] { return make(n, true); }}},
            [=] {
                std::string fault;
                for (const auto& member : *members) fault += member.fault();
                return fault;
            },
            [] { return std::string(); }};
}

}  // namespace carpool::tests
