// SPDX-License-Identifier: MIT
#include "mpi/host_symbol.hpp"

#include <mpi.h>

#include <dlfcn.h>

namespace carpool::mpi {

/// Programs that load MPI for themselves (a Python module) may not make its symbols visible to all:
/// then the function is looked up in the library that contains MPI_Send, and in those that this has
/// loaded.
void* host_symbol(const char* name) {
    if (void* const found = dlsym(RTLD_DEFAULT, name)) return found;
    Dl_info info;
    if (dladdr(reinterpret_cast<void*>(&MPI_Send), &info) == 0) return nullptr;
    void* const library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) return nullptr;
    void* const found = dlsym(library, name);
    dlclose(library);  // it was loaded before, and stays
    return found;
}

}  // namespace carpool::mpi
