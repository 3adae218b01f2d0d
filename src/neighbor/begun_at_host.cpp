// SPDX-License-Identifier: MIT
#include "neighbor/begun_at_host.hpp"

#include "agree/typed_memory.hpp"
#include "call/host_nonblocking_call.hpp"
#include "engine/request.hpp"
#include "mpi/comm/kept_op.hpp"
#include "mpi/error.hpp"
#include "neighbor/topology/adopt.hpp"
#include "schedule/operation.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace carpool::neighbor {
namespace {

using call::HostBlock;

/// Block i goes along edge i; a single block goes along all edges.
std::vector<HostBlock> along(const std::vector<topology::Edge>& edges,
                             const std::vector<mpi::Block>& blocks) {
    std::vector<HostBlock> result;
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (edges[i].peer != topology::no_rank)
            result.push_back({edges[i], blocks[blocks.size() == 1 ? 0 : i]});
    return result;
}

/// Receive blocks in memory of our own, for the summands of a reduction.
std::vector<mpi::Block> summands(const Topology& topology, const CheckedNeighborCall& call,
                                 agree::CollectiveMemory& memory) {
    std::vector<mpi::Shape> shapes;
    for (const auto& edge : topology.edges().in)
        shapes.push_back(edge.peer == topology::no_rank ? mpi::Shape() : call.summand);
    memory.temps = agree::TypedMemory(shapes);
    return memory.temps.blocks();
}

/// Adds what was received, in the order of the neighbors.
std::vector<engine::Work> sum_of(const std::vector<HostBlock>& received,
                                 const CheckedNeighborCall& call) {
    std::vector<mpi::Block> added;
    for (const auto& one : received) added.push_back(one.block);
    std::vector<engine::Work> works;
    if (!added.empty())
        works.push_back(engine::Work::sum(added, call.buffers.recv.front(), call.op));
    return works;
}

}  // namespace

MPI_Request begun_at_host(const char* function, MPI_Comm comm, const Topology& topology,
                          const NeighborArguments& arguments) {
    check_pointers(topology, arguments);
    const auto read = read_call(topology, arguments);
    check_disjoint(*read, arguments, topology.outdegree() + topology.indegree());
    auto bound = std::make_shared<call::BoundCall>();
    const bool reduces = schedule::reduces(arguments.operation);
    const auto& [out, in] = topology.edges();
    constexpr bool reads_recv = false;
    auto mirror = call::mirror_of(read->buffers, reads_recv);
    const auto sent = along(out, read->buffers.send);
    const auto received =
        along(in, reduces ? summands(topology, *read, bound->memory) : read->buffers.recv);
    bound->communication = call::mirrored(
        comm, std::move(mirror),
        std::make_unique<call::HostNonblockingCall>(
            comm, call::exchange_at_host(comm, sent, received), std::vector<engine::Work>(),
            reduces ? sum_of(received, *read) : std::vector<engine::Work>()));
    bound->read = read;
    const auto op = reduces ? std::make_shared<mpi::KeptOp>(arguments.op, comm) : nullptr;
    auto begun = call::begun_at_host(comm, std::move(bound));
    if (op) begun->keep(op);
    return engine::Request::entrust(function, std::move(begun));
}

MPI_Request begun_at_host(const char* function, MPI_Comm comm, const NeighborArguments& arguments) {
    const auto topology = read_topology_of(comm);
    if (!topology->declared() && topology->stated().mistake)
        throw mpi::Error(*topology->stated().mistake);
    return begun_at_host(function, comm, *topology, arguments);
}

}  // namespace carpool::neighbor
