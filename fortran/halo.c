/* SPDX-License-Identifier: MIT */
/* Halos of arrays of Fortran. The descriptor of an array has its shape and strides. */
#include "binding.h"
#include "offsets.h"
#include "section.h"

#include <carpool/carpool.h>
#include <stdio.h>

/* An array whose last dimensions are those of cartcomm; its other dimensions are the components of
 * a cell. */
typedef struct Field {
    const CFI_cdesc_t *array;
    MPI_Comm cartcomm;
    int d;
    int components;
} Field;

/* The number of dimensions of cartcomm. If it is not Cartesian, that of the array, and the library
 * reports the error. */
static int dimensions_of(MPI_Comm cartcomm, const CFI_cdesc_t *array)
{
    const int d = Carpool_f08_dimensions(cartcomm);
    return d >= 0 ? d : array->rank;
}

static int refuse(const Field *field, int error_class, const char *text, long value, long expected)
{
    char whole[200];
    snprintf(whole, sizeof whole, text, value, expected);
    return Carpool_f08_report("Carpool_Halo_init", field->cartcomm, error_class, whole);
}

static int check(const Field *field, MPI_Datatype element)
{
    const long bytes = (long)field->array->elem_len;
    MPI_Aint first = 0, extent = bytes;
    if (field->components < 0)
        return refuse(field, MPI_ERR_DIMS,
                      "field has %ld dimensions, expected the %ld of cartcomm, or more",
                      field->array->rank, field->d);
    if (element != MPI_DATATYPE_NULL) MPI_Type_get_extent(element, &first, &extent);
    if (extent != bytes)
        return refuse(field, MPI_ERR_TYPE,
                      "element has an extent of %ld bytes, expected the %ld of an element of field",
                      (long)extent, bytes);
    return MPI_SUCCESS;
}

static int find_shape(const Field *field, const Carpool_Halo *halo, int shape[], MPI_Aint strides[])
{
    for (int k = 0; k < field->d; k++) {
        const CFI_dim_t *dimension = &field->array->dim[field->components + k];
        if (dimension->extent < 0)
            return refuse(field, MPI_ERR_ARG,
                          "field is of assumed size, so nobody knows its extent %ld, expected an "
                          "array of %ld known ones",
                          field->d, field->d);
        shape[k] = (int)dimension->extent - halo->lower[k] - halo->upper[k];
        strides[k] = dimension->sm;
    }
    return MPI_SUCCESS;
}

/* The datatype of a cell: one element, or the components in the dimensions before those of the
 * grid. */
static int find_cell(const Field *field, MPI_Datatype element, MPI_Datatype *cell)
{
    const CFI_index_t n = slab(field->array, field->components);
    *cell = element;
    if (field->components == 0 || element == MPI_DATATYPE_NULL) return MPI_SUCCESS;
    const int error_class = section_type(field->array, field->components, n, element, 0, cell);
    if (error_class == MPI_SUCCESS) return MPI_SUCCESS;
    return refuse(
        field, error_class,
        "field has cells of %ld elements in %ld dimensions, of which MPI makes no datatype",
        (long)n, field->components);
}

/* @param halo  all members except those of the array; its element is that of the array, not of a
 * cell
 */
static int halo_init(const CFI_cdesc_t *array, Carpool_Halo halo, MPI_Comm cartcomm, MPI_Info info,
                     Carpool_Request *request)
{
    const int d = dimensions_of(cartcomm, array);
    const Field field = {array, cartcomm, d, array->rank - d};
    const MPI_Datatype element = halo.element;
    int shape[CFI_MAX_RANK + 1];
    MPI_Aint strides[CFI_MAX_RANK + 1];

    int code = check(&field, element);
    if (code == MPI_SUCCESS) code = find_shape(&field, &halo, shape, strides);
    if (code == MPI_SUCCESS) code = find_cell(&field, element, &halo.element);
    if (code != MPI_SUCCESS) return code;
    halo.fields = 1;
    halo.field = (void *const[]){array->base_addr};
    halo.shape = shape;
    halo.order = MPI_ORDER_FORTRAN;
    code = is_contiguous(array)
               ? FROM_FORTRAN(Carpool_Halo_init(&halo, cartcomm, info, request))
               : FROM_FORTRAN(Carpool_Halo_init_strided(&halo, strides, cartcomm, info, request));
    if (halo.element != element) MPI_Type_free(&halo.element);
    return code;
}

static int check_arrays(MPI_Comm cartcomm, const CFI_cdesc_t *lower, const CFI_cdesc_t *upper,
                        const CFI_cdesc_t *stencil, int t)
{
    const char *const function = "Carpool_Halo_init";
    const int d = Carpool_f08_dimensions(cartcomm);
    int code = check_list(function, cartcomm, "lower", lower, d);
    if (code == MPI_SUCCESS) code = check_list(function, cartcomm, "upper", upper, d);
    if (code == MPI_SUCCESS) code = check_offsets(function, cartcomm, "stencil", stencil, d, t);
    return code;
}

#pragma GCC visibility push(default)
void Carpool_Halo_init_f08ts(const CFI_cdesc_t *field, const MPI_Fint *element,
                             const CFI_cdesc_t *lower, const CFI_cdesc_t *upper, const int *t,
                             const CFI_cdesc_t *stencil, const MPI_Fint *cartcomm,
                             const MPI_Fint *info, Carpool_Request *request, int *ierror);
#pragma GCC visibility pop

void Carpool_Halo_init_f08ts(const CFI_cdesc_t *field, const MPI_Fint *element,
                             const CFI_cdesc_t *lower, const CFI_cdesc_t *upper, const int *t,
                             const CFI_cdesc_t *stencil, const MPI_Fint *cartcomm,
                             const MPI_Fint *info, Carpool_Request *request, int *ierror)
{
    const Carpool_Halo halo = {.lower = lower->base_addr,
                               .upper = upper->base_addr,
                               .element = MPI_Type_f2c(*element),
                               .t = *t,
                               .stencil = stencil->base_addr};
    const MPI_Comm comm = MPI_Comm_f2c(*cartcomm);
    int code = check_arrays(comm, lower, upper, stencil, *t);
    if (code == MPI_SUCCESS) code = halo_init(field, halo, comm, MPI_Info_f2c(*info), request);
    if (ierror != NULL) *ierror = code;
}
