/* SPDX-License-Identifier: MIT */
#include "statuses.h"

#include "constants.h"

#include <stdlib.h>

void statuses_of(Statuses *statuses, MPI_Fint *fortran, int count)
{
    const Constants *fortrans = constants();
    statuses->fortran = fortran;
    statuses->count = 0;
    statuses->c = MPI_STATUSES_IGNORE;
    if ((void *)fortran == fortrans->statuses_ignore) return;
    statuses->c = MPI_STATUS_IGNORE;
    if ((void *)fortran == fortrans->status_ignore) return;
    const int few = sizeof statuses->few / sizeof *statuses->few;
    statuses->c = count <= few ? statuses->few : calloc((size_t)count, sizeof *statuses->c);
    /* Without memory for them, the statuses are ignored. */
    if (statuses->c == NULL)
        statuses->c = MPI_STATUSES_IGNORE;
    else
        statuses->count = count;
    for (int i = 0; i < statuses->count; i++)
        MPI_Status_f2c(fortran + i * constants()->status_size, statuses->c + i);
}

void end_statuses(Statuses *statuses)
{
    for (int i = 0; i < statuses->count; i++)
        MPI_Status_c2f(statuses->c + i, statuses->fortran + i * constants()->status_size);
    if (statuses->count > 0 && statuses->c != statuses->few) free(statuses->c);
}
