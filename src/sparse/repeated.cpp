// SPDX-License-Identifier: MIT
#include "sparse/repeated.hpp"

#include "sparse/sparse_alltoallv.hpp"

#include <cstddef>
#include <vector>

namespace carpool::sparse {
namespace {

/// The arrays that describe one side.
struct SideArrays {
    std::vector<int> ranks = {};
    std::vector<MPI_Count> counts = {};
    std::vector<MPI_Count> displacements = {};
    std::vector<MPI_Datatype> types = {};
};

/// The blocks sent, without those for MPI_PROC_NULL, which have not been read.
SideArrays sent_by(const Delivery& delivery) {
    SideArrays listed;
    for (std::size_t i = 0; i < delivery.sent.targets.size(); ++i) {
        const int target = delivery.sent.targets[i];
        if (target == topology::no_rank) continue;
        const auto& block = delivery.sent.blocks[i];
        listed.ranks.push_back(target);
        listed.counts.push_back(block.shape.count());
        listed.displacements.push_back(block.address - delivery.sendbuf);
        listed.types.push_back(block.shape.type());
    }
    return listed;
}

/// The parcels received, one behind the other.
SideArrays received_by(const Delivery& delivery) {
    SideArrays listed;
    MPI_Count at = 0;
    for (const auto& parcel : delivery.parcels) {
        listed.ranks.push_back(parcel.source);
        listed.counts.push_back(parcel.bytes);
        listed.displacements.push_back(at);
        at += parcel.bytes;
    }
    return listed;
}

arguments::PeerList peers_of(const char* degree, const char* ranks, const SideArrays& listed) {
    return {degree, ranks, static_cast<int>(listed.ranks.size()), listed.ranks.data()};
}

arguments::Side side_of(const arguments::Names& names, std::byte* buffer,
                        const SideArrays& listed) {
    return {.names = names,
            .buffer = buffer,
            .counts = listed.counts.data(),
            .order = arguments::BlockOrder::displaced,
            .displacements = listed.displacements.data(),
            .types = listed.types.data(),
            .one_type = MPI_BYTE,
            .varying_types = !listed.types.empty()};
}

}  // namespace

std::unique_ptr<engine::Request> repeated(const Delivery* delivery,
                                          const std::optional<mpi::Error>& mistake,
                                          std::byte* sendbuf, std::byte* recvbuf, MPI_Comm comm,
                                          MPI_Info info) {
    static const Delivery nothing;
    const auto& of = delivery != nullptr ? *delivery : nothing;
    const auto sent = sent_by(of);
    const auto received = received_by(of);
    const ListedCall call{peers_of("outdegree", "destinations", sent),
                          peers_of("indegree", "sources", received),
                          {schedule::Operation::alltoall,
                           side_of({"sendbuf", "sendcounts", "", "sendtypes"}, sendbuf, sent),
                           side_of({"recvbuf", "recvcounts", "", "recvtype"}, recvbuf, received)},
                          comm,
                          mistake};
    return initialised(call, info, call::Return::planned);
}

}  // namespace carpool::sparse
