// SPDX-License-Identifier: MIT
#include "neighbor/call.hpp"

#include "mpi/types/extent.hpp"

#include <algorithm>
#include <span>
#include <string>

namespace carpool::neighbor {
namespace {

using arguments::BlockReader;
using mpi::Error;
using schedule::Operation;

/// The size that a block for a missing neighbor would have, as far as the arguments show it.
std::int64_t guessed_bytes(const Side& side, int i) {
    const auto type = side.type(i);
    if (type == MPI_DATATYPE_NULL || side.count(i) < 0) return 0;
    return side.count(i) * mpi::size_of(type);
}

/// @param unsure  true if some rank may have to guess
void add_bytes(mpi::Claim& claim, const mpi::Block& sent, const mpi::Block& received,
               const Side& send, int i, bool unsure) {
    const auto& shape = sent.shape ? sent.shape : received.shape;
    claim.values.push_back(shape ? shape.bytes() : guessed_bytes(send, i));
    if (unsure) claim.guess.push_back(!shape);
}

/// A block as one side of the call describes it.
struct BlockDescription {
    mpi::Block block;
    const Side& side;
    int i;
};

void check_same_bytes(const BlockDescription& one, const BlockDescription& other) {
    if (!one.block.shape || !other.block.shape) return;
    const auto bytes = one.block.shape.bytes(), other_bytes = other.block.shape.bytes();
    if (bytes != other_bytes)
        throw Error(MPI_ERR_ARG, arguments::differing_sizes(one.side, one.i, bytes, other.side,
                                                            other.i, other_bytes));
}

bool has_peer(std::span<const topology::Edge> edges) {
    return std::any_of(edges.begin(), edges.end(),
                       [](const auto& edge) { return edge.peer != topology::no_rank; });
}

/// Reads the one block that goes along all edges.
void read_block(mpi::Block& block, const Side& side, std::span<const topology::Edge> edges,
                mpi::KnownTypes& types) {
    if (has_peer(edges)) {
        BlockReader reader(side, &types);
        reader.read(0, block);
        return reader.note_device({&block, 1});
    }
    arguments::check_unused(side, 0);
    block = {};
}

void read_blocks(std::vector<mpi::Block>& blocks, const Side& side,
                 std::span<const topology::Edge> edges, mpi::KnownTypes& types) {
    BlockReader reader(side, &types);
    blocks.resize(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (edges[i].peer != topology::no_rank) {
            reader.read(static_cast<int>(i), blocks[i]);
            continue;
        }
        arguments::check_unused(side, static_cast<int>(i));
        blocks[i] = {};
    }
    reader.note_device(blocks);
    const bool shares_all = !side.varying_counts() && !side.varying_types;
    if (edges.empty() && shares_all) arguments::check_unused(side, 0);
}

/// Claims one size for position i, on all ranks and so on both sides.
void claim_positions(CheckedNeighborCall& call, const NeighborArguments& arguments, bool unsure) {
    const auto& [operation, send, recv, op, overlap] = arguments;
    for (std::size_t i = 0; i < call.buffers.send.size(); ++i) {
        const auto& sent = call.buffers.send[i];
        const auto& received = call.buffers.recv[i];
        const auto at = static_cast<int>(i);
        check_same_bytes({sent, send, at}, {received, recv, at});
        add_bytes(call.block_bytes, sent, received, send, at, unsure);
    }
}

void read_alltoall(CheckedNeighborCall& call, const Topology& topology,
                   const NeighborArguments& arguments) {
    read_blocks(call.buffers.recv, arguments.recv, topology.edges().in, call.types);
    read_blocks(call.buffers.send, arguments.send, topology.edges().out, call.types);
    if (topology.declared())
        claim_positions(call, arguments, topology.definition().unsure_sizes > 0);
}

/// The block that is sent or, on a rank without targets, the first one that is received.
BlockDescription first_block(const engine::Buffers& buffers, const NeighborArguments& arguments) {
    const auto& came = buffers.recv;
    const auto first = std::find_if(came.begin(), came.end(),
                                    [](const auto& b) { return static_cast<bool>(b.shape); });
    if (buffers.send.front().shape || first == came.end())
        return {buffers.send.front(), arguments.send, 0};
    return {*first, arguments.recv, static_cast<int>(first - came.begin())};
}

/// Claims one size: every neighbor sends a block of the size that this rank sends.
void claim_one(CheckedNeighborCall& call, const NeighborArguments& arguments, bool unsure) {
    const auto& [operation, send, recv, op, overlap] = arguments;
    const auto known = first_block(call.buffers, arguments);
    for (std::size_t i = 0; i < call.buffers.recv.size(); ++i)
        check_same_bytes(known, {call.buffers.recv[i], recv, static_cast<int>(i)});
    add_bytes(call.block_bytes, known.block, known.block, send, 0, unsure);
}

void read_allgather(CheckedNeighborCall& call, const Topology& topology,
                    const NeighborArguments& arguments) {
    read_blocks(call.buffers.recv, arguments.recv, topology.edges().in, call.types);
    call.buffers.send.resize(1);
    read_block(call.buffers.send.front(), arguments.send, topology.edges().out, call.types);
    if (topology.declared()) claim_one(call, arguments, topology.definition().unsure_sizes > 0);
}

/// What this rank receives: one block of the shape of the summands, if there are any.
void read_result(CheckedNeighborCall& call, const Topology& topology,
                 const NeighborArguments& arguments) {
    const auto& recv = arguments.recv;
    call.buffers.recv.assign(1, {});
    if (!has_peer(topology.edges().in)) return;
    auto& result = call.buffers.recv.front();
    result = {recv.buffer, call.summand};
    arguments::check_buffer(recv, 0, result);
    if (call.summand.bytes() > 0)
        result.device = arguments::device_of(recv, recv.buffer, call.summand);
}

/// Both sides share one count and type, which all blocks have.
void read_reduction(CheckedNeighborCall& call, const Topology& topology,
                    const NeighborArguments& arguments) {
    const auto& [operation, send, recv, op, overlap] = arguments;
    auto& sent = call.buffers.send;
    BlockReader reader(send, &call.types);
    reader.read_all(sent_blocks(topology, operation), sent);
    mpi::Block summand;
    reader.read(0, summand);
    call.summand = std::move(summand.shape);
    call.checked_op.become(op, send.type(0));
    read_result(call, topology, arguments);
    call.op = op;
    call.block_bytes.values.push_back(call.summand.bytes());
}

/// Ends error texts about sizes that differ, mostly because ranks do not divide a grid evenly.
constexpr const char* advice_on_uneven_sizes =
    "; for uneven grids use Carpool_Halo_init or a graph communicator "
    "(MPI_Dist_graph_create_adjacent)";

/// The claim about sizes, without values.
void begin_claim(mpi::Claim& claim, Operation operation) {
    claim.values.clear();
    claim.guess.clear();
    if (!claim.name.empty()) return;
    claim.name = operation == Operation::alltoall    ? "size in bytes of block"
                 : operation == Operation::allgather ? "size in bytes of the block"
                                                     : "size in bytes of a block";
    if (!schedule::reduces(operation)) claim.advice = advice_on_uneven_sizes;
}

void check_pointers(const Side& side, int blocks) {
    if (side.buffer == MPI_IN_PLACE)
        throw Error(MPI_ERR_BUFFER, std::string(side.names.buffer) +
                                        " is MPI_IN_PLACE, expected a buffer of its own");
    arguments::check_arrays(side, blocks);
}

}  // namespace

int sent_blocks(const Topology& topology, schedule::Operation operation) {
    return schedule::sends_one_block(operation) ? 1 : topology.outdegree();
}

void check_pointers(const Topology& topology, const NeighborArguments& arguments) {
    check_pointers(arguments.send, topology.outdegree());
    check_pointers(arguments.recv, topology.indegree());
}

std::shared_ptr<CheckedNeighborCall> read_call(const Topology& topology,
                                               const NeighborArguments& arguments) {
    auto call = std::make_shared<CheckedNeighborCall>();
    read_call_again(*call, topology, arguments);
    return call;
}

void read_call_again(CheckedNeighborCall& call, const Topology& topology,
                     const NeighborArguments& arguments) {
    const auto operation = arguments.operation;
    call.operation = operation;
    begin_claim(call.block_bytes, operation);
    const auto read = schedule::reduces(operation)       ? read_reduction
                      : operation == Operation::alltoall ? read_alltoall
                                                         : read_allgather;
    read(call, topology, arguments);
    call.uniform = is_uniform(arguments);
    call.function_suffix = arguments::function_suffix(arguments.send, arguments.recv);
}

void check_disjoint(const CheckedNeighborCall& call, const NeighborArguments& arguments,
                    std::int64_t most_pieces) {
    if (arguments.overlap != arguments::Overlap::refused) return;
    arguments::check_disjoint(arguments.send, call.buffers.send, arguments.recv, call.buffers.recv,
                              most_pieces);
}

std::int64_t few_pieces(const Topology& topology) {
    return topology.outdegree() + topology.indegree();
}

bool is_uniform(const NeighborArguments& arguments) {
    const auto one = [](const Side& side) { return !side.varying_counts() && !side.varying_types; };
    return one(arguments.send) && one(arguments.recv);
}

}  // namespace carpool::neighbor
