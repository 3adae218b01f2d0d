/* SPDX-License-Identifier: MIT */
/* A start and a wait in C, with what step.cpp does about errors. */
#include <carpool/carpool.h>

__attribute__((noreturn)) void fail(int code, const char *call);

void step(Carpool_Request *request);

void step(Carpool_Request *request)
{
    int code = Carpool_Start(request);
    if (code != MPI_SUCCESS) fail(code, "Carpool_Start");
    code = Carpool_Wait(request, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) fail(code, "Carpool_Wait");
}
