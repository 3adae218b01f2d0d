// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "scene.hpp"

#include <carpool/sparse.h>
#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

/// Equal blocks for some ranks, and from as many ranks.
struct Personal {
    Personal(int degree, int bytes_per_block) : bytes(bytes_per_block) {
        check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
        check(MPI_Comm_size(MPI_COMM_WORLD, &size));
        const auto n = static_cast<std::size_t>(size);
        send_counts.assign(n, 0), send_displs.assign(n, 0);
        recv_counts.assign(n, 0), recv_displs.assign(n, 0);
        for (int k = 0; k < degree; ++k) {
            add((rank + k + 1) % size, k, targets, send_counts, send_displs);
            add((rank - k - 1 + 2 * size) % size, k, sources, recv_counts, recv_displs);
            counts.push_back(bytes);
            displs.push_back(k * bytes);
        }
        const auto whole = static_cast<std::size_t>(degree) * static_cast<std::size_t>(bytes);
        send.resize(whole);
        recv.resize(whole);
        for (std::size_t i = 0; i < whole; ++i)
            send[i] = static_cast<std::byte>(i * 31 + static_cast<std::size_t>(rank) * 7);
    }

    int degree() const { return static_cast<int>(targets.size()); }

    int rank = 0, size = 0, bytes;
    std::vector<int> targets, sources, counts, displs;                    // as lists
    std::vector<int> send_counts, send_displs, recv_counts, recv_displs;  // by rank
    std::vector<std::byte> send, recv;

private:
    void add(int peer, int k, std::vector<int>& peers, std::vector<int>& by_rank,
             std::vector<int>& at) const {
        peers.push_back(peer);
        by_rank[static_cast<std::size_t>(peer)] = bytes;
        at[static_cast<std::size_t>(peer)] = k * bytes;
    }
};

/// An all-to-all by the named algorithm. @note Collective @pre there are blocks for all other ranks
inline Carpool_Request alltoall_by(const std::string& algorithm, Personal& p) {
    const auto info = info_with({{"carpool_algorithm", algorithm}});
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    check(Carpool_Alltoallv_init(p.send.data(), p.send_counts.data(), p.send_displs.data(),
                                 MPI_BYTE, p.recv.data(), p.recv_counts.data(),
                                 p.recv_displs.data(), MPI_BYTE, MPI_COMM_WORLD, info.get(),
                                 &request));
    return request;
}

/// An exchange along lists of receivers and senders. @note Collective
inline Carpool_Request lists_by(Personal& p, const char* algorithm, const char* digits) {
    const auto info = info_with({{"carpool_algorithm", algorithm}, {"carpool_digits", digits}});
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    check(Carpool_Sparse_alltoallv_init(
        p.degree(), p.targets.data(), p.send.data(), p.counts.data(), p.displs.data(), MPI_BYTE,
        p.degree(), p.sources.data(), p.recv.data(), p.counts.data(), p.displs.data(), MPI_BYTE,
        MPI_COMM_WORLD, info.get(), &request));
    return request;
}

/// The algorithm's name in tables and figures.
inline std::string called(const std::string& algorithm) {
    return "Carpool " + (algorithm == "spread" ? "direct" : algorithm);
}

}  // namespace bench
