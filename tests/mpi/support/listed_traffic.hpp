// SPDX-License-Identifier: MIT
#pragma once

#include "byte_sides.hpp"

#include <carpool/sparse.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace carpool::tests {

/// A side with the peers that have any bytes, in an order of this rank's own.
template <class Rng>
ByteSide side_of(const std::vector<int>& bytes, Rng& rng) {
    std::vector<int> peers, counts;
    for (int peer = 0; peer < static_cast<int>(bytes.size()); ++peer)
        if (bytes[static_cast<std::size_t>(peer)] > 0) peers.push_back(peer);
    std::shuffle(peers.begin(), peers.end(), rng);
    for (const int peer : peers) counts.push_back(bytes[static_cast<std::size_t>(peer)]);
    return {std::move(peers), std::move(counts)};
}

/// Traffic along lists that the callers pass.
struct ListedTraffic : ByteSides {
    template <class Rng>
    ListedTraffic(const Traffic& traffic, Rng rng)
        : ByteSides{side_of(traffic.sent_by(world_rank()), rng),
                    side_of(traffic.received_by(world_rank()), rng)} {}

    int blocking(MPI_Comm comm) {
        return Carpool_Sparse_alltoallv(send.degree(), send.peers.data(), send.memory.data(),
                                        send.counts.data(), send.displs.data(), MPI_BYTE,
                                        recv.degree(), recv.peers.data(), recv.memory.data(),
                                        recv.counts.data(), recv.displs.data(), MPI_BYTE, comm);
    }
    int nonblocking(MPI_Comm comm, MPI_Request* request) {
        return Carpool_Isparse_alltoallv(
            send.degree(), send.peers.data(), send.memory.data(), send.counts.data(),
            send.displs.data(), MPI_BYTE, recv.degree(), recv.peers.data(), recv.memory.data(),
            recv.counts.data(), recv.displs.data(), MPI_BYTE, comm, request);
    }
    int init(MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
        return Carpool_Sparse_alltoallv_init(
            send.degree(), send.peers.data(), send.memory.data(), send.counts.data(),
            send.displs.data(), MPI_BYTE, recv.degree(), recv.peers.data(), recv.memory.data(),
            recv.counts.data(), recv.displs.data(), MPI_BYTE, comm, info, request);
    }
};

}  // namespace carpool::tests
