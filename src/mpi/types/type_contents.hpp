// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/handle.hpp"

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace carpool::mpi {

/// How a datatype was made: MPI_Type_get_envelope and MPI_Type_get_contents, also for large counts.
class TypeContents {
public:
    explicit TypeContents(MPI_Datatype type);

    int combiner() const { return combiner_; }

    /// Argument i of the constructor; integers and counts come first, then addresses.
    std::int64_t operator[](std::size_t i) const { return numbers_[i]; }

    /// MPI_ORDER_C or MPI_ORDER_FORTRAN, of a subarray.
    std::int64_t order() const { return order_; }

    const MPI_Datatype& type(std::size_t i) const { return types_[i]; }

    TypeContents(const TypeContents&) = delete;
    TypeContents& operator=(const TypeContents&) = delete;
    ~TypeContents();

private:
    int combiner_ = 0;
    std::int64_t order_ = 0;
    std::vector<std::int64_t> numbers_;
    std::vector<MPI_Datatype> types_;
};

bool is_predefined(MPI_Datatype type);

/// A derived datatype that stays alive when the user frees its handle.
struct KeptType {
    Datatype own;        ///< a type with the same layout
    MPI_Datatype given;  ///< what a user's operator expects to see: the user's own handle, in MPICH
                         ///< and Open MPI; MPI's standard only promises an equivalent one
};

KeptType kept(MPI_Datatype type);

}  // namespace carpool::mpi
