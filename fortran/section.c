/* SPDX-License-Identifier: MIT */
#include "section.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static CFI_index_t extent_of(const CFI_cdesc_t *array, int k) { return array->dim[k].extent; }

/* False for an array of assumed size, whose last extent is -1. Such an array has no gaps. */
static int has_known_size(const CFI_cdesc_t *array)
{
    return array->rank == 0 || extent_of(array, array->rank - 1) != -1;
}

CFI_index_t slab(const CFI_cdesc_t *array, int dimensions)
{
    CFI_index_t elements = 1;
    for (int k = 0; k < dimensions; k++) elements *= extent_of(array, k);
    return elements;
}

CFI_index_t common_step(const CFI_cdesc_t *array, int first)
{
    CFI_index_t step = 0, next = 0;
    for (int k = first; k < array->rank; k++) {
        if (extent_of(array, k) == 1) continue;
        if (step == 0) step = next = array->dim[k].sm;
        if (array->dim[k].sm != next) return 0;
        next *= extent_of(array, k);
    }
    return step != 0 ? step : (CFI_index_t)array->elem_len;
}

int is_contiguous(const CFI_cdesc_t *array)
{
    if (!has_known_size(array) || slab(array, array->rank) <= 1) return 1;
    return common_step(array, 0) == (CFI_index_t)array->elem_len;
}

int is_bounded(const CFI_cdesc_t *array)
{
    return has_known_size(array) && (slab(array, array->rank) == 0 || !is_contiguous(array));
}

static int rows_type(int n, MPI_Aint step, MPI_Datatype row, CFI_index_t more, MPI_Datatype rest,
                     MPI_Datatype *type)
{
    MPI_Datatype rows = MPI_DATATYPE_NULL;
    int code = MPI_Type_create_hvector(n, 1, step, row, &rows);
    if (code != MPI_SUCCESS || more == 0) {
        *type = rows;
        return code;
    }
    code = MPI_Type_create_struct(2, (const int[]){1, 1}, (const MPI_Aint[]){0, n * step},
                                  (const MPI_Datatype[]){rows, rest}, type);
    MPI_Type_free(&rows);
    return code;
}

static int elements_type(const CFI_cdesc_t *array, int dimensions, CFI_index_t n,
                         MPI_Datatype element, MPI_Datatype *type)
{
    if (n == 0) return MPI_Type_contiguous(0, element, type);
    if (dimensions == 0) return MPI_Type_dup(element, type);
    const int last = dimensions - 1;
    const CFI_index_t row_size = slab(array, last);
    const CFI_index_t rows = n / row_size, more = n % row_size;
    MPI_Datatype row = MPI_DATATYPE_NULL, rest = MPI_DATATYPE_NULL;
    if (rows > INT_MAX) return MPI_ERR_COUNT;
    int code = elements_type(array, last, row_size, element, &row);
    if (code == MPI_SUCCESS && more > 0) code = elements_type(array, last, more, element, &rest);
    if (code == MPI_SUCCESS)
        code = rows_type((int)rows, array->dim[last].sm, row, more, rest, type);
    if (row != MPI_DATATYPE_NULL) MPI_Type_free(&row);
    if (rest != MPI_DATATYPE_NULL) MPI_Type_free(&rest);
    return code;
}

static int resize(MPI_Datatype *type, CFI_index_t extent)
{
    MPI_Datatype before = *type;
    const int code = MPI_Type_create_resized(before, 0, extent, type);
    MPI_Type_free(&before);
    return code;
}

int section_type(const CFI_cdesc_t *array, int dimensions, CFI_index_t n, MPI_Datatype element,
                 CFI_index_t extent, MPI_Datatype *type)
{
    int error_class = MPI_SUCCESS;
    int code = elements_type(array, dimensions, n, element, type);
    if (code == MPI_SUCCESS && extent != 0) code = resize(type, extent);
    if (code == MPI_SUCCESS) code = MPI_Type_commit(type);
    MPI_Error_class(code, &error_class);
    return error_class;
}

enum Way { to_dense, to_section };

/* Copies the elements of the first dimensions. Returns the place of the next ones. */
static char *copy(const CFI_cdesc_t *array, int dimensions, char *there, char *dense, enum Way way)
{
    if (dimensions == 0) {
        if (way == to_dense)
            memcpy(dense, there, array->elem_len);
        else
            memcpy(there, dense, array->elem_len);
        return dense + array->elem_len;
    }
    const CFI_dim_t *last = &array->dim[dimensions - 1];
    for (CFI_index_t i = 0; i < last->extent; i++)
        dense = copy(array, dimensions - 1, there + i * last->sm, dense, way);
    return dense;
}

void *dense_copy(const CFI_cdesc_t *array)
{
    void *const dense = malloc((size_t)slab(array, array->rank) * array->elem_len);
    if (dense != NULL) copy(array, array->rank, array->base_addr, dense, to_dense);
    return dense;
}

void copy_back(const CFI_cdesc_t *array, void *dense)
{
    copy(array, array->rank, array->base_addr, dense, to_section);
}
