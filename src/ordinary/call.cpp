// SPDX-License-Identifier: MIT
#include "ordinary/call.hpp"

#include "arguments/operation_claim.hpp"
#include "base/digest.hpp"
#include "mpi/error.hpp"
#include "mpi/types/element.hpp"
#include "ordinary/in_place.hpp"
#include "ordinary/significant.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace carpool::ordinary {
namespace {

using arguments::BlockReader;
using arguments::Side;
using collectives::Kind;
using collectives::Problem;
using mpi::Block;
using mpi::Error;

std::uint64_t digest(int from, int to, std::int64_t bytes) {
    base::Digest digest;
    for (const std::int64_t number : {std::int64_t{from}, std::int64_t{to}, bytes})
        digest.add(number);
    return digest.bits();
}

/// Reads the arguments of one rank, into the memory of arguments that were read before.
class Reader {
public:
    Reader(CheckedCollective& call, const CollectiveArguments& arguments,
           const mpi::CommState& state)
        : arguments_(arguments), rank_(state.rank()), ranks_(state.size()), call_(call) {
        clear();
        call_.problem.kind = arguments.kind;
        call_.problem.ranks = ranks_;
        call_.problem.root = arguments.root;
        call_.count_per_rank = arguments.count_per_rank();
    }

    void read() {
        check_root();
        check_in_place(arguments_, rank_);
        switch (arguments_.kind) {
            case Kind::barrier:
                break;
            case Kind::bcast:
                read_bcast();
                break;
            case Kind::gather:
                read_rooted(arguments_.send, call_.blocks.send, arguments_.recv, call_.blocks.recv,
                            false);
                break;
            case Kind::scatter:
                read_rooted(arguments_.recv, call_.blocks.recv, arguments_.send, call_.blocks.send,
                            true);
                break;
            case Kind::allgather:
                read_allgather();
                break;
            case Kind::alltoall:
                read_alltoall();
                break;
            case Kind::reduce_scatter:
                read_reduce_scatter();
                break;
            default:
                read_reduction();
        }
    }

private:
    /// Leaves the blocks of both sides, which are read over.
    void clear() {
        auto& problem = call_.problem;
        problem.bytes.clear();
        problem.sent.clear();
        problem.received.clear();
        auto& blocks = call_.blocks;
        blocks.before.clear();
        blocks.op = MPI_OP_NULL;
        blocks.in_place = false;
        call_.unknown_sizes = false;
        call_.own_bytes = 0;
        call_.balance = 0;
    }

    bool is_root() const { return rank_ == arguments_.root; }
    std::size_t self() const { return static_cast<std::size_t>(rank_); }

    void check_root() const {
        const int root = arguments_.root;
        if (collectives::has_root(arguments_.kind) && (root < 0 || root >= ranks_))
            throw Error(MPI_ERR_ROOT, "root is " + std::to_string(root) + ", expected 0 to " +
                                          std::to_string(ranks_ - 1));
    }

    void read_blocks(std::vector<Block>& blocks, const Side& side, int count) {
        arguments::check_arrays(side, count);
        BlockReader(side, &call_.types).read_all(count, blocks);
    }

    /// Reads the only block of a side, for this rank block i of its arrays.
    const Block& read_block(std::vector<Block>& blocks, const Side& side, int i = 0) {
        arguments::check_arrays(side, 1);
        blocks.resize(1);
        BlockReader reader(side, &call_.types);
        reader.read(i, blocks.front());
        reader.note_device(blocks);
        return blocks.front();
    }

    /// Checks the block that this rank sends to itself.
    void expect_bytes(const Block& block, const Side& side, std::int64_t bytes,
                      const Side& other) const {
        if (block.shape.bytes() != bytes)
            throw Error(MPI_ERR_ARG, arguments::differing_sizes(side, 0, block.shape.bytes(), other,
                                                                rank_, bytes) +
                                         " for the rank itself");
    }

    void read_bcast() {
        auto& [send, recv, op, replaced, before] = call_.blocks;
        const auto& block = read_block(is_root() ? send : recv, arguments_.send);
        (is_root() ? recv : send).clear();
        call_.problem.bytes.push_back(block.shape.bytes());
        call_.problem.unit = collectives::unit_of_bcast(call_.problem.block());
    }

    /// Reads gather and, in the other direction, scatter.
    /// @param one  the side with the single block of each rank
    /// @param all  the side that only the root has, with a block per rank
    void read_rooted(const Side& one, std::vector<Block>& one_block, const Side& all,
                     std::vector<Block>& all_blocks, bool outward) {
        if (is_root())
            read_blocks(all_blocks, all, ranks_);
        else
            all_blocks.clear();
        call_.blocks.in_place = in_place(one);
        if (call_.blocks.in_place)
            one_block.assign(1, all_blocks[self()]);
        else
            read_block(one_block, one);
        call_.own_bytes = one_block.front().shape.bytes();
        if (is_root()) expect_bytes(one_block.front(), one, all_blocks[self()].shape.bytes(), all);
        call_.problem.bytes.push_back(call_.own_bytes);
        call_.unknown_sizes = all.varying_counts();
        if (!call_.unknown_sizes) return;
        const int root = arguments_.root;
        call_.balance -= one_way(rank_, root, call_.own_bytes, outward);
        for (std::size_t i = 0; i < all_blocks.size(); ++i)
            call_.balance +=
                one_way(static_cast<int>(i), root, all_blocks[i].shape.bytes(), outward);
    }

    static std::uint64_t one_way(int rank, int root, std::int64_t bytes, bool outward) {
        return outward ? digest(root, rank, bytes) : digest(rank, root, bytes);
    }

    void read_allgather() {
        auto& [send, recv, op, replaced, before] = call_.blocks;
        read_blocks(recv, arguments_.recv, ranks_);
        replaced = in_place(arguments_.send);
        if (replaced)
            send.assign(1, recv[self()]);
        else
            read_block(send, arguments_.send);
        expect_bytes(send.front(), arguments_.send, recv[self()].shape.bytes(), arguments_.recv);
        take_sizes(recv, arguments_.recv.varying_counts());
    }

    void take_sizes(const std::vector<Block>& blocks, bool varying) {
        if (!varying) {
            call_.problem.bytes.push_back(blocks.front().shape.bytes());
            return;
        }
        for (const auto& block : blocks) call_.problem.bytes.push_back(block.shape.bytes());
    }

    void read_alltoall() {
        auto& [send, recv, op, replaced, before] = call_.blocks;
        read_blocks(recv, arguments_.recv, ranks_);
        if (in_place(arguments_.send))
            copy_away(recv);
        else
            read_blocks(send, arguments_.send, ranks_);
        take_sizes(recv, false);
        if (arguments_.recv.varying_counts()) {
            for (int i = 0; i < ranks_; ++i) take_pair(i);
        } else {
            expect_bytes(send.front(), arguments_.send, call_.problem.block(), arguments_.recv);
        }
    }

    void take_pair(int other) {
        const auto at = static_cast<std::size_t>(other);
        call_.problem.sent.push_back(call_.blocks.send[at].shape.bytes());
        call_.problem.received.push_back(call_.blocks.recv[at].shape.bytes());
        call_.balance += digest(rank_, other, call_.problem.sent.back());
        call_.balance -= digest(other, rank_, call_.problem.received.back());
    }

    void check_operator(const Side& side) {
        call_.checked_op.become(arguments_.op, side.type(0));
        call_.blocks.op = arguments_.op;
        call_.problem.commutes = call_.checked_op.commutes;
        call_.problem.unit = call_.checked_op.element_size;
    }

    /// Reads one block in and one block out. Rank 0 of an exscan has a place for its result, too,
    /// in which nothing is written.
    void read_reduction() {
        auto& [send, recv, op, replaced, before] = call_.blocks;
        const bool receives = significant(arguments_, rank_).recv;
        if (receives)
            read_block(recv, arguments_.recv);
        else
            recv.clear();
        if (in_place(arguments_.send))
            copy_away(recv);
        else
            read_block(send, arguments_.send);
        if (arguments_.kind == Kind::exscan && recv.empty())
            recv.push_back({nullptr, send.front().shape});
        check_operator(arguments_.send);
        call_.problem.bytes.push_back(send.front().shape.bytes());
    }

    /// In place, the blocks to send lie in the receive buffer, one after the other.
    void read_reduce_scatter() {
        auto& [send, recv, op, replaced, before] = call_.blocks;
        auto from = arguments_.send;
        if (in_place(from)) from.buffer = arguments_.recv.buffer;
        read_blocks(send, from, ranks_);
        check_operator(from);
        take_sizes(send, arguments_.recv.varying_counts());
        if (in_place(arguments_.send)) copy_away(send);
        read_block(recv, arguments_.recv, rank_);
    }

    /// Makes the blocks to send copies of these.
    void copy_away(const std::vector<Block>& blocks) {
        call_.copies.lay_out_like(blocks);
        const auto& copies = call_.copies.blocks();
        for (std::size_t i = 0; i < blocks.size(); ++i)
            if (blocks[i].shape.bytes() > 0) call_.blocks.before.push_back({blocks[i], copies[i]});
        call_.blocks.send = copies;
    }

    const CollectiveArguments& arguments_;
    int rank_;
    int ranks_;
    CheckedCollective& call_;
};

/// Looks for memory that both sides of a call have.
class SharedBuffers {
public:
    SharedBuffers(const CheckedCollective& call, const CollectiveArguments& arguments, int rank)
        : blocks_(call.blocks), arguments_(arguments), rank_(rank) {}

    void check() const {
        using arguments::Overlap;
        if (in_place(arguments_.send) || in_place(arguments_.recv)) return;
        if (arguments_.overlap == Overlap::refused)
            arguments::check_disjoint(arguments_.send, blocks_.send, arguments_.recv, blocks_.recv,
                                      arguments::many_pieces);
        else if (arguments_.overlap == Overlap::refused_where_equal)
            check_not_equal();
    }

private:
    /// The block of this rank among the blocks of a side.
    const Block* own(const std::vector<Block>& blocks) const {
        if (blocks.empty()) return nullptr;
        const auto kind = arguments_.kind;
        const bool moves = kind == Kind::gather || kind == Kind::scatter || kind == Kind::allgather;
        return &blocks[moves && blocks.size() > 1 ? static_cast<std::size_t>(rank_) : 0];
    }

    bool sums_into_what_it_sends() const {
        return !blocks_.recv.empty() && arguments_.send.buffer == arguments_.recv.buffer &&
               std::ranges::any_of(blocks_.send,
                                   [](const Block& block) { return block.shape.bytes() > 0; });
    }
    bool receives_where_it_sends() const {
        const auto* const sent = own(blocks_.send);
        const auto* const received = own(blocks_.recv);
        return sent != nullptr && received != nullptr && sent->address == received->address &&
               sent->shape.bytes() > 0 && received->shape.bytes() > 0;
    }

    void check_not_equal() const {
        if (collectives::reduces(arguments_.kind) ? sums_into_what_it_sends()
                                                  : receives_where_it_sends())
            throw Error(MPI_ERR_BUFFER, std::string(arguments_.send.names.buffer) + " and " +
                                            arguments_.recv.names.buffer +
                                            " are one buffer, expected buffers of their own");
    }

    const agree::CollectiveBlocks& blocks_;
    const CollectiveArguments& arguments_;
    int rank_;
};

}  // namespace

std::vector<std::int64_t> CheckedCollective::known_sizes() const {
    const auto& all = problem.kind == Kind::gather ? blocks.recv : blocks.send;
    if (all.empty()) return {own_bytes};
    std::vector<std::int64_t> sizes;
    for (const auto& block : all) sizes.push_back(block.shape.bytes());
    return sizes;
}

std::shared_ptr<CheckedCollective> read_call(const CollectiveArguments& arguments,
                                             const mpi::CommState& state) {
    auto call = std::make_shared<CheckedCollective>();
    read_call_again(*call, arguments, state);
    check_disjoint(*call, arguments, state.rank());
    return call;
}

void read_call_again(CheckedCollective& call, const CollectiveArguments& arguments,
                     const mpi::CommState& state) {
    Reader(call, arguments, state).read();
}

void check_disjoint(const CheckedCollective& call, const CollectiveArguments& arguments, int rank) {
    SharedBuffers(call, arguments, rank).check();
}

mpi::Claim operation_claim(const CheckedCollective& call) {
    return arguments::operation_claim(call.problem.kind, call.count_per_rank);
}

namespace {

/// The datatype that a reduction reads, as long as it is not empty.
MPI_Datatype type_reduced(const CheckedCollective& call) {
    if (!collectives::reduces(call.problem.kind)) return MPI_BYTE;
    for (const auto& block : call.blocks.send)
        if (block.shape.count() > 0) return block.shape.type();
    return MPI_BYTE;
}

}  // namespace

std::vector<mpi::Claim> claims_of(const CheckedCollective& call) {
    const auto& problem = call.problem;
    std::vector<mpi::Claim> claims{operation_claim(call),
                                   {"root", {problem.root}},
                                   mpi::claim_of(call.blocks.op, problem.commutes),
                                   mpi::claim_of_element(type_reduced(call))};
    const bool similar = !call.unknown_sizes && !problem.varies();
    claims.push_back(
        {"size in bytes of a block", similar ? problem.bytes : std::vector<std::int64_t>{}});
    return claims;
}

}  // namespace carpool::ordinary
