// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <ranges>

namespace carpool {

/// A view of an array of D dimensions, like a small std::mdspan. Elements that differ by one in the
/// last index lie side by side. The view does not own the memory.
template <typename T, std::size_t D>
class View {
public:
    using Value = T;
    using Extents = std::array<int, D>;

    /// An array of the given extents at data.
    View(T* data, const Extents& extents) : data_(data), extents_(extents) {}

    /// An array of the given extents in a range. @pre the range has as many elements
    template <std::ranges::contiguous_range Range>
    View(Range& values, const Extents& extents) : View(std::ranges::data(values), extents) {}

    /// The element at D indices, which are not checked.
    template <std::integral... Index>
        requires(sizeof...(Index) == D)
    T& operator()(Index... index) const {
        return (*this)[{static_cast<int>(index)...}];
    }

    /// The element at an array of D indices, which are not checked.
    T& operator[](const Extents& index) const {
        std::size_t place = 0;
        for (std::size_t k = 0; k < D; ++k)
            place =
                place * static_cast<std::size_t>(extents_[k]) + static_cast<std::size_t>(index[k]);
        return data_[place];
    }

    T* data() const { return data_; }
    int extent(std::size_t k) const { return extents_[k]; }
    const Extents& extents() const { return extents_; }

private:
    T* data_;
    Extents extents_;
};

}  // namespace carpool
