#include "sparse/repeated.hpp"

#include "sparse/sparse_alltoallv.hpp"

#include <cstdint>
#include <vector>

namespace carpool::sparse {
namespace {

call::Side sent_side(const Delivery& delivery, std::byte* sendbuf) {
    const auto block = [&delivery](int i) -> const mpi::Block& {
        return delivery.sent.blocks[static_cast<std::size_t>(i)];
    };
    return {"sendbuf",
            "sendcounts",
            "sendtypes",
            sendbuf,
            {},
            true,
            true,
            [block](int i) { return block(i).shape->count(); },
            [block](int i) { return block(i).shape->type(); },
            [block, &delivery](int i) {
                return static_cast<std::int64_t>(block(i).address - delivery.sendbuf);
            }};
}

/// Where each parcel begins.
std::vector<std::int64_t> offsets_of(const Delivery& delivery) {
    std::vector<std::int64_t> offsets;
    std::int64_t at = 0;
    for (const auto& parcel : delivery.parcels) {
        offsets.push_back(at);
        at += parcel.bytes;
    }
    return offsets;
}

call::Side received_side(const Delivery& delivery, std::byte* recvbuf) {
    return {
        "recvbuf",
        "recvcounts",
        "recvtype",
        recvbuf,
        {},
        true,
        false,
        [&delivery](int i) {
            return MPI_Count{delivery.parcels[static_cast<std::size_t>(i)].bytes};
        },
        [](int) { return MPI_BYTE; },
        [offsets = offsets_of(delivery)](int i) { return offsets[static_cast<std::size_t>(i)]; }};
}

}  // namespace

std::unique_ptr<engine::Request> repeated(const Delivery* delivery, std::byte* sendbuf,
                                          std::byte* recvbuf, MPI_Comm comm, MPI_Info info) {
    static const Delivery nothing;
    const auto& of = delivery != nullptr ? *delivery : nothing;
    std::vector<int> targets;
    for (const int target : of.sent.targets)
        targets.push_back(target == topology::no_rank ? MPI_PROC_NULL : target);
    std::vector<int> sources;
    for (const auto& parcel : of.parcels) sources.push_back(parcel.source);
    ListedCall call{
        {"outdegree", "destinations", static_cast<int>(targets.size()), targets.data()},
        {"indegree", "sources", static_cast<int>(sources.size()), sources.data()},
        {schedule::Operation::alltoall, sent_side(of, sendbuf), received_side(of, recvbuf)},
        comm};
    if (delivery == nullptr)
        call.mistake = mpi::Error(
            MPI_ERR_ARG, "delivery is CARPOOL_DELIVERY_NULL, expected that of an exchange");
    return initialised(call, info, call::Return::planned);
}

}  // namespace carpool::sparse
