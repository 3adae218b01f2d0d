// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <carpool/cxx/datatype.hpp>
#include <carpool/cxx/neighbors.hpp>
#include <carpool/cxx/stencil.hpp>
#include <carpool/cxx/view.hpp>
#include <cstddef>
#include <ranges>
#include <span>
#include <vector>

namespace carpool {

/// The widths of a halo, in cells, before (lower) and after (upper) the owned cells along each
/// dimension.
template <std::size_t D>
struct Widths {
    std::array<int, D> lower;
    std::array<int, D> upper;

    /// The same width on all sides.
    static Widths all(int width) {
        Widths widths;
        widths.lower.fill(width);
        widths.upper.fill(width);
        return widths;
    }
};

namespace detail {

/// The datatype of a cell. For a cell of several elements it is a contiguous datatype, made for the
/// call.
template <typename T>
class Element {
public:
    Element() : type_(datatype_of<T>()) {
        if (length_of<T>() == 1) return;
        check(MPI_Type_contiguous(static_cast<int>(length_of<T>()), type_, made_.address()),
              "MPI_Type_contiguous");
        check(MPI_Type_commit(made_.address()), "MPI_Type_commit");
        type_ = made_.get();
    }
    MPI_Datatype get() const { return type_; }

private:
    Owned<DatatypeKind> made_;
    MPI_Datatype type_;
};

}  // namespace detail

/// Plans a request that fills the halos of several arrays of one shape, as Carpool_Halo_init does.
/// The arrays must stay where they are until the request is destroyed.
/// @param fields  views of the whole arrays, halo included
/// @param stencil  the offsets that are read, which determine the sides, edges and corners that are
///     filled
/// @note Collective over cart, a Neighborhood or a communicator of MPI_Cart_create.
template <std::ranges::forward_range Views, std::size_t D>
Request halo_init(const Neighbors& cart, const Views& fields, const Widths<D>& widths,
                  const Stencil& stencil, const Settings& settings = {}) {
    std::vector<void*> addresses;
    std::array<int, D> shape{};
    for (const auto& field : fields) {
        addresses.push_back(field.data());
        for (std::size_t k = 0; k < D; ++k) {
            const int cells = field.extent(k) - widths.lower[k] - widths.upper[k];
            // if arrays differ, a negative shape, which is refused on all ranks
            shape[k] = addresses.size() == 1 || shape[k] == cells ? cells : -1;
        }
    }
    const detail::Element<typename std::ranges::range_value_t<Views>::Value> element;
    const Carpool_Halo halo{.fields = static_cast<int>(addresses.size()),
                            .field = addresses.data(),
                            .shape = shape.data(),
                            .lower = widths.lower.data(),
                            .upper = widths.upper.data(),
                            .order = MPI_ORDER_C,
                            .element = element.get(),
                            .t = stencil.dimensions() == int{D} ? stencil.size() : -1,
                            .stencil = stencil.coordinates().data()};
    Request request;
    check(Carpool_Halo_init(&halo, cart.comm(), settings.info().get(), request.address()),
          "Carpool_Halo_init");
    return request;
}

/// Plans a request that fills the halo of one array, in the same way.
/// @note Collective over cart.
template <typename T, std::size_t D>
Request halo_init(const Neighbors& cart, const View<T, D>& field, const Widths<D>& widths,
                  const Stencil& stencil, const Settings& settings = {}) {
    return halo_init(cart, std::span(&field, 1), widths, stencil, settings);
}

}  // namespace carpool
