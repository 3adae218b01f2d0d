// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/cxx/datatype.hpp>
#include <ranges>
#include <type_traits>

namespace carpool {

/// Stands for MPI_IN_PLACE in the place of a buffer.
struct InPlace {};
inline constexpr InPlace in_place{};

/// Values that lie one behind the other.
template <typename Range>
concept Values = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                 Datatyped<std::ranges::range_value_t<Range>>;

/// Values that still exist when the expression has ended, because a call may be under way then: a
/// named vector or a span, but no temporary vector.
template <typename Range>
concept LastingValues = Values<Range> && std::ranges::borrowed_range<Range>;

/// All the memory that a call reads or writes. If the call has several blocks on this side, they
/// share it evenly. {} stands for no buffer, on a rank that has none. A buffer is made from a range
/// (vector, array, span...), from one value, or from address, count and datatype as MPI takes them.
/// It does not own the memory.
template <typename Pointer>
struct BasicBuffer {
    static constexpr bool writes = std::is_same_v<Pointer, void*>;

    BasicBuffer() = default;
    BasicBuffer(InPlace) : data(MPI_IN_PLACE) {}
    BasicBuffer(Pointer first, MPI_Count number, MPI_Datatype of)
        : data(first), count(number), type(of) {}

    template <Datatyped T>
        requires(!std::ranges::range<T> && !(writes && std::is_const_v<T>))
    BasicBuffer(T& value) : data(&value), count(length_of<T>()), type(datatype_of<T>()) {}

    template <LastingValues Range>
        requires std::is_convertible_v<decltype(std::ranges::data(std::declval<Range&>())), Pointer>
    BasicBuffer(Range&& values)
        : data(std::ranges::data(values)),
          count(static_cast<MPI_Count>(std::ranges::size(values)) *
                length_of<std::ranges::range_value_t<Range>>()),
          type(datatype_of<std::ranges::range_value_t<Range>>()) {}

    /// The part of one of so many blocks. If the blocks cannot share the buffer evenly, its count
    /// is negative, which the call refuses on all ranks.
    BasicBuffer block(int blocks) const {
        if (blocks == 0) return {data, 0, type};
        return {data, count % blocks == 0 ? count / blocks : -1, type};
    }

    Pointer data = nullptr;
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// A buffer that a call reads, and one that it writes.
using ConstBuffer = BasicBuffer<const void*>;
using Buffer = BasicBuffer<void*>;

namespace detail {

/// The count and datatype of a reduction, which its two buffers must share. If they differ, the
/// count is negative, which the call refuses on all ranks.
inline Buffer alike(const ConstBuffer& send, const Buffer& recv) {
    if (recv.type == MPI_DATATYPE_NULL) return {nullptr, send.count, send.type};
    if (send.data == MPI_IN_PLACE) return recv;
    if (send.count != recv.count || send.type != recv.type) return {nullptr, -1, recv.type};
    return recv;
}

}  // namespace detail
}  // namespace carpool
