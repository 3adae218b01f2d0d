// SPDX-License-Identifier: MIT
#pragma once

#include "graph_neighbors.hpp"
#include "grid_neighborhood.hpp"
#include "halo_array.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace carpool::tests {

/// A persistent request of any family with its buffers and the expected result of each start.
struct CheckedRequest {
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    std::function<void(int start)> prepare;
    std::function<std::string()> fault;
};

inline CheckedRequest checked_request(CheckedExchange&& given, MPI_Comm comm, Form form,
                                      MPI_Info info) {
    auto exchange = std::make_shared<CheckedExchange>(std::move(given));
    CheckedRequest result;
    exchange->make_call({form, comm, info, &result.request});
    result.prepare = [exchange](int start) { exchange->prepare(start); };
    result.fault = [exchange] { return exchange->fault(); };
    return result;
}

/// The input of a rank to a reduction at each start, and its result.
struct Contribution {
    std::vector<int> own;
    std::vector<int> result;

    static int given(int rank, int start, int i) { return (rank + 2) * (start + 3) + i; }

    void prepare(int rank, int start) {
        for (std::size_t i = 0; i < own.size(); ++i)
            own[i] = given(rank, start, static_cast<int>(i));
        std::fill(result.begin(), result.end(), -1);
    }
};

inline std::string mismatch(const std::vector<int>& wanted, const std::vector<int>& found) {
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (wanted[i] != found[i])
            return "element " + std::to_string(i) + " is " + std::to_string(found[i]) +
                   ", expected " + std::to_string(wanted[i]);
    return "";
}

/// The sum or maximum over some ranks; without ranks, the poison of the result.
inline std::vector<int> folded(const std::vector<int>& ranks, int start, std::size_t elements,
                               bool largest) {
    std::vector<int> result(elements, -1);
    for (std::size_t r = 0; r < ranks.size(); ++r)
        for (std::size_t i = 0; i < elements; ++i) {
            const int value = Contribution::given(ranks[r], start, static_cast<int>(i));
            result[i] = r == 0 ? value : largest ? std::max(result[i], value) : result[i] + value;
        }
    return result;
}

template <typename Init>
CheckedRequest summing(std::vector<int> ranks, std::size_t elements, bool largest, Init init) {
    auto contribution = std::make_shared<Contribution>();
    contribution->own.resize(elements);
    contribution->result.resize(elements);
    auto started = std::make_shared<int>(0);
    CheckedRequest result;
    init(contribution->own.data(), contribution->result.data(), static_cast<int>(elements),
         largest ? MPI_MAX : MPI_SUM, &result.request);
    result.prepare = [contribution, started](int start) {
        *started = start;
        contribution->prepare(world_rank(), start);
    };
    result.fault = [contribution, started, ranks, elements, largest] {
        return mismatch(folded(ranks, *started, elements, largest), contribution->result);
    };
    return result;
}

/// A reduction over the neighbors on a grid.
inline CheckedRequest neighbor_sum(const GridNeighborhood& grid, MPI_Info info, bool largest) {
    std::vector<int> sources;
    for (const int source : grid.neighbors.sources)
        if (source >= 0) sources.push_back(source);
    return summing(sources, 5, largest, [&](auto... arguments) {
        const auto [own, sum, n, op, request] = std::tuple(arguments...);
        Carpool_Neighbor_reduce_init(own, sum, n, MPI_INT, op, grid.cart, info, request);
    });
}

/// An allreduce over all ranks.
inline CheckedRequest full_sum(MPI_Comm comm, MPI_Info info, bool largest) {
    std::vector<int> all(static_cast<std::size_t>(world_size()));
    std::iota(all.begin(), all.end(), 0);
    return summing(all, 300, largest, [&](auto... arguments) {
        const auto [own, sum, n, op, request] = std::tuple(arguments...);
        Carpool_Allreduce_init(own, sum, n, MPI_INT, op, comm, info, request);
    });
}

inline CheckedRequest barrier(MPI_Comm comm) {
    CheckedRequest result{CARPOOL_REQUEST_NULL, [](int) {}, [] { return std::string(); }};
    Carpool_Barrier_init(comm, MPI_INFO_NULL, &result.request);
    return result;
}

inline CheckedRequest halo(HaloCase given, MPI_Comm cart, MPI_Info info) {
    struct Kept {
        HaloCase halo;
        HaloArrays arrays;
        int start = 0;
        explicit Kept(HaloCase h)
            : halo(std::move(h)), arrays(halo, world_rank(), 0, HaloArrays::Filled::owned) {}
    };
    auto kept = std::make_shared<Kept>(std::move(given));
    HaloCall call(kept->halo, kept->arrays.addresses());
    CheckedRequest result;
    Carpool_Halo_init(&call.arguments, cart, info, &result.request);
    result.prepare = [kept](int start) {
        kept->start = start;
        kept->arrays.take({kept->halo, world_rank(), start, HaloArrays::Filled::owned});
    };
    result.fault = [kept] {
        const HaloArrays wanted(kept->halo, world_rank(), kept->start, HaloArrays::Filled::all);
        return std::string(kept->arrays == wanted ? "" : "a cell is wrong");
    };
    return result;
}

/// A bundle of the others' requests.
inline CheckedRequest bundle(std::vector<CheckedRequest> members, MPI_Comm comm, MPI_Info info) {
    std::vector<Carpool_Request> requests;
    for (const auto& member : members) requests.push_back(member.request);
    CheckedRequest result;
    Carpool_Bundle_init(static_cast<int>(requests.size()), requests.data(), comm, info,
                        &result.request);
    result.prepare = [members](int start) {
        for (const auto& member : members) member.prepare(start);
    };
    result.fault = [members] {
        std::string all;
        for (std::size_t i = 0; i < members.size(); ++i)
            if (const auto fault = members[i].fault(); !fault.empty())
                all += "request " + std::to_string(i) + ": " + fault + "; ";
        return all;
    };
    return result;
}

inline std::string started_once(CheckedRequest& one, int start) {
    one.prepare(start);
    if (Carpool_Start(&one.request) != MPI_SUCCESS) return "the start failed";
    if (Carpool_Wait(&one.request, MPI_STATUS_IGNORE) != MPI_SUCCESS) return "the wait failed";
    return one.fault();
}

}  // namespace carpool::tests
