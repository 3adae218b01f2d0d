// SPDX-License-Identifier: MIT
#pragma once

#include "checked_request.hpp"

#include <cstddef>
#include <iterator>
#include <random>
#include <vector>

namespace carpool::tests {

inline Info any_info(std::mt19937& rng, bool of_bundle) {
    constexpr const char* transfers[] = {"auto", "pack", "types"};
    constexpr const char* requests[] = {"auto", "persistent", "immediate"};
    constexpr const char* betas[] = {"1e-9", "1e-6", "1e-3"};  // all blocks share, some, few
    const auto one_of = [&rng](auto& list) { return list[rng() % std::size(list)]; };
    const auto* const transfer = one_of(transfers);
    const auto* const sends = one_of(requests);
    const auto* const beta = one_of(betas);
    if (!of_bundle) return info_of({{"carpool_transfer", transfer}, {"carpool_requests", sends}});
    return info_of({{"carpool_transfer", transfer},
                    {"carpool_requests", sends},
                    {"carpool_alpha", "1e-5"},
                    {"carpool_beta", beta}});
}

inline HaloCase small_halo(const Torus& torus) {
    HaloCase halo;
    halo.torus = torus;
    for (const int ranks : torus.dims)
        halo.extents.emplace_back(static_cast<std::size_t>(ranks), 3);
    halo.lower = halo.upper = std::vector<int>(torus.dims.size(), 1);
    halo.stencil = moore(static_cast<int>(torus.dims.size()), 1);
    return halo;
}

/// Requests that may be bundled: on neighborhoods of one grid, on another communicator with this
/// grid, and on a graph.
class BundleableRequests {
public:
    explicit BundleableRequests(std::mt19937& rng)
        : rng_(rng),
          near_(torus_of(2), moore(2, 1)),
          far_(torus_of(2), stencil(2, 4)),
          mesh_(mesh_of(2), von_neumann(2, 2)),
          neighbors_(own_neighbors(
              graph_cases(world_size())[rng() % graph_cases(world_size()).size()].targets, rng)),
          graph_(distributed_graph(neighbors_)) {}

    MPI_Comm comm() const { return near_.cart; }

    CheckedRequest next() {
        const auto info = any_info(rng_, false);
        const auto operation = operations[rng_() % std::size(operations)];
        const auto form = rng_() % 3 == 0 ? Form::background : Form::persistent;
        const bool largest = rng_() % 2 == 0;
        switch (rng_() % 7) {
            case 0:
                return checked_request(far_.exchange(operation), far_.cart, form, info);
            case 1:
                return checked_request(near_.exchange(operation), near_.cart, form, info);
            case 2:
                return checked_request(
                    CheckedExchange(along_edges(operation, neighbors_, world_rank()), neighbors_),
                    graph_, form, info);
            case 3:
                return neighbor_sum(far_, info, largest);
            case 4:
                return full_sum(graph_, info, largest);
            case 5:
                return halo(small_halo(near_.torus), near_.cart, info);
            default:
                return barrier(mesh_.cart);
        }
    }

    std::vector<CheckedRequest> several(std::size_t most) {
        std::vector<CheckedRequest> requests;
        for (auto n = rng_() % (most + 1); n > 0; --n) requests.push_back(next());
        return requests;
    }

private:
    std::mt19937& rng_;
    GridNeighborhood near_;
    GridNeighborhood far_;
    GridNeighborhood mesh_;
    Neighbors neighbors_;
    Comm graph_;
};

}  // namespace carpool::tests
