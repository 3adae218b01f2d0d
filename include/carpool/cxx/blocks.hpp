#pragma once

#include <carpool/cxx/buffer.hpp>
#include <concepts>
#include <cstddef>
#include <vector>

namespace carpool {

template <typename Range>
concept Integers =
    std::ranges::sized_range<Range> && std::integral<std::ranges::range_value_t<Range>>;

/// Blocks of several sizes in one buffer, for the calls that end in v. Counts and displacements are
/// in values of the range, and copied; without displacements blocks lie one behind the other.
template <typename Pointer>
class BasicBlocks {
public:
    BasicBlocks(InPlace) : data(MPI_IN_PLACE) {}

    template <LastingValues Range, Integers Counts>
        requires std::constructible_from<BasicBuffer<Pointer>, Range>
    BasicBlocks(Range&& values, const Counts& numbers) : BasicBlocks(BasicBuffer<Pointer>(values)) {
        MPI_Aint next = 0;
        for (const auto number : numbers)
            next = add<std::ranges::range_value_t<Range>>(static_cast<MPI_Count>(number), next);
    }

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

    /// @return the place behind the block, in values
    template <typename T>
    MPI_Aint add(MPI_Count number, MPI_Aint place) {
        counts.push_back(number * length_of<T>());
        displs.push_back(place * static_cast<MPI_Aint>(length_of<T>()));
        return place + static_cast<MPI_Aint>(number);
    }
};

using ConstBlocks = BasicBlocks<const void*>;
using Blocks = BasicBlocks<void*>;

/// Blocks with a datatype each, for the calls that end in w; displacements are in bytes.
template <typename Pointer>
class BasicTypedBlocks {
public:
    BasicTypedBlocks(InPlace) : data(MPI_IN_PLACE) {}
    explicit BasicTypedBlocks(Pointer base) : data(base) {}

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

using ConstTypedBlocks = BasicTypedBlocks<const void*>;
using TypedBlocks = BasicTypedBlocks<void*>;

}  // namespace carpool
