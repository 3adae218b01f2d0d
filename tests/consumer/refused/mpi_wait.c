/* SPDX-License-Identifier: MIT */
/* What compilers warn of: a request of Carpool that is given to MPI. */
#include <carpool/carpool.h>

void wait_for(Carpool_Request *request);

void wait_for(Carpool_Request *request) { MPI_Wait(request, MPI_STATUS_IGNORE); }
