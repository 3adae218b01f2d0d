// SPDX-License-Identifier: MIT
#pragma once

#include "halo_box.hpp"
#include "race.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace bench {

/// A periodic Cartesian communicator of three dimensions with all ranks. @note Collective
inline Communicator cart_of_all() {
    int size = 0;
    check(MPI_Comm_size(MPI_COMM_WORLD, &size));
    Triple dims{};
    const Triple periods{1, 1, 1};
    check(MPI_Dims_create(size, 3, dims.data()));
    MPI_Comm cart = MPI_COMM_NULL;
    check(MPI_Cart_create(MPI_COMM_WORLD, 3, dims.data(), periods.data(), 0, &cart));
    return Communicator(cart);
}

inline std::vector<Triple> offsets_of_27_points() {
    std::vector<Triple> offsets;
    for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
            for (int z = -1; z <= 1; ++z)
                if (x != 0 || y != 0 || z != 0) offsets.push_back({x, y, z});
    return offsets;
}

/// Offsets in the order of the neighbors of a Cartesian communicator.
inline std::vector<Triple> offsets_of_faces() {
    return {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
}

/// The order of the blocks that a rank receives.
enum class Order {
    by_offset,    ///< block i is sent and received along offset i: graphs and neighborhoods
    by_neighbor,  ///< block i is received from the rank to which block i is sent: MPI_Cart_create
};

/// The subarrays that an alltoallw sends from the array and receives into it.
struct HaloBlocks {
    HaloBlocks(const HaloBox& box, std::vector<Triple> by, Order received = Order::by_offset)
        : order(received), offsets(std::move(by)) {
        for (const auto& offset : offsets) {
            const int sign = order == Order::by_offset ? 1 : -1;
            Triple out{}, in{}, size{};
            for (std::size_t k = 0; k < 3; ++k) {
                std::tie(out[k], size[k]) = box.leaving(offset[k]);
                in[k] = box.coming(sign * offset[k]).first;
            }
            owned.push_back(box.subarray(out, size));
            send.push_back(owned.back().get());
            owned.push_back(box.subarray(in, size));
            receive.push_back(owned.back().get());
            targets.push_back(box.rank_at(offset, 1));
            sources.push_back(box.rank_at(offset, -sign));
        }
        counts.assign(offsets.size(), 1);
        displacements.assign(offsets.size(), 0);
    }

    int size() const { return static_cast<int>(offsets.size()); }

    /// The number that block i of this rank has on its sender.
    int tag_coming(std::size_t i) const {
        const auto number = static_cast<int>(i);
        return order == Order::by_offset ? number : number ^ 1;
    }

    Order order;
    std::vector<Triple> offsets;
    std::vector<DatatypeHandle> owned;
    std::vector<MPI_Datatype> send, receive;
    std::vector<int> targets, sources, counts;
    std::vector<MPI_Aint> displacements;
};

/// @pre blocks are ordered by offset @note Collective
inline Communicator graph_of(const HaloBlocks& b) {
    MPI_Comm graph = MPI_COMM_NULL;
    // The base is not the Cartesian communicator, although its ranks are the same: Open MPI would
    // count the wrong neighbors (ompi#14438).
    check(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, b.size(), b.sources.data(), MPI_UNWEIGHTED,
                                         b.size(), b.targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL,
                                         0, &graph));
    return Communicator(graph);
}

/// Calls a function with the arguments of MPI_Neighbor_alltoallw on these cells, followed by
/// `more`.
template <typename Call, typename... More>
int call_alltoallw(Call call, void* cells, const HaloBlocks& b, MPI_Comm comm, More... more) {
    return call(cells, b.counts.data(), b.displacements.data(), b.send.data(), cells,
                b.counts.data(), b.displacements.data(), b.receive.data(), comm, more...);
}

template <typename Call, typename... More>
int call_alltoallw(Call call, HaloBox& box, const HaloBlocks& b, MPI_Comm comm, More... more) {
    return call_alltoallw(call, static_cast<void*>(box.cells.data()), b, comm, more...);
}

inline Racer host_blocking(HaloBox& box, const HaloBlocks& b, MPI_Comm comm, std::string name) {
    return {std::move(name),
            [&box, &b, comm] { check(call_alltoallw(MPI_Neighbor_alltoallw, box, b, comm)); }};
}

inline Racer host_nonblocking(HaloBox& box, const HaloBlocks& b, MPI_Comm comm, std::string name) {
    return {std::move(name), [&box, &b, comm] {
                MPI_Request request = MPI_REQUEST_NULL;
                check(call_alltoallw(MPI_Ineighbor_alltoallw, box, b, comm, &request));
                check(MPI_Wait(&request, MPI_STATUS_IGNORE));
            }};
}

inline Racer host_persistent(HaloBox& box, const HaloBlocks& b, MPI_Comm comm, std::string name) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(call_alltoallw(MPI_Neighbor_alltoallw_init, box, b, comm, MPI_INFO_NULL, &request));
    const auto held = std::make_shared<HostRequest>(request);
    return {std::move(name), [held] {
                check(MPI_Start(held->address()));
                check(MPI_Wait(held->address(), MPI_STATUS_IGNORE));
            }};
}

inline Racer carpool_call(HaloBox& box, const HaloBlocks& b, MPI_Comm comm, std::string name) {
    return {std::move(name),
            [&box, &b, comm] { check(call_alltoallw(Carpool_Neighbor_alltoallw, box, b, comm)); }};
}

inline Racer carpool_request(HaloBox& box, const HaloBlocks& b, MPI_Comm comm, std::string name) {
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    check(call_alltoallw(Carpool_Neighbor_alltoallw_init, box, b, comm, MPI_INFO_NULL, &request));
    return racer_of(std::move(name), request);
}

/// A loop of Isend and Irecv; a message's tag is its block's number on the sender.
inline Racer by_hand(HaloBox& box, const HaloBlocks& b, MPI_Comm comm, std::string name) {
    const auto requests = std::make_shared<std::vector<MPI_Request>>(2 * b.offsets.size());
    return {std::move(name), [&box, &b, comm, requests] {
                auto* next = requests->data();
                for (std::size_t i = 0; i < b.offsets.size(); ++i)
                    check(MPI_Irecv(box.cells.data(), 1, b.receive[i], b.sources[i],
                                    b.tag_coming(i), comm, next++));
                for (std::size_t i = 0; i < b.offsets.size(); ++i)
                    check(MPI_Isend(box.cells.data(), 1, b.send[i], b.targets[i],
                                    static_cast<int>(i), comm, next++));
                check(MPI_Waitall(2 * b.size(), requests->data(), MPI_STATUSES_IGNORE));
            }};
}

}  // namespace bench
