// SPDX-License-Identifier: MIT
#include "mpi/comm/kept_op.hpp"

#include "mpi/comm/operator.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "mpi/host_symbol.hpp"

#include <atomic>
#include <cstdint>

namespace carpool::mpi {

#ifdef OPEN_MPI

namespace {

/// Open MPI counts the references to an operator, and MPI_Op_free removes one. Each of its objects
/// begins with the address of its class and this count; in a debug build one word precedes them.
/// Returns null if an operator does not look like that: then it is not kept.
std::int32_t* references(MPI_Op op) {
    static const void* const op_class = host_symbol("ompi_op_t_class");
    auto** const words = reinterpret_cast<void**>(op);
    if (op_class == nullptr) return nullptr;
    for (const int at : {0, 1})
        if (words[at] == op_class) return reinterpret_cast<std::int32_t*>(words + at + 1);
    return nullptr;
}

}  // namespace

KeptOp::KeptOp(MPI_Op op, MPI_Comm) {
    auto* const count = is_users(op) ? references(op) : nullptr;
    if (count == nullptr) return;
    std::atomic_ref(*count).fetch_add(1);
    op_ = op;
}

#elif defined(CARPOOL_MPI_HAS_PERSISTENT_COLLECTIVES)

/// MPICH's persistent reductions keep their operator alive on each rank that applies it, and in an
/// exscan every rank does. The request is never started. A single rank would apply no operator.
KeptOp::KeptOp(MPI_Op op, MPI_Comm comm) {
    if (!is_users(op)) return;
    int size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    if (size == 1) return;
    static char from = 0, to = 0;
    // an invalid operator is refused where the arguments of the call are checked
    if (MPI_Exscan_init(&from, &to, 1, MPI_BYTE, op, comm, MPI_INFO_NULL, &user_) != MPI_SUCCESS)
        user_ = MPI_REQUEST_NULL;
}

#else

KeptOp::KeptOp(MPI_Op, MPI_Comm) {}

#endif

KeptOp::~KeptOp() {
    if (finalized()) return;
    if (op_ != MPI_OP_NULL) MPI_Op_free(&op_);
    if (user_ != MPI_REQUEST_NULL) MPI_Request_free(&user_);
}

}  // namespace carpool::mpi
