/* SPDX-License-Identifier: MIT */
#include "constants.h"

#include <carpool/mpi.h>

#include <ISO_Fortran_binding.h>
#include <stddef.h>

static Constants known;

/* Module carpool has the first function, which calls the second one with the constants. */
void Carpool_f08_tell_constants(void);

#pragma GCC visibility push(default)
void Carpool_f08_hear_constants(const CFI_cdesc_t *bottom, const CFI_cdesc_t *in_place,
                                const CFI_cdesc_t *unweighted, const CFI_cdesc_t *weights_empty,
                                const CFI_cdesc_t *status_ignore,
                                const CFI_cdesc_t *statuses_ignore);
#pragma GCC visibility pop

void Carpool_f08_hear_constants(const CFI_cdesc_t *bottom, const CFI_cdesc_t *in_place,
                                const CFI_cdesc_t *unweighted, const CFI_cdesc_t *weights_empty,
                                const CFI_cdesc_t *status_ignore,
                                const CFI_cdesc_t *statuses_ignore)
{
    known.bottom = bottom->base_addr;
    known.in_place = in_place->base_addr;
    known.unweighted = unweighted->base_addr;
    known.weights_empty = weights_empty->base_addr;
    known.statuses_ignore = statuses_ignore->base_addr;
    known.status_size = (int)(status_ignore->elem_len / sizeof(int));
    known.status_ignore = status_ignore->base_addr;
}

/* Threads that make the first call at the same time write the same values. */
const Constants *constants(void)
{
    if (known.status_ignore == NULL) Carpool_f08_tell_constants();
    return &known;
}

const int *weights_in(const int *given)
{
    const Constants *fortrans = constants();
    if ((const void *)given == fortrans->unweighted) return MPI_UNWEIGHTED;
    if ((const void *)given == fortrans->weights_empty) return MPI_WEIGHTS_EMPTY;
    return given;
}

int *weights_out(int *given)
{
    return (const void *)given == constants()->unweighted ? MPI_UNWEIGHTED : given;
}
