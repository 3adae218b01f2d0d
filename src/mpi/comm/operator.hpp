#pragma once

#include "mpi/comm/agreement.hpp"

#include <mpi.h>

#include <cstdint>

namespace carpool::mpi {

/// Throws MPI_ERR_OP unless op can reduce blocks of that type.
/// @pre the type is committed
void check_op(MPI_Op op, MPI_Datatype type);

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

/// Does a reduction give the same bits in whatever order it is done? It does for integers with one
/// of MPI's own operators. @pre The type is committed
bool is_exact(MPI_Op op, MPI_Datatype type);

/// An operator as it reduces blocks of a datatype.
struct CheckedOperator {
    bool commutes = true;
    bool rounds = false;            ///< sums may depend on the order in which they are made
    std::int64_t element_size = 1;  ///< bytes of an element

    /// Becomes this operator on that type; check_op() is applied. MPI is not asked again about the
    /// latest of its own operators and types.
    void become(MPI_Op op, MPI_Datatype type);

private:
    MPI_Op op_ = MPI_OP_NULL;  // null if MPI is to be asked again
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace carpool::mpi
