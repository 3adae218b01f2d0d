// SPDX-License-Identifier: MIT
#include "ordinary/begun_at_host.hpp"

#include "call/host_nonblocking_call.hpp"
#include "engine/request.hpp"
#include "host/plain_side.hpp"
#include "mpi/comm/comm_state.hpp"
#include "mpi/error.hpp"
#include "ordinary/call.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace carpool::ordinary {
namespace {

using call::HostBlock;
using call::HostNonblockingCall;
using collectives::Kind;
using host::PlainSide;

/// Begins a reduction by MPI's function with one count per side.
int begin_sum(const CollectiveArguments& a, MPI_Comm comm, MPI_Request* request) {
    const PlainSide one(in_place(a.send) ? a.recv : a.send);
    auto* const sent = a.send.buffer;
    auto* const received = a.recv.buffer;
    const int count = one.narrow();
    switch (a.kind) {
        case Kind::reduce:
            return MPI_Ireduce(sent, received, count, one.type, a.op, a.root, comm, request);
        case Kind::allreduce:
            return MPI_Iallreduce(sent, received, count, one.type, a.op, comm, request);
        case Kind::scan:
            return MPI_Iscan(sent, received, count, one.type, a.op, comm, request);
        case Kind::exscan:
            return MPI_Iexscan(sent, received, count, one.type, a.op, comm, request);
        default:
            return MPI_Ireduce_scatter_block(sent, received, count, one.type, a.op, comm, request);
    }
}

/// The same for a collective that moves blocks.
int begin_move(const CollectiveArguments& a, MPI_Comm comm, MPI_Request* request) {
    const PlainSide s(a.send), r(a.recv);
    switch (a.kind) {
        case Kind::barrier:
            return MPI_Ibarrier(comm, request);
        case Kind::bcast:
            return MPI_Ibcast(s.buffer, s.narrow(), s.type, a.root, comm, request);
        case Kind::gather:
            return MPI_Igather(s.buffer, s.narrow(), s.type, r.buffer, r.narrow(), r.type, a.root,
                               comm, request);
        case Kind::scatter:
            return MPI_Iscatter(s.buffer, s.narrow(), s.type, r.buffer, r.narrow(), r.type, a.root,
                                comm, request);
        case Kind::allgather:
            return MPI_Iallgather(s.buffer, s.narrow(), s.type, r.buffer, r.narrow(), r.type, comm,
                                  request);
        default:
            return MPI_Ialltoall(s.buffer, s.narrow(), s.type, r.buffer, r.narrow(), r.type, comm,
                                 request);
    }
}

/// A reduction whose blocks have counts of their own. MPI may read the counts until the end.
std::unique_ptr<HostNonblockingCall> scattered_sum(const CollectiveArguments& arguments, int ranks,
                                                   MPI_Comm comm) {
    std::vector<int> counts;
    for (int i = 0; i < ranks; ++i) counts.push_back(static_cast<int>(arguments.recv.count(i)));
    return std::make_unique<HostNonblockingCall>(
        comm,
        [counts = std::move(counts), op = arguments.op, comm, sent = arguments.send.buffer,
         received = arguments.recv.buffer, type = arguments.recv.type(0)](MPI_Request* request) {
            return MPI_Ireduce_scatter(sent, received, counts.data(), type, op, comm, request);
        });
}

/// Reductions of Open MPI have int counts; blocks of other collectives may be passed as one element
/// of a larger type.
void check_counts(const arguments::Side& side, int blocks) {
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    for (int i = 0; i < blocks; ++i)
        if (side.count(i) > most)
            throw mpi::Error(MPI_ERR_COUNT,
                             arguments::count_name(side, i) + " is " +
                                 std::to_string(side.count(i)) + ", expected at most " +
                                 std::to_string(most) +
                                 ": Open MPI takes more only after a blocking call on the "
                                 "communicator");
}

/// The blocks that one rank sends and receives.
struct Moves {
    std::vector<HostBlock> sent, received;
};

std::vector<HostBlock> with_each(const std::vector<mpi::Block>& blocks, int ranks) {
    std::vector<HostBlock> result;
    for (int rank = 0; rank < ranks; ++rank)
        result.push_back(
            {{rank, 0}, blocks[blocks.size() == 1 ? 0 : static_cast<std::size_t>(rank)]});
    return result;
}

std::vector<HostBlock> with_one(const std::vector<mpi::Block>& blocks, int rank) {
    return {{{rank, 0}, blocks.front()}};
}

Moves moves_of(const CheckedCollective& call, int rank, bool in_place) {
    const auto kind = call.problem.kind;
    const int ranks = call.problem.ranks, root = call.problem.root;
    const auto& send = call.blocks.send;
    const auto& recv = call.blocks.recv;
    const bool from_root = kind == Kind::bcast || kind == Kind::scatter;
    Moves moves;
    if (!send.empty() && (!from_root || rank == root))
        moves.sent = kind == Kind::gather ? with_one(send, root) : with_each(send, ranks);
    if (!recv.empty() && (kind != Kind::gather || rank == root))
        moves.received = from_root ? with_one(recv, root) : with_each(recv, ranks);
    if (kind != Kind::bcast && (!in_place || kind == Kind::alltoall)) return moves;
    const auto is_own = [rank](const HostBlock& one) { return one.edge.peer == rank; };
    std::erase_if(moves.sent, is_own);
    std::erase_if(moves.received, is_own);
    return moves;
}

/// An exchange of blocks that MPI's functions with one count cannot express.
std::unique_ptr<HostNonblockingCall> moves_one_by_one(const CollectiveArguments& arguments,
                                                      const CheckedCollective& call, int rank,
                                                      MPI_Comm comm) {
    std::vector<engine::Work> before;
    for (const auto& [from, to] : call.blocks.before)
        before.push_back(engine::Work::copy(from, to));
    const auto moves = moves_of(call, rank, in_place(arguments.send) || in_place(arguments.recv));
    return std::make_unique<HostNonblockingCall>(
        comm, call::exchange_at_host(comm, moves.sent, moves.received), std::move(before));
}

std::unique_ptr<HostNonblockingCall> sum(const CollectiveArguments& arguments, int ranks,
                                         MPI_Comm comm) {
    if (!host::is_plain(arguments.recv)) return scattered_sum(arguments, ranks, comm);
    return std::make_unique<HostNonblockingCall>(comm, [arguments, comm](MPI_Request* request) {
        return begin_sum(arguments, comm, request);
    });
}

void check_counts_of_sum(const CollectiveArguments& arguments, int ranks) {
    const bool one_count = host::is_plain(arguments.recv);
    check_counts(in_place(arguments.send) ? arguments.recv : arguments.send, one_count ? 1 : ranks);
}

/// Whether blocks are moved one by one. The same on all ranks.
bool moves_blocks(const CollectiveArguments& arguments, const CheckedCollective& call) {
    const bool one_count = host::is_plain(arguments.send) && host::is_plain(arguments.recv);
    const auto kind = arguments.kind;
    return kind != Kind::barrier && !collectives::reduces(kind) &&
           !(one_count && host::is_narrow(call.problem.block()));
}

/// True if the call moves no data. Open MPI does not number a call without elements, but it numbers
/// one of elements without bytes. So it takes messages of one call for those of another, if ranks
/// express an empty call in both ways.
bool moves_nothing(const CheckedCollective& call) {
    return call.problem.kind != Kind::barrier && !call.count_per_rank && call.problem.block() == 0;
}

/// All blocks of a side, which lie one behind the other, as one block.
std::vector<mpi::Block> whole(const std::vector<mpi::Block>& blocks) {
    if (blocks.empty()) return {};
    MPI_Count count = 0;
    for (const auto& block : blocks) count += block.shape.count();
    const auto& [address, shape, device] = blocks.front();
    return {{address, shape.with_count(count), device}};
}

/// The receive side as MPI's function sees it: in place of sendbuf it may hold more than the
/// result, or something where there is none.
std::vector<mpi::Block> whole_received(const CollectiveArguments& arguments,
                                       const CheckedCollective& call) {
    if (in_place(arguments.recv)) return {};
    if (call.blocks.before.empty()) return whole(call.blocks.recv);
    std::vector<mpi::Block> taken;
    for (const auto& move : call.blocks.before) taken.push_back(move.from);
    return whole(taken);
}

/// Puts the mirror of sides that lie on a GPU in their places; null if none does.
std::unique_ptr<engine::Mirror> mirror_of_sides(CollectiveArguments& arguments,
                                                const CheckedCollective& call) {
    const bool replaced = in_place(arguments.send) || in_place(arguments.recv);
    engine::Buffers sides;
    if (!in_place(arguments.send)) sides.send = whole(call.blocks.send);
    sides.recv = whole_received(arguments, call);
    const bool sends = mpi::device_of(sides.send) != nullptr;
    const bool receives = mpi::device_of(sides.recv) != nullptr;
    auto mirror = call::mirror_of(sides, replaced);
    const bool one_buffer = arguments.kind == Kind::bcast;
    if (sends) arguments.send.buffer = sides.send.front().address;
    if (receives)
        (one_buffer ? arguments.send : arguments.recv).buffer = sides.recv.front().address;
    return mirror;
}

/// The same for the blocks of a call, one by one.
std::unique_ptr<engine::Mirror> mirror_of_blocks(const CollectiveArguments& arguments,
                                                 CheckedCollective& call) {
    auto& [send, recv, op, replaced, before] = call.blocks;
    engine::Buffers blocks{.send = send, .recv = recv, .temp = {}, .before = before};
    auto mirror = call::mirror_of(blocks, in_place(arguments.send) || in_place(arguments.recv));
    send = blocks.send;
    recv = blocks.recv;
    before = blocks.before;
    return mirror;
}

std::unique_ptr<HostNonblockingCall> communication_of(const CollectiveArguments& arguments,
                                                      const CheckedCollective& call,
                                                      const mpi::CommState& state, MPI_Comm comm) {
    if (moves_blocks(arguments, call)) return moves_one_by_one(arguments, call, state.rank(), comm);
    if (collectives::reduces(arguments.kind)) return sum(arguments, state.size(), comm);
    return std::make_unique<HostNonblockingCall>(comm, [arguments, comm](MPI_Request* request) {
        return begin_move(arguments, comm, request);
    });
}

}  // namespace

MPI_Request begun_at_host(const char* function, MPI_Comm comm,
                          const CollectiveArguments& arguments) {
    const auto state = mpi::CommState::unopened(comm);
    const auto read = read_call(arguments, *state);
    auto bound = std::make_shared<call::BoundCall>();
    if (moves_nothing(*read)) {
        bound->communication = std::make_unique<HostNonblockingCall>(comm, nullptr);
    } else {
        if (collectives::reduces(arguments.kind)) check_counts_of_sum(arguments, state->size());
        auto moved = arguments;
        auto mirror = moves_blocks(moved, *read) ? mirror_of_blocks(moved, *read)
                                                 : mirror_of_sides(moved, *read);
        bound->communication =
            call::mirrored(comm, std::move(mirror), communication_of(moved, *read, *state, comm));
    }
    bound->read = read;
    return engine::Request::entrust(function, call::begun_at_host(comm, std::move(bound)));
}

}  // namespace carpool::ordinary
