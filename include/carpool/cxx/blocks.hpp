// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/cxx/buffer.hpp>
#include <concepts>
#include <cstddef>
#include <vector>

namespace carpool {

/// A range of integers, for counts and displacements.
template <typename Range>
concept Integers =
    std::ranges::sized_range<Range> && std::integral<std::ranges::range_value_t<Range>>;

/// Blocks of different sizes in one buffer, for the calls that end in v. Counts and displacements
/// are in values of the range, and are copied. Without displacements, blocks lie one behind the
/// other. The object does not own the memory of the buffer.
template <typename Pointer>
class BasicBlocks {
public:
    /// Stands for MPI_IN_PLACE.
    BasicBlocks(InPlace) : data(MPI_IN_PLACE) {}

    /// Blocks that lie one behind the other, block i of numbers[i] values.
    template <LastingValues Range, Integers Counts>
        requires std::constructible_from<BasicBuffer<Pointer>, Range>
    BasicBlocks(Range&& values, const Counts& numbers) : BasicBlocks(BasicBuffer<Pointer>(values)) {
        MPI_Aint next = 0;
        for (const auto number : numbers)
            next = add<std::ranges::range_value_t<Range>>(static_cast<MPI_Count>(number), next);
    }

    /// Block i has numbers[i] values and begins places[i] values behind the start of the range.
    /// @pre places has at least as many elements as numbers
    template <LastingValues Range, Integers Counts, Integers Displs>
        requires std::constructible_from<BasicBuffer<Pointer>, Range>
    BasicBlocks(Range&& values, const Counts& numbers, const Displs& places)
        : BasicBlocks(BasicBuffer<Pointer>(values)) {
        auto place = std::ranges::begin(places);
        for (const auto number : numbers)
            add<std::ranges::range_value_t<Range>>(static_cast<MPI_Count>(number),
                                                   static_cast<MPI_Aint>(*place++));
    }

    Pointer data = nullptr;
    std::vector<MPI_Count> counts;
    std::vector<MPI_Aint> displs;
    MPI_Datatype type = MPI_DATATYPE_NULL;

private:
    explicit BasicBlocks(const BasicBuffer<Pointer>& whole) : data(whole.data), type(whole.type) {}

    /// Adds a block. @return the place behind the block, in values
    template <typename T>
    MPI_Aint add(MPI_Count number, MPI_Aint place) {
        counts.push_back(number * length_of<T>());
        displs.push_back(place * static_cast<MPI_Aint>(length_of<T>()));
        return place + static_cast<MPI_Aint>(number);
    }
};

/// Blocks that a call reads, and blocks that it writes.
using ConstBlocks = BasicBlocks<const void*>;
using Blocks = BasicBlocks<void*>;

/// Blocks with a datatype each, for the calls that end in w. The object owns neither the memory of
/// the buffer nor the datatypes.
template <typename Pointer>
class BasicTypedBlocks {
public:
    /// Stands for MPI_IN_PLACE.
    BasicTypedBlocks(InPlace) : data(MPI_IN_PLACE) {}
    /// No blocks yet, of a buffer at base.
    explicit BasicTypedBlocks(Pointer base) : data(base) {}

    /// Adds a block of count elements of type, displacement bytes behind the start of the buffer.
    void add(MPI_Count count, MPI_Aint displacement, MPI_Datatype type) {
        counts.push_back(count);
        displs.push_back(displacement);
        types.push_back(type);
    }

    Pointer data = nullptr;
    std::vector<MPI_Count> counts;
    std::vector<MPI_Aint> displs;
    std::vector<MPI_Datatype> types;
};

/// Blocks that a call reads, and blocks that it writes, with a datatype each.
using ConstTypedBlocks = BasicTypedBlocks<const void*>;
using TypedBlocks = BasicTypedBlocks<void*>;

}  // namespace carpool
