// SPDX-License-Identifier: MIT
#include "mpi/reduce_local.hpp"

#include "mpi/host_symbol.hpp"
#include "mpi/use.hpp"

#include <cstddef>

namespace carpool::mpi {

#ifdef OPEN_MPI

namespace {

/// The function to which that of MPI_COMM_SELF leads.
using ReduceLocal = int(const void*, void*, std::size_t, MPI_Datatype, MPI_Op, void* module);

ReduceLocal* of_host() {
    static auto* const found = host_function<ReduceLocal>("mca_coll_base_reduce_local");
    return found;
}

}  // namespace

/// Open MPI 5 calls a function of MPI_COMM_SELF, and crashes where that does not exist.
int reduce_local(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op) {
    if (!Use::by_sessions()) return MPI_Reduce_local(in, inout, count, type, op);
    if (of_host() == nullptr) return MPI_ERR_UNSUPPORTED_OPERATION;
    return of_host()(in, inout, static_cast<std::size_t>(count), type, op, nullptr);
}

#else

int reduce_local(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op) {
    return MPI_Reduce_local(in, inout, count, type, op);
}

#endif

}  // namespace carpool::mpi
