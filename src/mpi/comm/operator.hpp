// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/comm/agreement.hpp"

#include <mpi.h>

#include <cstdint>

namespace carpool::mpi {

/// Claims which operator it is, or for a user's operator whether it commutes: other ranks cannot
/// know more of that.
Claim claim_of(MPI_Op op, bool commutes);

/// Claims what is reduced: the size of an element, and what numbers it holds, whatever the language
/// that names its datatype.
Claim claim_of_element(MPI_Datatype type);

/// Is it an operator that the user has made?
bool is_users(MPI_Op op);

/// @pre op is valid
bool commutes(MPI_Op op);

/// An operator as it reduces blocks of a datatype.
struct CheckedOperator {
    bool commutes = true;
    bool rounds = false;            ///< sums may depend on the order in which they are made
    std::int64_t element_size = 1;  ///< bytes of an element

    /// Becomes this operator on that type. Throws MPI_ERR_OP unless it reduces blocks of that type.
    /// MPI is not asked again about the latest of its own operators and types.
    /// @pre the type is committed
    void become(MPI_Op op, MPI_Datatype type);

private:
    MPI_Op op_ = MPI_OP_NULL;  // null if MPI is to be asked again
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace carpool::mpi
