/* SPDX-License-Identifier: MIT */
/* Blocks of deliveries as arrays of Fortran. */
#include "binding.h"

#include <carpool/sparse.h>

#include <stddef.h>
#include <stdio.h>

static int refuse(int index, MPI_Count bytes, size_t element)
{
    char text[120];
    snprintf(text, sizeof text,
             "block %d has %lld bytes, expected a multiple of %zu, the bytes of an element of data",
             index + 1, (long long)bytes, element);
    return Carpool_f08_report("Carpool_Delivery_get", MPI_COMM_NULL, MPI_ERR_TYPE, text);
}

#pragma GCC visibility push(default)
void Carpool_f08_delivery_get_array(const Carpool_Delivery *delivery, int index, size_t element,
                                    int *source, MPI_Count *elements, const void **data,
                                    int *ierror);
#pragma GCC visibility pop

/* Carpool_Delivery_get for a block of so many elements of the same size: none after an error. Then,
 * and for an empty block, data is an address all the same, as c_f_pointer needs. */
void Carpool_f08_delivery_get_array(const Carpool_Delivery *delivery, int index, size_t element,
                                    int *source, MPI_Count *elements, const void **data,
                                    int *ierror)
{
    static const char nothing;
    MPI_Count bytes = 0;
    int code = FROM_FORTRAN(Carpool_Delivery_get(*delivery, index, source, &bytes, data));
    if (code == MPI_SUCCESS && bytes % (MPI_Count)element != 0)
        code = refuse(index, bytes, element);
    *elements = code == MPI_SUCCESS ? bytes / (MPI_Count)element : 0;
    if (*elements == 0) *data = &nothing;
    if (ierror != NULL) *ierror = code;
}
