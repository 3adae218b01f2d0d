#include "neighbor/call.hpp"

#include "mpi/device_memory.hpp"
#include "mpi/extent.hpp"
#include "mpi/operator.hpp"
#include "mpi/type_contents.hpp"

#include <algorithm>
#include <span>
#include <string>

namespace carpool::neighbor {
namespace {

using arguments::BlockReader;
using mpi::check_op;
using mpi::commutes;
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
struct Described {
    mpi::Block block;
    const Side& side;
    int i;
};

void check_same_bytes(const Described& one, const Described& other) {
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
mpi::Block read_block(const Side& side, std::span<const topology::Edge> edges,
                      mpi::KnownTypes& types) {
    if (has_peer(edges)) return BlockReader(side, &types).read(0);
    arguments::check_unused(side, 0);
    return {};
}

std::vector<mpi::Block> read_blocks(const Side& side, std::span<const topology::Edge> edges,
                                    mpi::KnownTypes& types) {
    BlockReader reader(side, &types);
    std::vector<mpi::Block> blocks(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (edges[i].peer != topology::no_rank)
            blocks[i] = reader.read(static_cast<int>(i));
        else
            arguments::check_unused(side, static_cast<int>(i));
    const bool shares_all = !side.varying_counts() && !side.varying_types;
    if (edges.empty() && shares_all) arguments::check_unused(side, 0);
    return blocks;
}

/// Claims one size for position i, on all ranks and so on both sides.
void claim_positions(CheckedNeighborCall& call, const NeighborArguments& arguments, bool unsure) {
    const auto& [operation, send, recv, op, overlap] = arguments;
    call.block_bytes.advice = mpi::advice_on_uneven_sizes;
    for (std::size_t i = 0; i < call.buffers.send.size(); ++i) {
        const auto& sent = call.buffers.send[i];
        const auto& received = call.buffers.recv[i];
        const auto at = static_cast<int>(i);
        check_same_bytes({sent, send, at}, {received, recv, at});
        add_bytes(call.block_bytes, sent, received, send, at, unsure);
    }
}

std::shared_ptr<CheckedNeighborCall> read_alltoall(const Topology& topology,
                                                   const NeighborArguments& arguments,
                                                   mpi::KnownTypes& types) {
    auto read =
        std::make_shared<CheckedNeighborCall>(Operation::alltoall, "size in bytes of block");
    auto& call = *read;
    call.buffers.recv = read_blocks(arguments.recv, topology.edges().in, types);
    call.buffers.send = read_blocks(arguments.send, topology.edges().out, types);
    if (topology.declared())
        claim_positions(call, arguments, topology.definition().unsure_sizes > 0);
    return read;
}

/// The block that is sent or, on a rank without targets, the first one that is received.
Described first_block(const engine::Buffers& buffers, const NeighborArguments& arguments) {
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
    call.block_bytes.advice = mpi::advice_on_uneven_sizes;
    const auto known = first_block(call.buffers, arguments);
    for (std::size_t i = 0; i < call.buffers.recv.size(); ++i)
        check_same_bytes(known, {call.buffers.recv[i], recv, static_cast<int>(i)});
    add_bytes(call.block_bytes, known.block, known.block, send, 0, unsure);
}

std::shared_ptr<CheckedNeighborCall> read_allgather(const Topology& topology,
                                                    const NeighborArguments& arguments,
                                                    mpi::KnownTypes& types) {
    auto read =
        std::make_shared<CheckedNeighborCall>(Operation::allgather, "size in bytes of the block");
    auto& call = *read;
    call.buffers.recv = read_blocks(arguments.recv, topology.edges().in, types);
    call.buffers.send.push_back(read_block(arguments.send, topology.edges().out, types));
    if (topology.declared()) claim_one(call, arguments, topology.definition().unsure_sizes > 0);
    return read;
}

/// Both sides share one count and type, which all blocks have.
std::shared_ptr<CheckedNeighborCall> read_reduction(const Topology& topology,
                                                    const NeighborArguments& arguments,
                                                    mpi::KnownTypes& types) {
    const auto& [operation, send, recv, op, overlap] = arguments;
    auto read = std::make_shared<CheckedNeighborCall>(operation, "size in bytes of a block");
    auto& call = *read;
    BlockReader reader(send, &types);
    const auto shape = reader.read(0).shape;
    check_op(op, send.type(0));
    const int blocks = schedule::sends_one_block(operation) ? 1 : topology.outdegree();
    for (int i = 0; i < blocks; ++i) call.buffers.send.push_back(reader.read(i));
    call.buffers.recv.push_back(has_peer(topology.edges().in) ? mpi::Block{recv.buffer, shape}
                                                              : mpi::Block{});
    if (call.buffers.recv.front().shape) {
        arguments::check_buffer(recv, 0, call.buffers.recv.front());
        mpi::check_host_memory(recv.names.buffer, recv.buffer);
    }
    call.op = op;
    call.in_order = !commutes(op);
    call.block_bytes.values.push_back(shape.bytes());
    call.summand = shape;
    return read;
}

std::vector<std::int64_t> bytes_of(const std::vector<mpi::Block>& blocks) {
    std::vector<std::int64_t> bytes;
    for (const auto& block : blocks) bytes.push_back(block.shape ? block.shape.bytes() : 0);
    return bytes;
}

void check_pointers(const Side& side, int blocks) {
    if (side.buffer == MPI_IN_PLACE)
        throw Error(MPI_ERR_BUFFER, std::string(side.names.buffer) +
                                        " is MPI_IN_PLACE, expected a buffer of its own");
    arguments::check_arrays(side, blocks);
}

}  // namespace

void check_pointers(const Topology& topology, const NeighborArguments& arguments) {
    check_pointers(arguments.send, topology.outdegree());
    check_pointers(arguments.recv, topology.indegree());
}

std::shared_ptr<CheckedNeighborCall> read_call(const Topology& topology,
                                               const NeighborArguments& arguments) {
    mpi::KnownTypes types;
    return read_call(topology, arguments, types);
}

std::shared_ptr<CheckedNeighborCall> read_call(const Topology& topology,
                                               const NeighborArguments& arguments,
                                               mpi::KnownTypes& types) {
    types.begin_call();
    const auto read_blocks_of = schedule::reduces(arguments.operation)       ? read_reduction
                                : arguments.operation == Operation::alltoall ? read_alltoall
                                                                             : read_allgather;
    auto read = read_blocks_of(topology, arguments, types);
    read->uniform = is_uniform(arguments);
    read->function_suffix = arguments::function_suffix(arguments.send, arguments.recv);
    return read;
}

void check_disjoint(const CheckedNeighborCall& call, const NeighborArguments& arguments,
                    std::int64_t most_pieces) {
    if (arguments.overlap != arguments::Overlap::refused) return;
    arguments::check_disjoint(arguments.send, call.buffers.send, arguments.recv, call.buffers.recv,
                              most_pieces);
}

std::vector<std::int64_t> bytes_sent(const CheckedNeighborCall& call) {
    return bytes_of(call.buffers.send);
}
std::vector<std::int64_t> bytes_received(const CheckedNeighborCall& call) {
    return bytes_of(call.buffers.recv);
}

bool is_uniform(const NeighborArguments& arguments) {
    const auto one = [](const Side& side) { return !side.varying_counts() && !side.varying_types; };
    return one(arguments.send) && one(arguments.recv);
}

arguments::Key key_of(const NeighborArguments& arguments, int sent, int received) {
    const auto& [operation, send, recv, op, overlap] = arguments;
    arguments::Key key;
    key.add(static_cast<std::int64_t>(operation));
    if (schedule::reduces(operation) && op != MPI_OP_NULL) key.add(arguments::number_of(op));
    key.add(send, schedule::sends_one_block(operation) ? 1 : sent);
    key.add(recv, received);
    return key;
}

}  // namespace carpool::neighbor
