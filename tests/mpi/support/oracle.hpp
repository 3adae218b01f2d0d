// SPDX-License-Identifier: MIT
#pragma once

#include "coordinates.hpp"
#include "exchange_arguments.hpp"

#include <mpi.h>

#include <vector>

namespace carpool::tests {

/// The reference: one MPI_Irecv and one MPI_Isend per edge, with a tag that distinguishes edges
/// between the same ranks. Does not use Carpool.
/// @note Collective over comm, whose ranks are those of the neighbors.
inline void exchange_naively(const ExchangeArguments& exchange, const Neighbors& neighbors,
                             MPI_Comm comm) {
    const auto sends =
        blocks_of(exchange.send, exchange.send_shape(), static_cast<int>(neighbors.targets.size()));
    const auto recvs =
        blocks_of(exchange.recv, exchange.recv_shape(), static_cast<int>(neighbors.sources.size()));
    std::vector<MPI_Request> requests;
    for (std::size_t i = 0; i < recvs.size(); ++i)
        MPI_Irecv(recvs[i].address, static_cast<int>(recvs[i].count), recvs[i].type,
                  neighbors.sources[i], neighbors.source_tags[i], comm, &requests.emplace_back());
    for (std::size_t i = 0; i < sends.size(); ++i)
        MPI_Isend(sends[i].address, static_cast<int>(sends[i].count), sends[i].type,
                  neighbors.targets[i], neighbors.target_tags[i], comm, &requests.emplace_back());
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace carpool::tests
