#pragma once

#include "carpool/carpool.h"
#include "neighbor/call.hpp"
#include "routing/plan.hpp"

#include <mpi.h>

namespace carpool::api {

/// A neighborhood collective as called: everything but its form.
struct Collective {
    routing::Pattern pattern;
    neighbor::Side send;
    neighbor::Side recv;
    MPI_Comm comm;
};

int blocking(const Collective& collective);
int nonblocking(const Collective& collective, Carpool_Request* request);
int persistent(const Collective& collective, MPI_Info info, Carpool_Request* request);

}  // namespace carpool::api
