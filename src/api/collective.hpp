#pragma once

#include "carpool/carpool.h"
#include "neighbor/call.hpp"

#include <mpi.h>

namespace carpool::api {

/// A neighborhood collective as called: everything but its form.
struct Collective {
    neighbor::Arguments arguments;
    MPI_Comm comm;
};

int blocking(const Collective& collective);
int nonblocking(const Collective& collective, Carpool_Request* request);
int persistent(const Collective& collective, MPI_Info info, Carpool_Request* request);

}  // namespace carpool::api
