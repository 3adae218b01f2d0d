// SPDX-License-Identifier: MIT
#pragma once

namespace carpool::mpi {

/// A function of the host MPI that not every MPI or version has; null if this one does not have it.
/// It is looked up at run time, so the library can be built with an MPI that lacks it.
void* host_symbol(const char* name);

template <typename Function>
Function* host_function(const char* name) {
    return reinterpret_cast<Function*>(host_symbol(name));
}

}  // namespace carpool::mpi
