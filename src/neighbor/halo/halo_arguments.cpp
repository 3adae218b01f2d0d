// SPDX-License-Identifier: MIT
#include "neighbor/halo/halo_arguments.hpp"

#include "arguments/array.hpp"
#include "arguments/side.hpp"
#include "mpi/device_memory.hpp"
#include "mpi/error.hpp"
#include "mpi/types/layout.hpp"

#include <cstdint>
#include <limits>
#include <string>

namespace carpool::neighbor {
namespace {

using arguments::check_array;
using mpi::Error;

/// Widths below zero are checked here, too: a shape must make sense before a datatype is made from
/// it.
void check_shape(const HaloArguments& a, int d) {
    for (int k = 0; k < d; ++k) {
        mpi::check_at_least(name_of_extent(k), a.shape[k], 0, MPI_ERR_DIMS);
        mpi::check_at_least(mpi::element("lower", k), a.lower[k], 0, MPI_ERR_ARG);
        mpi::check_at_least(mpi::element("upper", k), a.upper[k], 0, MPI_ERR_ARG);
        const auto whole = std::int64_t{a.shape[k]} + a.lower[k] + a.upper[k];
        if (whole > std::numeric_limits<int>::max())
            throw Error(MPI_ERR_DIMS, name_of_extent(k) + " and its halo are " +
                                          std::to_string(whole) + " cells, expected an int");
    }
}

device::Device* device_of_field(const HaloArguments& a, int f) {
    return mpi::device_of(mpi::element("field", f), a.field[f]);
}

[[noreturn]] void refuse_places(const HaloArguments& a, int f) {
    const int there = device_of_field(a, 0) != nullptr ? 0 : f;
    throw Error(MPI_ERR_BUFFER, mpi::element("field", there) + " is memory of a GPU, and " +
                                    mpi::element("field", there == 0 ? f : 0) +
                                    " is elsewhere, expected all fields in one place");
}

/// A device reads the pieces of a cell itself.
void check_readable(const HaloArguments& a) {
    if (a.fields == 0 || device_of(a) == nullptr || mpi::Layout::of(a.element)) return;
    throw Error(MPI_ERR_TYPE,
                "field[0] is memory of a GPU, and element can only be read by MPI_Pack, expected a "
                "datatype whose pieces Carpool knows");
}

}  // namespace

device::Device* device_of(const HaloArguments& arguments) {
    return arguments.fields > 0 ? device_of_field(arguments, 0) : nullptr;
}

std::string name_of_extent(int k) {
    if (!base::called_from_fortran) return mpi::element("shape", k);
    return "the number of owned cells in dimension " + std::to_string(base::callers_index(k)) +
           " of cartcomm";
}

void check_arguments(const HaloArguments& a, int d, MPI_Comm comm) {
    mpi::check_at_least("fields", a.fields, 0, MPI_ERR_ARG);
    mpi::check_at_least("t", a.t, 0, MPI_ERR_ARG);
    check_array("field", a.field, a.fields);
    check_array("shape", a.shape, d);
    check_array("lower", a.lower, d);
    check_array("upper", a.upper, d);
    check_array("stencil", a.stencil, a.t);
    for (int f = 0; f < a.fields; ++f) {
        check_array(mpi::element("field", f).c_str(), a.field[f], 1);
        if (device_of_field(a, f) != device_of_field(a, 0)) refuse_places(a, f);
    }
    check_shape(a, d);
    if (a.order != MPI_ORDER_C && a.order != MPI_ORDER_FORTRAN)
        throw Error(MPI_ERR_ARG, "order is " + std::to_string(a.order) +
                                     ", expected MPI_ORDER_C or MPI_ORDER_FORTRAN");
    arguments::check_type("element", a.element, comm);
    check_readable(a);
}

}  // namespace carpool::neighbor
