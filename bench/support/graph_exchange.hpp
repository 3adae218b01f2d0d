// SPDX-License-Identifier: MIT
#pragma once

#include "edges.hpp"
#include "host_forms.hpp"
#include "message_loop.hpp"
#include "race.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace bench {

/// An exchange of equal blocks on a graph.
struct GraphExchange {
    GraphExchange(const Edges& e, MPI_Comm comm, bool gathers, int bytes_per_block)
        : edges(e),
          graph(comm),
          allgather(gathers),
          bytes(bytes_per_block),
          send(static_cast<std::size_t>(bytes) * (gathers ? 1 : e.targets.size())),
          recv(static_cast<std::size_t>(bytes) * e.sources.size()) {
        send.reserve(1);  // MPICH refuses null pointers, even of a rank without neighbors
        recv.reserve(1);
        int rank = 0;
        check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
        for (std::size_t i = 0; i < send.size(); ++i)
            send[i] = static_cast<std::byte>(i * 31 + static_cast<std::size_t>(rank) * 7);
    }

    /// The arguments that every form of the exchange takes before its communicator.
    auto arguments() {
        return std::tuple{send.data(), bytes, MPI_BYTE, recv.data(), bytes, MPI_BYTE};
    }

    const Edges& edges;
    MPI_Comm graph;
    bool allgather;
    int bytes;
    std::vector<std::byte> send, recv;
};

inline std::vector<Racer> by_host(GraphExchange& x) {
    return x.allgather ? host_forms("host", MPI_Neighbor_allgather, MPI_Ineighbor_allgather,
                                    MPI_Neighbor_allgather_init, x.arguments(), x.graph)
                       : host_forms("host", MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall,
                                    MPI_Neighbor_alltoall_init, x.arguments(), x.graph);
}

inline Racer by_hand(GraphExchange& x) {
    const auto loop = std::make_shared<MessageLoop>(MPI_COMM_WORLD);
    const auto block = [&x](std::vector<std::byte>& buffer, std::size_t i) {
        return buffer.data() + i * static_cast<std::size_t>(x.bytes);
    };
    for (std::size_t i = 0; i < x.edges.sources.size(); ++i)
        loop->receive(block(x.recv, i), x.bytes, x.edges.sources[i], 1);
    for (std::size_t i = 0; i < x.edges.targets.size(); ++i)
        loop->send(block(x.send, x.allgather ? 0 : i), x.bytes, x.edges.targets[i], 1);
    loop->make_persistent();
    return {"by hand", [loop] { loop->run_persistent(); }};
}

/// Makes a persistent request; the info names its rule.
inline int carpool_init(GraphExchange& x, MPI_Info info, Carpool_Request* request) {
    const auto init =
        x.allgather ? Carpool_Neighbor_allgather_init : Carpool_Neighbor_alltoall_init;
    return std::apply(init, std::tuple_cat(x.arguments(), std::tuple{x.graph, info, request}));
}

inline Carpool_Request carpool_request(GraphExchange& x, const std::string& rule) {
    const auto info = info_with({{"carpool_algorithm", rule}});
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    check(carpool_init(x, info.get(), &request));
    return request;
}

/// Does the exchange by the blocking call.
inline int carpool_call(GraphExchange& x) {
    const auto call = x.allgather ? Carpool_Neighbor_allgather : Carpool_Neighbor_alltoall;
    return std::apply(call, std::tuple_cat(x.arguments(), std::tuple{x.graph}));
}

}  // namespace bench
