// SPDX-License-Identifier: MIT
#include "ordinary/pair_check.hpp"

#include "engine/activity.hpp"
#include "engine/receive_lengths.hpp"
#include "mpi/comm/agreement.hpp"
#include "mpi/error.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace carpool::ordinary {
namespace {

/// For each rank, the bytes that this rank sends to it, and the bytes that it expects from it.
struct Flows {
    std::vector<std::int64_t> sent;
    std::vector<std::int64_t> received;
};

/// The flows of a gather or scatter, in which the root states a size for each rank, and each rank
/// its own size.
Flows rooted_flows(const CheckedCollective& call) {
    const bool outward = call.problem.kind == collectives::Kind::scatter;
    const auto ranks = static_cast<std::size_t>(call.problem.ranks);
    Flows flows{std::vector<std::int64_t>(ranks), std::vector<std::int64_t>(ranks)};
    const auto& all = outward ? call.blocks.send : call.blocks.recv;
    auto& of_root = outward ? flows.sent : flows.received;
    for (std::size_t i = 0; i < all.size(); ++i) of_root[i] = all[i].shape.bytes();
    (outward ? flows.received : flows.sent)[static_cast<std::size_t>(call.problem.root)] =
        call.own_bytes;
    return flows;
}

Flows flows_of(const CheckedCollective& call) {
    if (call.unknown_sizes) return rooted_flows(call);
    return {call.problem.sent, call.problem.received};
}

/// The block that this rank expects from rank i: one of a block for each rank, or that of the root.
mpi::Shape expected_from(std::size_t i, const CheckedCollective& call) {
    const auto& blocks = call.blocks.recv;
    return blocks.empty() ? mpi::Shape() : blocks[blocks.size() == 1 ? 0 : i].shape;
}

std::optional<mpi::Error> difference(const CheckedCollective& call, MPI_Comm comm) {
    const auto flows = flows_of(call);
    int rank = 0;
    mpi::check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    std::vector<std::int64_t> coming(flows.sent.size());
    mpi::check(MPI_Alltoall(flows.sent.data(), 1, MPI_INT64_T, coming.data(), 1, MPI_INT64_T, comm),
               "MPI_Alltoall");
    for (std::size_t i = 0; i < coming.size(); ++i)
        if (coming[i] != flows.received[i])
            return engine::wrong_length(static_cast<int>(i), coming[i], rank,
                                        expected_from(i, call));
    return std::nullopt;
}

}  // namespace

void throw_pair_that_differs(const CheckedCollective& call, MPI_Comm comm) {
    mpi::Agreement agreement(comm, {}, difference(call, comm));
    while (!agreement.test()) engine::Activity::progress();
    agreement.conclude();
    throw mpi::Error(MPI_ERR_ARG, "the bytes that two ranks exchange differ");
}

}  // namespace carpool::ordinary
