// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <utility>
#include <vector>

#ifdef OPEN_MPI

namespace carpool::interpose {

/// The address of a buffer as C's functions take it: the addresses of Fortran's MPI_BOTTOM and
/// MPI_IN_PLACE are those of common blocks.
void* address_of(void* buffer);

/// The datatypes of an alltoallw. Those to send are not read where the send buffer is MPI_IN_PLACE.
std::pair<std::vector<MPI_Datatype>, std::vector<MPI_Datatype>> types(void* sendbuf,
                                                                      const MPI_Fint* sendtypes,
                                                                      const MPI_Fint* recvtypes,
                                                                      MPI_Comm comm,
                                                                      bool of_neighbors);

}  // namespace carpool::interpose

#endif
