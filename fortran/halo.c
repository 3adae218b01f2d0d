/* Halos of Fortran's arrays: shapes and strides are those of the descriptor. */
#include "choice.h"

#include "binding.h"

#include <carpool/carpool.h>
#include <stdio.h>

/* Dimensions of cartcomm; of the array, where it is none that has any, which the library then says.
 */
static int dimensions_of(MPI_Comm cartcomm, const CFI_cdesc_t *field)
{
    int kind = MPI_UNDEFINED, d = field->rank;
    if (cartcomm == MPI_COMM_NULL) return d;
    MPI_Topo_test(cartcomm, &kind);
    if (kind == MPI_CART) MPI_Cartdim_get(cartcomm, &d);
    return d;
}

static int refuse(MPI_Comm cartcomm, int error_class, const char *text, long value, long expected)
{
    char whole[200];
    snprintf(whole, sizeof whole, text, value, expected);
    return Carpool_f08_report("Carpool_Halo_init", cartcomm, error_class, whole);
}

/* What a cell holds: one element, or the components that come before the dimensions of the grid. */
static int cell_type(const CFI_cdesc_t *field, int components, MPI_Datatype element,
                     MPI_Datatype *cell)
{
    CFI_index_t n = 1;
    for (int k = 0; k < components; k++) n *= field->dim[k].extent;
    if (n == 0) return MPI_Type_contiguous(0, element, cell);
    return section_type(field, components, n, element, cell);
}

static int halo_init(const CFI_cdesc_t *field, MPI_Datatype element, const int lower[],
                     const int upper[], int t, const int stencil[], MPI_Comm cartcomm,
                     MPI_Info info, Carpool_Request *request)
{
    const int d = dimensions_of(cartcomm, field), components = field->rank - d;
    int shape[CFI_MAX_RANK + 1];
    MPI_Aint strides[CFI_MAX_RANK + 1], first = 0, extent = (MPI_Aint)field->elem_len;
    MPI_Datatype cell = element;

    if (components < 0)
        return refuse(cartcomm, MPI_ERR_DIMS,
                      "field has %ld dimensions, expected the %ld of cartcomm, or more",
                      field->rank, d);
    if (element != MPI_DATATYPE_NULL) MPI_Type_get_extent(element, &first, &extent);
    if (extent != (MPI_Aint)field->elem_len)
        return refuse(cartcomm, MPI_ERR_TYPE,
                      "element has an extent of %ld bytes, expected the %ld of an element of field",
                      (long)extent, (long)field->elem_len);
    for (int k = 0; k < d; k++) {
        const CFI_dim_t *dimension = &field->dim[components + k];
        if (dimension->extent < 0)
            return refuse(cartcomm, MPI_ERR_ARG,
                          "field is of assumed size, so nobody knows its extent %ld, expected an "
                          "array of %ld "
                          "known ones",
                          d, d);
        shape[k] = (int)dimension->extent - lower[k] - upper[k];
        strides[k] = dimension->sm;
    }
    if (components > 0 && element != MPI_DATATYPE_NULL) {
        const int code = cell_type(field, components, element, &cell);
        if (code != MPI_SUCCESS) return code;
        MPI_Type_commit(&cell);
    }
    void *const address = field->base_addr;
    const Carpool_Halo halo = {1,    &address, shape,  lower, upper, MPI_ORDER_FORTRAN,
                               cell, t,        stencil};
    const int code = is_contiguous(field)
                         ? Carpool_Halo_init(&halo, cartcomm, info, request)
                         : Carpool_Halo_init_strided(&halo, strides, cartcomm, info, request);
    if (cell != element) MPI_Type_free(&cell);
    return code;
}

#pragma GCC visibility push(default)
void Carpool_Halo_init_f08ts(const CFI_cdesc_t *field, const MPI_Fint *element, const int lower[],
                             const int upper[], const int *t, const int stencil[],
                             const MPI_Fint *cartcomm, const MPI_Fint *info,
                             Carpool_Request *request, int *ierror);
#pragma GCC visibility pop

void Carpool_Halo_init_f08ts(const CFI_cdesc_t *field, const MPI_Fint *element, const int lower[],
                             const int upper[], const int *t, const int stencil[],
                             const MPI_Fint *cartcomm, const MPI_Fint *info,
                             Carpool_Request *request, int *ierror)
{
    const int code = halo_init(field, MPI_Type_f2c(*element), lower, upper, *t, stencil,
                               MPI_Comm_f2c(*cartcomm), MPI_Info_f2c(*info), request);
    if (ierror != NULL) *ierror = code;
}
