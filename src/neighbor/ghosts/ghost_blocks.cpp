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
    return {first.address, runs ? shape_of_runs(indices, *runs, stride)
                                : shape_by_mpi(indices, first.shape, stride)};
}

void add_blocks(std::vector<mpi::Block>& blocks, const ghosts::IndexLists& lists,
                const mpi::Block& first, std::int64_t stride) {
    for (std::size_t i = 0; i < lists.size(); ++i)
        blocks.push_back(block_of(lists[i], first, stride));
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
    std::vector<mpi::Shape> shapes;
    for (const auto& field : call.fields) {
        add_blocks(buffers.send, map.received, field.ghosts, field.stride);
        const auto first = std::ssize(buffers.recv);
        add_blocks(buffers.recv, map.sent, field.owned, field.stride);
        buffers.send.insert(buffers.send.end(), buffers.recv.begin() + first, buffers.recv.end());
        for (const auto entries : schedule::sizes_of_temps(schedule))
            shapes.push_back(field.owned.shape.with_count(entries * field.owned.shape.count()));
    }
    temps = agree::TypedMemory(shapes);
    buffers.temp = temps.blocks();
    buffers.ops.assign(call.fields.size(), call.op);
    return buffers;
}

}  // namespace carpool::neighbor
