// SPDX-License-Identifier: MIT
#pragma once

#include "buffers.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace carpool::tests {

/// The layout of entries of `count` elements of a datatype, one behind the other.
struct EntryLayout {
    int count;
    MPI_Datatype type;

    std::int64_t bytes() const {
        int size = 0;
        MPI_Type_size(type, &size);
        return std::int64_t{count} * size;
    }
    MPI_Aint stride() const { return count * extent(); }

    MPI_Aint extent() const {
        MPI_Aint lower = 0;
        MPI_Aint extent = 0;
        MPI_Type_get_extent(type, &lower, &extent);
        return extent;
    }

    /// Writes a value, given without holes, to an entry.
    void write(const Bytes& value, std::byte* entry) const {
        int position = 0;
        MPI_Unpack(value.data(), static_cast<int>(value.size()), &position, entry, count, type,
                   MPI_COMM_SELF);
    }
    Bytes read(const std::byte* entry) const {
        Bytes value(static_cast<std::size_t>(bytes()));
        int position = 0;
        MPI_Pack(entry, count, type, value.data(), static_cast<int>(value.size()), &position,
                 MPI_COMM_SELF);
        return value;
    }
};

/// An array of entries with poison around them and in their holes.
class EntryArray {
public:
    /// @param memory  grows if need be, and else stays where it is
    EntryArray(Bytes& memory, std::int64_t entries, const EntryLayout& layout)
        : memory_(&memory), layout_(layout), stride_(layout.stride()) {
        MPI_Aint lower = 0;
        MPI_Aint extent = 0;
        MPI_Type_get_true_extent(layout.type, &lower, &extent);
        const auto last = std::max<MPI_Aint>(0, static_cast<MPI_Aint>(entries) * layout.count - 1) *
                          layout.extent();
        const auto first = std::min<MPI_Aint>(0, last) + std::min<MPI_Aint>(0, lower);
        start_ = guard + (-first + alignment - 1) / alignment * alignment;
        size_ = static_cast<std::size_t>(start_ + std::max<MPI_Aint>(0, last) +
                                         std::max<MPI_Aint>(0, lower + extent) + guard);
        if (memory.size() < size_) memory.resize(size_);
        clear();
    }

    std::byte* address() const { return memory_->data() + start_; }
    std::byte* at(std::int64_t entry) const { return address() + entry * stride_; }
    const EntryLayout& layout() const { return layout_; }

    void clear() { std::fill_n(memory_->begin(), size_, poison); }
    void set(std::int64_t entry, const Bytes& value) { layout_.write(value, at(entry)); }
    Bytes value(std::int64_t entry) const { return layout_.read(at(entry)); }

    /// All bytes, those around the entries as well.
    Bytes bytes() const {
        return {memory_->begin(), memory_->begin() + static_cast<std::ptrdiff_t>(size_)};
    }

private:
    static constexpr MPI_Aint guard = 64;
    static constexpr MPI_Aint alignment = 16;

    Bytes* memory_;
    EntryLayout layout_;
    MPI_Aint stride_;
    MPI_Aint start_ = 0;
    std::size_t size_ = 0;
};

}  // namespace carpool::tests
