#pragma once

#include "carpool/request.h"
#include "group/arguments.hpp"

#include <mpi.h>

namespace carpool::api {

/// A persistent request for a collective on all ranks of comm, planned.
int init(const group::Arguments& arguments, MPI_Comm comm, MPI_Info info, Carpool_Request* request);

/// The same, to be planned by the time its first start completes.
int init_at_once(const group::Arguments& arguments, MPI_Comm comm, MPI_Info info,
                 Carpool_Request* request);

/// Calls that end once.
int blocking(const group::Arguments& arguments, MPI_Comm comm);
int nonblocking(const group::Arguments& arguments, MPI_Comm comm, Carpool_Request* request);

}  // namespace carpool::api
