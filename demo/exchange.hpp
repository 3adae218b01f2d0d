// SPDX-License-Identifier: MIT
#pragma once

#include "halo.hpp"
#include "mpi.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace demo {

/// What an exchange costs one rank, each time.
struct Traffic {
    std::string rule;
    std::int64_t messages = 0;
    std::int64_t bytes = 0;
};

/// One way to fill the halo of a buffer. All ways are given the same types.
class Exchange {
public:
    virtual ~Exchange() = default;
    virtual void fill_halo() = 0;
    virtual Traffic traffic() const = 0;
};

/// Paper 2's listing 3: what you would copy.
class CarpoolExchange : public Exchange {
public:
    CarpoolExchange(double* field, const Halo& halo, MPI_Comm cart, const char* rule) {
        MPI_Info info;
        check(MPI_Info_create(&info));
        const Info owner(info);
        check(MPI_Info_set(info, "carpool_algorithm", rule));
        Carpool_Request request;
        check(Carpool_Neighbor_alltoallw_init(
            field, halo.counts(), halo.displacements(), halo.send_types(), field, halo.counts(),
            halo.displacements(), halo.recv_types(), cart, info, &request));
        request_ = Owned<Carpool_Request, Carpool_Request_free>(request);
    }

    void fill_halo() override {
        check(Carpool_Start(request_.address()));
        check(Carpool_Wait(request_.address(), MPI_STATUS_IGNORE));
    }

    Traffic traffic() const override {
        Carpool_Plan plan;
        check(Carpool_Request_get_plan(request_.get(), &plan));
        return {plan.algorithm, plan.messages, plan.bytes};
    }

private:
    Owned<Carpool_Request, Carpool_Request_free> request_;
};

/// The halo call: nothing but the shape of the arrays and the stencil. It sends the halo of every
/// population whole, not only of those that enter it, and no cell twice.
class HaloCallExchange : public Exchange {
public:
    HaloCallExchange(double* field, const Halo& halo, MPI_Comm cart) {
        const PopulationArrays& arrays = halo.arrays();
        std::vector<void*> fields;
        for (int i = 0; i < arrays.populations; ++i) fields.push_back(field + i * arrays.volume);
        const std::vector<int> width(arrays.cells.size(), 1);
        std::vector<int> stencil(static_cast<std::size_t>(halo.neighbors()) * width.size());
        check(Carpool_Cart_neighbor_offsets(cart, halo.neighbors(), stencil.data()));
        const Carpool_Halo call{arrays.populations, fields.data(),    arrays.cells.data(),
                                width.data(),       width.data(),     MPI_ORDER_C,
                                MPI_DOUBLE,         halo.neighbors(), stencil.data()};
        Carpool_Request request;
        check(Carpool_Halo_init(&call, cart, MPI_INFO_NULL, &request));
        request_ = Owned<Carpool_Request, Carpool_Request_free>(request);
    }

    void fill_halo() override {
        check(Carpool_Start(request_.address()));
        check(Carpool_Wait(request_.address(), MPI_STATUS_IGNORE));
    }

    Traffic traffic() const override {
        Carpool_Plan plan;
        check(Carpool_Request_get_plan(request_.get(), &plan));
        return {plan.algorithm, plan.messages, plan.bytes};
    }

private:
    Owned<Carpool_Request, Carpool_Request_free> request_;
};

/// The host MPI's blocking collective.
class HostExchange : public Exchange {
public:
    HostExchange(double* field, const Halo& halo, MPI_Comm graph)
        : field_(field), halo_(halo), graph_(graph) {}

    void fill_halo() override {
        check(MPI_Neighbor_alltoallw(field_, halo_.counts(), halo_.displacements(),
                                     halo_.send_types(), field_, halo_.counts(),
                                     halo_.displacements(), halo_.recv_types(), graph_));
    }

    Traffic traffic() const override { return {"host", halo_.neighbors(), halo_.bytes()}; }

private:
    double* field_;
    const Halo& halo_;
    MPI_Comm graph_;
};

// Open MPI 5 has them, though it calls itself MPI 3.1.
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define DEMO_HOST_HAS_PERSISTENT_COLLECTIVES
#endif

#ifdef DEMO_HOST_HAS_PERSISTENT_COLLECTIVES
/// The host MPI's persistent collective.
class HostPersistentExchange : public Exchange {
public:
    HostPersistentExchange(double* field, const Halo& halo, MPI_Comm graph)
        : traffic_{"host", halo.neighbors(), halo.bytes()} {
        MPI_Request request;
        check(MPI_Neighbor_alltoallw_init(
            field, halo.counts(), halo.displacements(), halo.send_types(), field, halo.counts(),
            halo.displacements(), halo.recv_types(), graph, MPI_INFO_NULL, &request));
        request_ = Owned<MPI_Request, MPI_Request_free>(request);
    }

    void fill_halo() override {
        check(MPI_Start(request_.address()));
        check(MPI_Wait(request_.address(), MPI_STATUS_IGNORE));
    }

    Traffic traffic() const override { return traffic_; }

private:
    Owned<MPI_Request, MPI_Request_free> request_;
    Traffic traffic_;
};
#endif

/// A named way to make an exchange on a buffer, whose halo types outlive it.
struct ExchangeKind {
    std::string name;
    std::function<std::unique_ptr<Exchange>(double* field, const Halo& halo, MPI_Comm cart,
                                            MPI_Comm graph)>
        make;
};

inline ExchangeKind carpool_kind(const char* rule) {
    return {std::string("Carpool ") + rule,
            [rule](double* field, const Halo& halo, MPI_Comm cart, MPI_Comm) {
                return std::make_unique<CarpoolExchange>(field, halo, cart, rule);
            }};
}

template <class HostKind>
ExchangeKind host_kind(const char* name) {
    return {name, [](double* field, const Halo& halo, MPI_Comm, MPI_Comm graph) {
                return std::make_unique<HostKind>(field, halo, graph);
            }};
}

/// All kinds; the first is the one that others are compared with.
inline std::vector<ExchangeKind> exchange_kinds() {
    return {
        host_kind<HostExchange>("host blocking"),
#ifdef DEMO_HOST_HAS_PERSISTENT_COLLECTIVES
        host_kind<HostPersistentExchange>("host persistent"),
#endif
        carpool_kind("direct"),
        carpool_kind("torus"),
        carpool_kind("cartesian"),
        {"Carpool halo call",
         [](double* field, const Halo& halo, MPI_Comm cart, MPI_Comm) {
             return std::make_unique<HaloCallExchange>(field, halo, cart);
         }},
        carpool_kind("auto"),
    };
}

}  // namespace demo
