/* SPDX-License-Identifier: MIT */
#include "offsets.h"

#include "binding.h"
#include "section.h"

#include <stdio.h>

/* False for a scalar, which may be the first of many elements, and for an array of assumed size. */
static int has_shape(const CFI_cdesc_t *array)
{
    return array->rank > 0 && array->dim[array->rank - 1].extent != -1;
}

/* "2, 8" */
static void describe_shape(char text[], size_t size, const CFI_cdesc_t *array)
{
    size_t at = 0;
    for (int k = 0; k < array->rank && at < size; k++)
        at += (size_t)snprintf(text + at, size - at, "%s%ld", k > 0 ? ", " : "",
                               (long)array->dim[k].extent);
}

static int refuse(const char *function, MPI_Comm comm, const char *name, const CFI_cdesc_t *array,
                  const char *expected)
{
    char shape[120], whole[300];
    describe_shape(shape, sizeof shape, array);
    snprintf(whole, sizeof whole, "%s has the shape (%s), expected %s", name, shape, expected);
    return Carpool_f08_report(function, comm, MPI_ERR_ARG, whole);
}

int check_list(const char *function, MPI_Comm comm, const char *name, const CFI_cdesc_t *array,
               int n)
{
    char expected[80];
    if (!has_shape(array) || slab(array, array->rank) >= n) return MPI_SUCCESS;
    snprintf(expected, sizeof expected, "%d elements", n);
    return refuse(function, comm, name, array, expected);
}

int check_offsets(const char *function, MPI_Comm comm, const char *name, const CFI_cdesc_t *array,
                  int d, int n)
{
    char expected[80];
    if (d <= 0 || n <= 0 || !has_shape(array)) return MPI_SUCCESS;
    const int columns = array->rank == 1 || array->dim[0].extent == d;
    if (columns && slab(array, array->rank) >= (CFI_index_t)d * n) return MPI_SUCCESS;
    snprintf(expected, sizeof expected, "(%d, %d): a column for each of the %d offsets", d, n, n);
    return refuse(function, comm, name, array, expected);
}
