// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/types/shape.hpp"
#include "schedule/content.hpp"
#include "schedule/resized.hpp"
#include "schedule/schedule.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace carpool::tests {

/// Number of bytes that a schedule reads or writes in each slot.
inline schedule::SlotBytes sizes_in(const schedule::Schedule& schedule) {
    const auto none = [](int slots) {
        return std::vector<std::int64_t>(static_cast<std::size_t>(slots));
    };
    schedule::SlotBytes sizes{none(schedule.send_slots), none(schedule.recv_slots),
                              none(schedule.temp_slots)};
    const auto note = [&](schedule::Slot slot, std::int64_t bytes) {
        auto& of_kind = slot.kind == schedule::Slot::Kind::send   ? sizes.send
                        : slot.kind == schedule::Slot::Kind::recv ? sizes.recv
                                                                  : sizes.temp;
        of_kind[static_cast<std::size_t>(slot.position)] = bytes;
    };
    for (const auto& round : schedule.rounds)
        for (const auto* message : {&round.send, &round.receive})
            for (const auto& part : message->parts) note(part.slot, part.bytes);
    for (const auto& copy : schedule.copies)
        for (const auto slot : {copy.from, copy.to}) note(slot, copy.bytes);
    for (const auto& sum : schedule.sums) {
        for (const auto slot : sum.of) note(slot, sum.bytes);
        note(sum.to, sum.bytes);
    }
    return sizes;
}

/// The bytes of a content. Those of a block follow from its rank and slot; sums are sums of
/// integers.
inline std::vector<std::byte> bytes_of(const schedule::Content& content, std::int64_t bytes) {
    constexpr std::int64_t word = sizeof(std::uint64_t);
    const std::int64_t words = (bytes + word - 1) / word;
    std::vector<std::uint64_t> sums(static_cast<std::size_t>(words));
    for (const auto& block : content.blocks)
        for (int rank = block.rank; rank < block.rank + block.ranks; ++rank)
            for (std::size_t i = 0; i < sums.size(); ++i)
                sums[i] += 0x0123456789abcdefU * static_cast<unsigned>(rank + 1) +
                           0x10001U * static_cast<unsigned>(block.send_slot) + 7 * i;
    std::vector<std::byte> result(static_cast<std::size_t>(bytes));
    if (bytes > 0) std::memcpy(result.data(), sums.data(), result.size());
    return result;
}

/// The blocks of one kind of slots. Between any two elements there is poison if the extent is
/// larger than an element; then no block is contiguous.
class SlotMemory {
public:
    /// @param type    the type of an element @param extent  its extent, at least its size
    SlotMemory(std::vector<std::int64_t> sizes, MPI_Datatype type, std::int64_t element,
               std::int64_t extent)
        : sizes_(std::move(sizes)), type_(type), element_(element), extent_(extent) {
        std::int64_t end = gap;
        for (const auto size : sizes_) {
            offsets_.push_back(end);
            end += (size / element * extent + 2 * gap - 1) / gap * gap;
        }
        bytes_.assign(static_cast<std::size_t>(end), poison);
    }

    void clear() { bytes_.assign(bytes_.size(), poison); }

    std::int64_t size(std::size_t slot) const { return sizes_[slot]; }

    void write(std::size_t slot, const schedule::Content& content) {
        const auto bytes = bytes_of(content, sizes_[slot]);
        for (std::int64_t i = 0; i * element_ < sizes_[slot]; ++i)
            std::memcpy(bytes_.data() + offsets_[slot] + i * extent_, bytes.data() + i * element_,
                        static_cast<std::size_t>(element_));
    }

    std::vector<mpi::Block> blocks() {
        std::vector<mpi::Block> blocks;
        for (std::size_t slot = 0; slot < sizes_.size(); ++slot)
            blocks.push_back(
                {bytes_.data() + offsets_[slot], mpi::Shape(sizes_[slot] / element_, type_)});
        return blocks;
    }

    friend bool operator==(const SlotMemory& a, const SlotMemory& b) {
        return a.bytes_ == b.bytes_;
    }

private:
    static constexpr std::int64_t gap = 16;  // around each block, and its alignment
    static constexpr std::byte poison{0xa5};

    std::vector<std::int64_t> sizes_;
    MPI_Datatype type_;
    std::int64_t element_;
    std::int64_t extent_;
    std::vector<std::int64_t> offsets_;
    std::vector<std::byte> bytes_;
};

}  // namespace carpool::tests
