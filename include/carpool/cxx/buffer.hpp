#pragma once

#include <carpool/cxx/datatype.hpp>
#include <ranges>
#include <type_traits>

namespace carpool {

/// In the place of a buffer: MPI_IN_PLACE.
struct InPlace {};
inline constexpr InPlace in_place{};

/// Values that lie one behind the other.
template <typename Range>
concept Values = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                 Datatyped<std::ranges::range_value_t<Range>>;

/// Those that are still there when the expression has ended: a call may be under way then.
template <typename Range>
concept LastingValues = Values<Range> && std::ranges::borrowed_range<Range>;

/// All the memory that a call reads or writes, not that of one block: where there are several
/// blocks they share it evenly. {} is none, where a rank has none. Made of a range (vector, array,
/// span...), of one value, or of what MPI takes; it does not own the memory.
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

    /// What it holds for each of so many blocks; a negative count, which is refused on all ranks,
    /// where they cannot share it evenly.
    BasicBuffer block(int blocks) const {
        if (blocks == 0) return {data, 0, type};
        return {data, count % blocks == 0 ? count / blocks : -1, type};
    }

    Pointer data = nullptr;
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
};

using ConstBuffer = BasicBuffer<const void*>;
using Buffer = BasicBuffer<void*>;

namespace detail {

/// The two buffers of a reduction are alike. A count that is refused on all ranks, if they are not.
inline Buffer alike(const ConstBuffer& send, const Buffer& recv) {
    if (recv.type == MPI_DATATYPE_NULL) return {nullptr, send.count, send.type};
    if (send.data == MPI_IN_PLACE) return recv;
    if (send.count != recv.count || send.type != recv.type) return {nullptr, -1, recv.type};
    return recv;
}

}  // namespace detail
}  // namespace carpool
