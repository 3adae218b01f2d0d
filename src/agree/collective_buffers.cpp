// SPDX-License-Identifier: MIT
#include "agree/collective_buffers.hpp"

#include "mpi/types/extent.hpp"

#include <utility>

namespace carpool::agree {
namespace {

using collectives::Pieces;
using mpi::Block;
using mpi::Shape;
using schedule::Slot;

bool is_typed(const collectives::Problem& problem) {
    return collectives::reduces(problem.kind) || problem.kind == collectives::Kind::barrier;
}

/// Makes shapes from sizes in bytes: elements of the datatype that is reduced, or no elements for a
/// barrier.
class TempShapes {
public:
    TempShapes(const engine::Buffers& buffers, const collectives::Problem& problem)
        : latest_(buffers.send.empty() ? Shape(0, MPI_BYTE) : buffers.send.front().shape),
          unit_(problem.unit) {}

    const Shape& of(std::int64_t bytes) {
        if (latest_.bytes() != bytes) latest_ = latest_.with_count(unit_ > 0 ? bytes / unit_ : 0);
        return latest_;
    }

private:
    Shape latest_;  // at first the shape of the user's block
    std::int64_t unit_;
};

/// The shape of the block that each temporary slot holds; empty for a slot that holds none.
std::vector<Shape> temp_shapes(const schedule::Schedule& schedule, TempShapes& shapes) {
    std::vector<Shape> result(static_cast<std::size_t>(schedule.temp_slots));
    const auto note = [&](const Slot& slot, std::int64_t bytes) {
        if (slot.kind == Slot::Kind::temp)
            result[static_cast<std::size_t>(slot.position)] = shapes.of(bytes);
    };
    for (const auto& round : schedule.rounds)
        for (const auto& part : round.receive.parts) note(part.slot, part.bytes);
    for (const auto& sum : schedule.sums) note(sum.to, sum.bytes);
    for (const auto& copy : schedule.copies) note(copy.to, copy.bytes);
    return result;
}

/// Cuts a block into pieces: of elements in a reduction, else of bytes in the order of the type
/// map.
std::vector<Block> pieces_of(const Block& block, const collectives::Problem& problem, int count) {
    const Pieces pieces(problem.block(), problem.unit, count);
    const bool typed = is_typed(problem);
    const auto offset = typed ? 0 : *block.shape.piece();
    const auto stride = typed ? mpi::extent_of(block.shape.type()) : problem.unit;
    std::vector<Block> result;
    for (int i = 0; i < count; ++i) {
        const auto elements = pieces.first(i + 1) - pieces.first(i);
        result.push_back(
            {block.address + offset + pieces.first(i) * stride,
             typed ? block.shape.with_count(elements) : Shape(pieces.bytes(i), MPI_BYTE),
             block.device});
    }
    return result;
}

/// Contiguous memory for a block that cannot be cut where it lies.
Block in_one_piece(const Block& block, TypedMemory& memory) {
    const std::vector shapes{Shape(block.shape.bytes(), MPI_BYTE)};
    memory = TypedMemory(shapes);
    return memory.blocks().front();
}

void take_whole_blocks(engine::Buffers& buffers, CollectiveBlocks& blocks,
                       const collectives::Problem& problem) {
    buffers.send.swap(blocks.send);
    buffers.recv.swap(blocks.recv);
    buffers.before.swap(blocks.before);
    buffers.after.clear();
    buffers.ops.clear();
    if (blocks.op != MPI_OP_NULL) buffers.ops.push_back(blocks.op);
    if (problem.kind == collectives::Kind::barrier) {
        static std::byte no_byte;  // an address for an empty block
        const Block nothing{&no_byte, Shape(0, MPI_BYTE)};
        buffers.send = buffers.recv = {nothing};
        buffers.ops = {MPI_BOR};
    }
}

void cut(engine::Buffers& buffers, const collectives::Problem& problem, int pieces,
         CollectiveMemory& memory) {
    for (auto* side : {&buffers.send, &buffers.recv}) {
        if (side->empty()) continue;
        auto block = side->front();
        if (!is_typed(problem) && !block.shape.piece()) {
            const auto user = std::exchange(block, in_one_piece(block, memory.whole));
            if (side == &buffers.send)
                buffers.before.push_back({user, block});
            else
                buffers.after.push_back({block, user});
        }
        *side = pieces_of(block, problem, pieces);
    }
}

/// With MPI_IN_PLACE, the block that already lies where it belongs is not copied. Messages with its
/// copy are sent from the block itself, which is the same memory.
void drop_copies_in_place(schedule::Schedule& schedule, const engine::Buffers& buffers) {
    const auto is_there = [&](const schedule::Copy& copy) {
        if (copy.from.kind != Slot::Kind::send || copy.to.kind != Slot::Kind::recv) return false;
        const auto& from = buffers.send[static_cast<std::size_t>(copy.from.position)];
        const auto& to = buffers.recv[static_cast<std::size_t>(copy.to.position)];
        return from.address == to.address;
    };
    for (const auto& copy : schedule.copies) {
        if (!is_there(copy)) continue;
        for (auto& round : schedule.rounds)
            for (auto& part : round.send.parts)
                if (part.slot == copy.to) part.slot = copy.from;
    }
    std::erase_if(schedule.copies, is_there);
}

}  // namespace

engine::Buffers collective_buffers(const CollectiveBlocks& blocks,
                                   const collectives::Problem& problem, int pieces,
                                   schedule::Schedule& schedule, CollectiveMemory& memory) {
    engine::Buffers buffers;
    auto own = blocks;
    take_whole_blocks(buffers, own, problem);
    if (is_typed(problem)) {
        TempShapes shapes(buffers, problem);
        memory.temps = TypedMemory(temp_shapes(schedule, shapes));
        buffers.temp = memory.temps.blocks();
    }
    if (pieces > 1) cut(buffers, problem, pieces, memory);
    if (blocks.in_place) drop_copies_in_place(schedule, buffers);
    return buffers;
}

void collective_buffers_again(engine::Buffers& buffers, CollectiveBlocks& blocks,
                              const collectives::Problem& problem, int pieces,
                              std::span<const std::int64_t> temp_bytes, CollectiveMemory& memory) {
    take_whole_blocks(buffers, blocks, problem);
    if (is_typed(problem)) {
        TempShapes shapes(buffers, problem);
        memory.temps.reshape([&](std::size_t slot) { return shapes.of(temp_bytes[slot]); });
        buffers.temp = memory.temps.blocks();
    }
    if (pieces > 1) cut(buffers, problem, pieces, memory);
}

}  // namespace carpool::agree
