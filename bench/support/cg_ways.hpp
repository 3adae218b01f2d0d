// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "handle.hpp"
#include "race.hpp"
#include "sparse_halo.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bench::cg {

/// The communication of conjugate gradients.
struct Together {
    std::function<void()> exchange;          ///< fetches other ranks' entries of p
    std::function<double(double mine)> sum;  ///< over all ranks
    std::optional<Carpool_Plan> plan = {};
};

/// The data and communicators of an exchange along a graph and of sums over all ranks.
struct Place {
    SparseHalo& halo;
    double* others;
    MPI_Comm graph, all;
};

/// One form of the communication, by MPI or by Carpool; `on` makes the requests that it needs.
struct Way {
    std::string name;
    std::function<Together(const Place&)> on;
};

template <class Exchange, class... More>
int exchange_by(Exchange exchange, const Place& place, More... more) {
    auto& h = place.halo;
    return exchange(h.out.data(), h.sendcounts.data(), h.sdispls.data(), MPI_DOUBLE, place.others,
                    h.recvcounts.data(), h.rdispls.data(), MPI_DOUBLE, place.graph, more...);
}

inline double host_sum(double mine, MPI_Comm all) {
    check(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_SUM, all));
    return mine;
}

inline Together blocking(const Place& place) {
    return {[place] { check(exchange_by(MPI_Neighbor_alltoallv, place)); },
            [place](double mine) { return host_sum(mine, place.all); }};
}

inline Together nonblocking(const Place& place) {
    return {[place] {
                MPI_Request request = MPI_REQUEST_NULL;
                check(exchange_by(MPI_Ineighbor_alltoallv, place, &request));
                check(MPI_Wait(&request, MPI_STATUS_IGNORE));
            },
            [place](double mine) {
                MPI_Request request = MPI_REQUEST_NULL;
                double sum = 0;
                check(MPI_Iallreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, place.all, &request));
                check(MPI_Wait(&request, MPI_STATUS_IGNORE));
                return sum;
            }};
}

/// Input and result of a persistent sum, at fixed addresses.
struct Sum {
    double mine = 0, all = 0;
};

inline Together persistent(const Place& place) {
    MPI_Request exchange = MPI_REQUEST_NULL, sum = MPI_REQUEST_NULL;
    const auto values = std::make_shared<Sum>();
    check(exchange_by(MPI_Neighbor_alltoallv_init, place, MPI_INFO_NULL, &exchange));
    check(MPI_Allreduce_init(&values->mine, &values->all, 1, MPI_DOUBLE, MPI_SUM, place.all,
                             MPI_INFO_NULL, &sum));
    const auto done = [](const std::shared_ptr<HostRequest>& request) {
        check(MPI_Start(request->address()));
        check(MPI_Wait(request->address(), MPI_STATUS_IGNORE));
    };
    const auto exchanging = std::make_shared<HostRequest>(exchange);
    const auto summing = std::make_shared<HostRequest>(sum);
    return {[=] { done(exchanging); },
            [=](double mine) {
                values->mine = mine;
                done(summing);
                return values->all;
            }};
}

inline std::function<void()> by_request(const Place& place, std::optional<Carpool_Plan>& plan) {
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    check(exchange_by(Carpool_Neighbor_alltoallv_init, place, MPI_INFO_NULL, &request));
    auto racer = racer_of("", request);
    plan = racer.plan;
    return racer.run;
}

inline Together carpool_call(const Place& place) {
    return {[place] { check(exchange_by(Carpool_Neighbor_alltoallv, place)); },
            [place](double mine) { return host_sum(mine, place.all); }};
}

inline Together carpool_request(const Place& place) {
    Together together;
    together.exchange = by_request(place, together.plan);
    together.sum = [place](double mine) { return host_sum(mine, place.all); };
    return together;
}

/// As carpool_request, with the sums by Carpool too.
inline Together carpool_requests(const Place& place) {
    Together together;
    together.exchange = by_request(place, together.plan);
    const auto values = std::make_shared<Sum>();
    Carpool_Request sum = CARPOOL_REQUEST_NULL;
    check(Carpool_Allreduce_init(&values->mine, &values->all, 1, MPI_DOUBLE, MPI_SUM, place.all,
                                 MPI_INFO_NULL, &sum));
    together.sum = [values, add = racer_of("", sum).run](double mine) {
        values->mine = mine;
        add();
        return values->all;
    };
    return together;
}

inline const std::vector<Way> ways{
    {"host blocking", blocking},          {"host nonblocking", nonblocking},
    {"host persistent", persistent},      {"Carpool call", carpool_call},
    {"Carpool request", carpool_request}, {"Carpool requests", carpool_requests}};

}  // namespace bench::cg
