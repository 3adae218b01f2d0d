// SPDX-License-Identifier: MIT
#include "engine/mirror.hpp"

#include "base/expects.hpp"
#include "device/failure.hpp"
#include "mpi/error.hpp"
#include "mpi/types/byte_range.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace carpool::engine {
namespace {

using device::Strip;
using mpi::Block;
using mpi::Shape;

bool is_on_device(const Block& block) { return block.device != nullptr; }

/// Turns a Failure into an Error.
template <typename Body>
void with_errors_of_mpi(Body body) {
    try {
        body();
    } catch (const device::Failure& failure) {
        throw mpi::Error(MPI_ERR_OTHER, failure.what());
    }
}

/// Starts one kind of copies of all shares. @param copies  Share::pack or Share::unpack
template <typename Shares, typename Copies>
void start_all(const Shares& shares, Copies copies, device::Stream stream) {
    with_errors_of_mpi([&] {
        for (const auto& share : shares) ((*share).*copies).start(stream);
    });
}

/// The copies between a block on a device and its place in the mirror.
/// @param add  called for each with the address of both sides and the strip's other members
template <typename Add>
void for_each_strip(const Block& on_device, const Block& mirrored, const Add& add) {
    const bool as_it_lies = on_device.shape == mirrored.shape && !mirrored.shape.is_dense();
    auto* next = mirrored.address;
    const auto runs = on_device.shape.runs();
    CARPOOL_EXPECTS(runs.has_value());
    for (const auto& run : *runs) {
        auto* const there = on_device.address + run.offset;
        if (as_it_lies) {
            add(there, mirrored.address + run.offset, run, run.stride);
            continue;
        }
        add(there, next, run, run.length);
        next += run.length * run.repeat;
    }
}

}  // namespace

bool Mirror::is_needed(const Buffers& buffers) {
    if (device::Driver::known() == nullptr) return false;
    return std::ranges::any_of(buffers.send, is_on_device) ||
           std::ranges::any_of(buffers.recv, is_on_device) ||
           std::ranges::any_of(buffers.before,
                               [](const Move& move) { return is_on_device(move.from); }) ||
           std::ranges::any_of(buffers.after,
                               [](const Move& move) { return is_on_device(move.to); });
}

Mirror::Mirror(schedule::SlotUse use, const Buffers& buffers, BlockForm form)
    : use_(std::move(use)), form_(form), memory_(std::make_unique<Memory>()) {
    become(buffers);
}

Mirror::~Mirror() {
    if (memory_->shares.empty() || memory_->ended()) return;
    auto& device = memory_->shares.front()->device;
    device.keep(std::move(memory_));
}

/// Asks about both copies: a later start of either demands that its end has been seen.
bool Mirror::Share::ended() {
    const bool packed = pack.ended();
    return unpack.ended() && packed;
}

/// A GPU whose driver fails has done its last work.
bool Mirror::Memory::ended() {
    try {
        return std::ranges::all_of(shares, [](const auto& share) { return share->ended(); });
    } catch (const device::Failure&) {
        return true;
    }
}

void Mirror::become(const Buffers& buffers) {
    buffers_ = buffers;
    with_errors_of_mpi([&] {
        find_places();
        lay_out(buffers.recv);
    });
}

void Mirror::find_places() {
    places_.clear();
    for (const auto position : use_.send_order) {
        const auto slot = static_cast<std::size_t>(position);
        if (slot < buffers_.send.size())
            add(buffers_.send[slot], {use_.reads_send[slot], false, use_.sums_send[slot]},
                use_.awaited[slot]);
    }
    for (const auto position : use_.recv_order) {
        const auto slot = static_cast<std::size_t>(position);
        if (slot < buffers_.recv.size())
            add(buffers_.recv[slot],
                {use_.reads_recv[slot], use_.writes_recv[slot], use_.sums_recv[slot]});
    }
    const bool sums = !buffers_.ops.empty();
    for (auto& move : buffers_.before) add(move.from, {true, false, sums});
    for (auto& move : buffers_.after) add(move.to, {false, true, sums});
}

/// A block that is neither read nor written gets no memory.
void Mirror::add(Block& block, Use use, std::span<const int> awaited) {
    if (block.device == nullptr) return;
    if (use.is_read || use.is_written) places_.push_back({block, &block, use, awaited});
    const bool typed =
        (form_ == BlockForm::typed || use.is_summed) && !block.shape.is_layout_alone();
    if (block.shape && !typed) block.shape = Shape(block.shape.bytes(), MPI_BYTE);
    block.address = nullptr;
    block.device = nullptr;
}

/// @param recv  the receive slots' blocks on the device
void Mirror::lay_out(std::span<const Block> recv) {
    mpi::TypedLayout layout;
    for (auto& place : places_) place.offset = layout.add(place.mirrored->shape);
    for (const auto& place : places_) share_of(*place.on_device.device);
    const auto bytes = static_cast<std::size_t>(layout.bytes());
    auto& pinned = memory_->pinned;
    if (pinned.bytes() < bytes) pinned = memory_->shares.front()->device.pinned(bytes);
    for (const auto& place : places_) place.mirrored->address = pinned.get() + place.offset;
    for (auto& place : places_) {
        if (place.on_device.shape.bytes() == 0) continue;
        const auto mirrored = split(place, recv);
        add_strips(place, mirrored);
    }
    for (const auto& share : memory_->shares) {
        share->pack.become(std::exchange(share->packed, {}));
        share->unpack.become(std::exchange(share->unpacked, {}));
    }
}

/// Restricts a place to the bytes that no receive fills: the rest of the block is sent from where
/// the mirror receives it. Returns the place of the remaining bytes in the mirror.
Block Mirror::split(Place& place, std::span<const Block> recv) const {
    const auto filled = filled_in(place, recv);
    if (filled.empty()) return *place.mirrored;
    auto [own, all] = FilledBytes(filled).split(place.on_device, place.offset);
    place.on_device.shape = Shape::of_bytes(std::move(own));
    auto* const start = memory_->pinned.get();
    *place.mirrored = {start, Shape::of_bytes(std::move(all))};
    return {start + place.offset, Shape(place.on_device.shape.bytes(), MPI_BYTE)};
}

std::vector<FilledBytes::FilledBlock> Mirror::filled_in(const Place& place,
                                                        std::span<const Block> recv) const {
    std::vector<FilledBytes::FilledBlock> filled;
    for (const auto position : place.awaited) {
        const auto slot = static_cast<std::size_t>(position);
        const auto& block = recv[slot];
        if (block.device == nullptr || block.shape.bytes() == 0) continue;
        if (!ranges_overlap(place.on_device, block)) continue;
        CARPOOL_EXPECTS(!use_.sums_recv[slot], position);
        filled.push_back({&block, buffers_.recv[slot].address - memory_->pinned.get()});
    }
    return filled;
}

void Mirror::add_strips(const Place& place, const Block& mirrored) {
    auto& share = share_of(*place.on_device.device);
    for_each_strip(
        place.on_device, mirrored,
        [&](std::byte* there, std::byte* here, const mpi::Run& run, std::int64_t stride) {
            if (place.use.is_read)
                share.packed.push_back({there, here, run.length, run.stride, stride, run.repeat});
            if (place.use.is_written)
                share.unpacked.push_back({here, there, run.length, stride, run.stride, run.repeat});
        });
}

Mirror::Share& Mirror::share_of(device::Device& device) {
    auto& shares = memory_->shares;
    const auto found = std::ranges::find_if(
        shares, [&device](const auto& share) { return &share->device == &device; });
    return found != shares.end() ? **found : *shares.emplace_back(std::make_unique<Share>(device));
}

bool Mirror::is_idle() const {
    bool all = true;
    with_errors_of_mpi([&] {
        for (const auto& share : memory_->shares) all &= share->ended();
    });
    return all;
}

void Mirror::pack(device::Stream stream) { start_all(memory_->shares, &Share::pack, stream); }

void Mirror::unpack(device::Stream stream) { start_all(memory_->shares, &Share::unpack, stream); }

}  // namespace carpool::engine
