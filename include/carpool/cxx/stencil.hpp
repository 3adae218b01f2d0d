// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <carpool/cxx/error.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace carpool {

/// The offsets of the neighbors on a grid. halo.h describes the named stencils.
class Stencil {
public:
    /// @param coordinates  those of the first offset, as many as dimensions, then those of the
    ///     second, and so on
    Stencil(int dimensions, std::vector<int> coordinates)
        : dimensions_(dimensions), coordinates_(std::move(coordinates)) {}

    /// A stencil of the given offsets.
    template <std::size_t D>
    explicit Stencil(std::span<const std::array<int, D>> offsets) : dimensions_(int{D}) {
        for (const auto& offset : offsets)
            coordinates_.insert(coordinates_.end(), offset.begin(), offset.end());
    }

    /// The stencil that a text describes, by Carpool_Stencil.
    /// @param text  such as "moore 2 1", or "offsets 2: 0,1 0,-1"
    explicit Stencil(const std::string& text) {
        read("Carpool_Stencil", [&](int most, int* t, int* offsets) {
            return Carpool_Stencil(text.c_str(), most, &dimensions_, t, offsets);
        });
    }

    /// All offsets except zero with coordinates in [-radius, radius].
    static Stencil moore(int d, int radius) {
        return named(d, "Carpool_Stencil_moore", Carpool_Stencil_moore, radius);
    }
    /// All offsets except zero that are at most radius unit steps long.
    static Stencil von_neumann(int d, int radius) {
        return named(d, "Carpool_Stencil_von_neumann", Carpool_Stencil_von_neumann, radius);
    }
    /// All offsets except zero with coordinates in [0, radius].
    static Stencil positive_octant(int d, int radius) {
        return named(d, "Carpool_Stencil_positive_octant", Carpool_Stencil_positive_octant, radius);
    }
    /// All offsets whose largest |coordinate| is one of the radii.
    static Stencil shales(int d, std::span<const int> radii) {
        return named(d, "Carpool_Stencil_shales", Carpool_Stencil_shales,
                     static_cast<int>(radii.size()), radii.data());
    }
    /// All offsets with coordinates in [f, f + n - 1], also zero if it is among them.
    static Stencil box(int d, int n, int f) {
        return named(d, "Carpool_Stencil_box", Carpool_Stencil_box, n, f);
    }

    /// The number of coordinates of an offset.
    int dimensions() const { return dimensions_; }
    /// The number of offsets.
    int size() const {
        return dimensions_ == 0 ? 0 : static_cast<int>(coordinates_.size()) / dimensions_;
    }
    /// The coordinates of offset i.
    std::span<const int> operator[](int i) const {
        const auto d = static_cast<std::size_t>(dimensions_);
        return std::span(coordinates_).subspan(static_cast<std::size_t>(i) * d, d);
    }
    /// The coordinates of all offsets, one offset behind the other.
    std::span<const int> coordinates() const { return coordinates_; }

    bool operator==(const Stencil&) const = default;

private:
    template <typename Function, typename... Arguments>
    static Stencil named(int d, const char* call, Function function, Arguments... arguments) {
        Stencil stencil(d, {});
        stencil.read(call, [&](int most, int* t, int* offsets) {
            return function(d, arguments..., most, t, offsets);
        });
        return stencil;
    }

    /// Calls the function twice: to count the offsets, then to read them.
    template <typename Call>
    void read(const char* name, Call call) {
        int t = 0;
        check(call(0, &t, nullptr), name);
        coordinates_.resize(static_cast<std::size_t>(t) * static_cast<std::size_t>(dimensions_));
        check(call(t, &t, coordinates_.data()), name);
    }

    int dimensions_ = 0;
    std::vector<int> coordinates_;
};

}  // namespace carpool
