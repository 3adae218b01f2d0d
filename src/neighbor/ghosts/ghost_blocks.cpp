// SPDX-License-Identifier: MIT
#include "neighbor/ghosts/ghost_blocks.hpp"

#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "mpi/types/contiguous.hpp"
#include "mpi/types/layout.hpp"
#include "schedule/resized.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace carpool::neighbor {
namespace {

using Indices = std::span<const std::int64_t>;

/// Entries that follow each other become one run.
mpi::Shape shape_of_runs(Indices indices, std::span<const mpi::Run> entry, std::int64_t stride) {
    mpi::Layout layout;
    for (const auto index : indices)
        for (auto run : entry) {
            run.offset += index * stride;
            layout.append(run);
        }
    return mpi::Shape::of_bytes(std::move(layout));
}

/// The shape of entries of a datatype that only MPI can read.
mpi::Shape shape_by_mpi(Indices indices, const mpi::Shape& entry, std::int64_t stride) {
    if (indices.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw mpi::Error(MPI_ERR_TYPE, "a block of " + std::to_string(indices.size()) +
                                           " entries, expected at most an int for a datatype that "
                                           "only MPI can read");
    std::vector<MPI_Aint> offsets;
    for (const auto index : indices) offsets.push_back(index * stride);
    const auto one = mpi::contiguous(entry.count(), entry.type());
    mpi::Datatype all;
    mpi::check(MPI_Type_create_hindexed_block(static_cast<int>(offsets.size()), 1, offsets.data(),
                                              one.get(), all.out()),
               "MPI_Type_create_hindexed_block");
    mpi::check(MPI_Type_commit(all.out()), "MPI_Type_commit");
    return {1, all.get()};
}

/// The entries at these indices of an array.
mpi::Block block_of(Indices indices, const mpi::Block& first, std::int64_t stride) {
    const auto runs = first.shape.runs();
    return {
        first.address,
        runs ? shape_of_runs(indices, *runs, stride) : shape_by_mpi(indices, first.shape, stride),
        first.device};
}

void add_blocks(std::vector<mpi::Block>& blocks, const ghosts::IndexLists& lists,
                const mpi::Block& first, std::int64_t stride) {
    for (std::size_t i = 0; i < lists.size(); ++i)
        blocks.push_back(block_of(lists[i], first, stride));
}

/// Each field has as many temporary slots as any other.
std::vector<mpi::Shape> shapes_of_temps(const schedule::Schedule& schedule,
                                        const CheckedGhostCall& call) {
    const auto sizes = schedule::sizes_of_temps(schedule);
    const auto per_field = call.fields.empty() ? 1 : sizes.size() / call.fields.size();
    std::vector<mpi::Shape> shapes;
    for (std::size_t slot = 0; slot < sizes.size(); ++slot) {
        const auto& entry = call.fields[slot / per_field].owned.shape;
        const auto entries = entry.bytes() == 0 ? 0 : sizes[slot] / entry.bytes();
        shapes.push_back(entry.with_count(entries * entry.count()));
    }
    return shapes;
}

using Blocks = std::vector<mpi::Block>::iterator;

/// Moves the next blocks to an array; returns the one behind them.
Blocks moved(Blocks next, std::size_t count, const mpi::Block& first) {
    for (; count > 0; --count, ++next) {
        next->address = first.address;
        next->device = first.device;
    }
    return next;
}

}  // namespace

engine::Buffers buffers_of_update(const ghosts::GhostMap& map, const CheckedGhostCall& call) {
    engine::Buffers buffers;
    for (const auto& field : call.fields) {
        add_blocks(buffers.send, map.sent, field.owned, field.stride);
        add_blocks(buffers.recv, map.received, field.ghosts, field.stride);
    }
    return buffers;
}

engine::Buffers buffers_of_reduction(const ghosts::GhostMap& map, const CheckedGhostCall& call,
                                     const schedule::Schedule& schedule,
                                     agree::TypedMemory& temps) {
    engine::Buffers buffers;
    for (const auto& field : call.fields) {
        add_blocks(buffers.send, map.received, field.ghosts, field.stride);
        const auto first = std::ssize(buffers.recv);
        add_blocks(buffers.recv, map.sent, field.owned, field.stride);
        buffers.send.insert(buffers.send.end(), buffers.recv.begin() + first, buffers.recv.end());
    }
    temps = agree::TypedMemory(shapes_of_temps(schedule, call));
    buffers.temp = temps.blocks();
    buffers.ops.assign(call.fields.size(), call.op);
    return buffers;
}

void move_blocks(engine::Buffers& buffers, const ghosts::GhostMap& map,
                 const CheckedGhostCall& call) {
    auto send = buffers.send.begin();
    auto recv = buffers.recv.begin();
    for (const auto& field : call.fields) {
        const auto& first_sent = call.reduces ? field.ghosts : field.owned;
        const auto& first_received = call.reduces ? field.owned : field.ghosts;
        send = moved(send, (call.reduces ? map.received : map.sent).size(), first_sent);
        if (call.reduces) send = moved(send, map.sent.size(), field.owned);
        recv = moved(recv, (call.reduces ? map.sent : map.received).size(), first_received);
    }
}

}  // namespace carpool::neighbor
