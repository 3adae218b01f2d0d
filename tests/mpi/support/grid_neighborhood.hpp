// SPDX-License-Identifier: MIT
#pragma once

#include "checked_exchange.hpp"
#include "grid_cases.hpp"

#include <vector>

namespace carpool::tests {

/// A pattern on a torus or mesh of all ranks, with its communicator, on which exchanges are made.
struct GridNeighborhood {
    Torus torus;
    Pattern pattern;
    Neighbors neighbors;
    Comm cart;

    GridNeighborhood(Torus on, Pattern with, MPI_Info info = MPI_INFO_NULL)
        : torus(std::move(on)),
          pattern(std::move(with)),
          neighbors(neighbors_of(world_rank(), torus, pattern)),
          cart(neighborhood(torus, pattern, info)) {}

    CheckedExchange exchange(Operation operation) const {
        return CheckedExchange(slotted(operation, neighbors, world_rank()), neighbors);
    }
};

inline Torus torus_of(int d) {
    return {balanced_dims(world_size(), d), std::vector<int>(static_cast<std::size_t>(d), 1)};
}

inline Torus mesh_of(int d) {
    return {balanced_dims(world_size(), d), std::vector<int>(static_cast<std::size_t>(d), 0)};
}

/// Makes the persistent request of an exchange.
inline Carpool_Request init(const CheckedExchange& exchange, MPI_Comm comm,
                            MPI_Info info = MPI_INFO_NULL) {
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    exchange.make_call({Form::persistent, comm, info, &request});
    return request;
}

inline Carpool_Plan plan_of(Carpool_Request request) {
    Carpool_Plan plan{};
    Carpool_Request_get_plan(request, &plan);
    return plan;
}

inline std::string algorithm_of(Carpool_Request request) { return plan_of(request).algorithm; }

/// The plan of an exchange by the rule; its request is freed before the function returns.
inline Carpool_Plan plan_of(const CheckedExchange& exchange, MPI_Comm comm, const char* algorithm) {
    Carpool_Request request = init(exchange, comm, info_of({{"carpool_algorithm", algorithm}}));
    const auto plan = plan_of(request);
    Carpool_Request_free(&request);
    return plan;
}

}  // namespace carpool::tests
