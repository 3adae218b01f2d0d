#pragma once

#include "coordinates.hpp"
#include "exchange.hpp"

#include <mpi.h>

#include <vector>

namespace carpool::tests {

/// The reference: one MPI_Irecv and one MPI_Isend per position, tag = position, so that repeated
/// offsets pair up. Knows nothing of Carpool.
/// @note Collective over comm, whose ranks are those of the neighbors.
inline void exchange_naively(const Exchange& exchange, const Neighbors& neighbors, MPI_Comm comm) {
    const int t = static_cast<int>(neighbors.sources.size());
    const auto sends = blocks_of(exchange.send, exchange.send_shape(), t);
    const auto recvs = blocks_of(exchange.recv, exchange.recv_shape(), t);
    std::vector<MPI_Request> requests(2 * sends.size());
    for (std::size_t i = 0; i < sends.size(); ++i) {
        const int tag = static_cast<int>(i);
        MPI_Irecv(recvs[i].address, static_cast<int>(recvs[i].count), recvs[i].type,
                  neighbors.sources[i], tag, comm, &requests[2 * i]);
        MPI_Isend(sends[i].address, static_cast<int>(sends[i].count), sends[i].type,
                  neighbors.targets[i], tag, comm, &requests[2 * i + 1]);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace carpool::tests
