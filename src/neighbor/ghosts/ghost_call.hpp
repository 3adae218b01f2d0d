// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/types/shape.hpp"

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace carpool::neighbor {

/// The arguments of an update or a reduction of ghosts, as given: the arrays of several fields.
struct GhostArguments {
    bool reduces;  ///< from ghosts to owners, not from owners to ghosts
    bool listed;   ///< the user gives arrays of fields; else there is one
    int fields;
    const void* const* owned_values;
    const void* const* ghost_values;
    const MPI_Count* counts;
    const MPI_Datatype* types;
    MPI_Op op = MPI_OP_NULL;  ///< the operator of a reduction
};

/// The arrays of one field.
struct GhostField {
    const void* owned_values;  ///< as given
    const void* ghost_values;  ///< likewise
    mpi::Block owned;          ///< the first entry that this rank owns
    mpi::Block ghosts;         ///< the first ghost, of the same shape
    std::int64_t stride;       ///< bytes from one entry to the next

    /// Whether a call gives these arrays for its field f.
    bool has_arrays(const GhostArguments& arguments, int f) const {
        return owned_values == arguments.owned_values[f] &&
               ghost_values == arguments.ghost_values[f];
    }

    /// Whether an entry of its field f is as many elements of this type.
    bool has_type(const GhostArguments& arguments, int f) const {
        return owned.shape.count() == arguments.counts[f] &&
               owned.shape.given() == arguments.types[f];
    }
};

/// An update or reduction with all its arguments read and checked, as far as one rank can.
struct CheckedGhostCall {
    bool reduces = false;
    MPI_Op op = MPI_OP_NULL;
    std::vector<GhostField> fields = {};
    bool commutes = true;
    bool rounds = false;  ///< sums may depend on their order

    /// Whether another call has the same arguments.
    bool has(const GhostArguments& arguments) const;

    /// Whether another call differs in its arrays alone. Datatypes are alive, so their handles tell
    /// them apart. A user's operator that was freed may share its handle with a new one; the handle
    /// then calls the new one, so only whether it commutes has to be compared.
    bool has_form(const GhostArguments& arguments) const;

    /// Whether an array lies on a GPU.
    bool is_on_device() const;

    /// The bytes of an entry in all fields.
    std::int64_t bytes_per_entry() const;
};

/// Reads the arguments of a call. Throws an Error that names an argument that is wrong. The user's
/// lists of fields are not needed afterwards.
/// @param owned   the number of entries in each array of owned values
/// @param ghosts  the number of entries in each array of ghosts
CheckedGhostCall read_ghost_call(const GhostArguments& arguments, std::int64_t owned,
                                 std::int64_t ghosts);

}  // namespace carpool::neighbor
