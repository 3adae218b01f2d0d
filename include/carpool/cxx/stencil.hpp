#pragma once

#include <array>
#include <carpool/cxx/error.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace carpool {

/// Offsets of neighbors on a grid. Those with a name are as halo.h says.
class Stencil {
public:
    /// As the coordinates stand: d of the first offset, d of the second...
    Stencil(int dimensions, std::vector<int> coordinates)
        : dimensions_(dimensions), coordinates_(std::move(coordinates)) {}

    template <std::size_t D>
    explicit Stencil(std::span<const std::array<int, D>> offsets) : dimensions_(int{D}) {
        for (const auto& offset : offsets)
            coordinates_.insert(coordinates_.end(), offset.begin(), offset.end());
    }

    /// @param text  such as "moore 2 1", or "offsets 2: 0,1 0,-1"
    explicit Stencil(const std::string& text) {
        read("Carpool_Stencil", [&](int most, int* t, int* offsets) {
            return Carpool_Stencil(text.c_str(), most, &dimensions_, t, offsets);
        });
    }

    static Stencil moore(int d, int radius) {
        return named(d, "Carpool_Stencil_moore", Carpool_Stencil_moore, radius);
    }
    static Stencil von_neumann(int d, int radius) {
        return named(d, "Carpool_Stencil_von_neumann", Carpool_Stencil_von_neumann, radius);
    }
    static Stencil positive_octant(int d, int radius) {
        return named(d, "Carpool_Stencil_positive_octant", Carpool_Stencil_positive_octant, radius);
    }
    static Stencil shales(int d, std::span<const int> radii) {
        return named(d, "Carpool_Stencil_shales", Carpool_Stencil_shales,
                     static_cast<int>(radii.size()), radii.data());
    }
    static Stencil box(int d, int n, int f) {
        return named(d, "Carpool_Stencil_box", Carpool_Stencil_box, n, f);
    }

    int dimensions() const { return dimensions_; }
    int size() const {
        return dimensions_ == 0 ? 0 : static_cast<int>(coordinates_.size()) / dimensions_;
    }
    std::span<const int> operator[](int i) const {
        const auto d = static_cast<std::size_t>(dimensions_);
        return std::span(coordinates_).subspan(static_cast<std::size_t>(i) * d, d);
    }
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

    /// Counts, then reads.
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
