// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

namespace interposed {

#ifdef OPEN_MPI
inline constexpr bool is_open_mpi = true;
#else
inline constexpr bool is_open_mpi = false;  ///< MPICH, or an MPI with its handles
#endif

}  // namespace interposed
