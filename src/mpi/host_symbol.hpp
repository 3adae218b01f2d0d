#pragma once

namespace carpool::mpi {

/// A function of the MPI in use that not every MPI or version has; null if this one does not.
/// Looked up at run time, so the library needs no MPI that has it.
void* host_symbol(const char* name);

template <typename Function>
Function* host_function(const char* name) {
    return reinterpret_cast<Function*>(host_symbol(name));
}

}  // namespace carpool::mpi
