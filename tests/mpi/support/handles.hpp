// SPDX-License-Identifier: MIT
#pragma once

#include "coordinates.hpp"

#include <carpool/carpool.h>

#include <initializer_list>
#include <utility>

namespace carpool::tests {

/// A communicator or datatype, freed at the end of its scope.
template <class Handle, int (*free)(Handle*)>
class Owned {
public:
    explicit Owned(Handle handle) : handle_(handle) {}
    Owned(Owned&& other) noexcept : handle_(other.handle_) { other.owns_ = false; }
    Owned& operator=(Owned&&) = delete;
    ~Owned() { release(); }

    operator Handle() const { return handle_; }  // NOLINT: converts as the handle itself
    void release() {
        if (owns_) free(&handle_);
        owns_ = false;
    }

private:
    Handle handle_;
    bool owns_ = true;
};

using Comm = Owned<MPI_Comm, MPI_Comm_free>;
using Type = Owned<MPI_Datatype, MPI_Type_free>;
using Info = Owned<MPI_Info, MPI_Info_free>;

inline Type committed(MPI_Datatype type) {
    MPI_Type_commit(&type);
    return Type(type);
}

inline Type uncommitted_type() {
    MPI_Datatype type;
    MPI_Type_contiguous(3, MPI_INT, &type);
    return Type(type);
}

inline Info info_of(std::initializer_list<std::pair<const char*, const char*>> keys) {
    MPI_Info info;
    MPI_Info_create(&info);
    for (const auto& [key, value] : keys) MPI_Info_set(info, key, value);
    return Info(info);
}

/// @note Collective.
inline Comm duplicate_of_world() {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return Comm(comm);
}

/// A communicator with the pattern attached, on the torus.
/// @note Collective over comm.
inline Comm neighborhood(const Torus& torus, const Pattern& pattern, MPI_Info info = MPI_INFO_NULL,
                         MPI_Comm comm = MPI_COMM_WORLD, int reorder = 0) {
    MPI_Comm cart = MPI_COMM_NULL;
    Carpool_Cart_neighborhood_create(comm, pattern.d, torus.dims.data(), torus.periods.data(),
                                     pattern.t(), pattern.offsets.data(), MPI_UNWEIGHTED, info,
                                     reorder, &cart);
    return Comm(cart);
}

}  // namespace carpool::tests
