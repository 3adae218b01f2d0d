// SPDX-License-Identifier: MIT
#include "mpi/library.hpp"

#include "mpi/error.hpp"
#include "mpi/handle.hpp"

#include <mpi.h>

#include <algorithm>

namespace carpool::mpi {
namespace {

#ifdef OPEN_MPI
constexpr bool compiled_with_open_mpi = true;
#else
constexpr bool compiled_with_open_mpi = false;
#endif

}  // namespace

const char* compiled_with() {
    return compiled_with_open_mpi ? "Open MPI" : "MPICH or a derivative of it";
}

/// The MPI that runs may be another one, whose text is longer than the header allows: MPICH's may
/// have 8192 characters, and Open MPI's header has room for 256.
std::string library_version() {
    char version[std::max(MPI_MAX_LIBRARY_VERSION_STRING, 8192)];
    int length = 0;
    check(MPI_Get_library_version(version, &length), "MPI_Get_library_version");
    return {version, static_cast<std::size_t>(length)};
}

bool is_open_mpi() {
    static const bool is = library_version().find("Open MPI") != std::string::npos;
    return is;
}

bool is_intel_mpi() {
    static const bool is = library_version().find("Intel(R) MPI") != std::string::npos;
    return is;
}

bool initialized_and_not_finalized() {
    int initialized = 0;
    MPI_Initialized(&initialized);
    return initialized != 0 && !finalized();
}

bool is_another_mpi() {
#ifdef MPI_ABI_VERSION
    return false;  // handles are the same in all
#else
    static const bool is = is_open_mpi() != compiled_with_open_mpi;
    return is;
#endif
}

bool threads_are_allowed() {
    int level = MPI_THREAD_SINGLE;
    check(MPI_Query_thread(&level), "MPI_Query_thread");
    return level == MPI_THREAD_MULTIPLE;
}

}  // namespace carpool::mpi
