#include "choice.h"

#include "binding.h"
#include "constants.h"

#include <carpool/carpool.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void mistake(Choice *choice, int error_class, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(choice->mistake, sizeof choice->mistake, format, arguments);
    va_end(arguments);
    choice->error_class = error_class;
}

/* ---- Arrays ---- */

static CFI_index_t extent(const CFI_cdesc_t *array, int k) { return array->dim[k].extent; }

/* An array of assumed size has the last extent -1, and lies dense. */
static int has_known_size(const CFI_cdesc_t *array)
{
    return array->rank == 0 || extent(array, array->rank - 1) != -1;
}

/* Elements of the first dimensions. */
static CFI_index_t slab(const CFI_cdesc_t *array, int dimensions)
{
    CFI_index_t elements = 1;
    for (int k = 0; k < dimensions; k++) elements *= extent(array, k);
    return elements;
}

/* Is the way from one element to the next the same in dimension `first` and all that follow? That
 * way in bytes, or 0. */
static CFI_index_t common_step(const CFI_cdesc_t *array, int first)
{
    CFI_index_t step = 0, next = 0;
    for (int k = first; k < array->rank; k++) {
        if (extent(array, k) == 1) continue;
        if (step == 0) step = next = array->dim[k].sm;
        if (array->dim[k].sm != next) return 0;
        next *= extent(array, k);
    }
    return step != 0 ? step : (CFI_index_t)array->elem_len;
}

int is_contiguous(const CFI_cdesc_t *array)
{
    if (!has_known_size(array) || slab(array, array->rank) <= 1) return 1;
    return common_step(array, 0) == (CFI_index_t)array->elem_len;
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

int section_type(const CFI_cdesc_t *array, int dimensions, CFI_index_t n, MPI_Datatype element,
                 MPI_Datatype *type)
{
    if (dimensions == 0) return MPI_Type_dup(element, type);
    const int last = dimensions - 1;
    const CFI_index_t row_size = slab(array, last);
    const CFI_index_t rows = n / row_size, more = n % row_size;
    MPI_Datatype row = MPI_DATATYPE_NULL, rest = MPI_DATATYPE_NULL;
    if (rows > INT_MAX) return MPI_ERR_COUNT;
    int code = section_type(array, last, row_size, element, &row);
    if (code == MPI_SUCCESS && more > 0) code = section_type(array, last, more, element, &rest);
    if (code == MPI_SUCCESS)
        code = rows_type((int)rows, array->dim[last].sm, row, more, rest, type);
    if (row != MPI_DATATYPE_NULL) MPI_Type_free(&row);
    if (rest != MPI_DATATYPE_NULL) MPI_Type_free(&rest);
    return code;
}

/* ---- Choices ---- */

static void *address_of(const CFI_cdesc_t *buffer)
{
    const Constants *fortrans = constants();
    if (buffer->base_addr == fortrans->in_place) return MPI_IN_PLACE;
    if (buffer->base_addr == fortrans->bottom) return MPI_BOTTOM;
    return buffer->base_addr;
}

Choice as_given(const CFI_cdesc_t *buffer)
{
    Choice choice = {.type = MPI_DATATYPE_NULL, .error_class = MPI_SUCCESS};
    choice.address = address_of(buffer);
    return choice;
}

static Choice dense(const CFI_cdesc_t *buffer, MPI_Count count, MPI_Datatype type)
{
    Choice choice = as_given(buffer);
    choice.count = count;
    choice.type = type;
    return choice;
}

/* Is that a section, which needs a datatype of its own? What is wrong with a count or a datatype by
 * itself is left to the C library. */
static int is_section(const CFI_cdesc_t *buffer, MPI_Count count, MPI_Datatype type)
{
    return !is_contiguous(buffer) && count > 0 && type != MPI_DATATYPE_NULL;
}

/* An element of the array is one of the datatype: no other can be found in a section. */
static int fits(Choice *choice, const char *name, const CFI_cdesc_t *buffer)
{
    MPI_Aint lower = 0, size = 0;
    MPI_Type_get_extent(choice->type, &lower, &size);
    if (lower == 0 && size == (MPI_Aint)buffer->elem_len) return 1;
    mistake(
        choice, MPI_ERR_TYPE,
        "%s is a section of an array whose elements have %zu bytes, and its datatype an extent of "
        "%ld, expected the same",
        name, buffer->elem_len, (long)size);
    return 0;
}

/* Takes a new type of that extent; 0 leaves it as it is. */
static void take_type(Choice *choice, MPI_Datatype type, CFI_index_t extent_wanted)
{
    choice->type = type;
    if (extent_wanted != 0) {
        MPI_Type_create_resized(type, 0, extent_wanted, &choice->type);
        MPI_Type_free(&type);
    }
    MPI_Type_commit(&choice->type);
    choice->owns_type = 1;
}

static void take_elements(Choice *choice, CFI_index_t step)
{
    MPI_Datatype element = MPI_DATATYPE_NULL;
    MPI_Type_dup(choice->type, &element);
    take_type(choice, element, step);
}

static void take_section(Choice *choice, const char *name, const CFI_cdesc_t *buffer,
                         CFI_index_t extent_wanted)
{
    MPI_Datatype section = MPI_DATATYPE_NULL;
    const CFI_index_t whole = slab(buffer, buffer->rank);
    if (choice->count > whole) {
        mistake(choice, MPI_ERR_COUNT,
                "%s is a section of %ld elements, expected at least the %ld of its count", name,
                (long)whole, (long)choice->count);
        return;
    }
    const int code = section_type(buffer, buffer->rank, choice->count, choice->type, &section);
    if (code != MPI_SUCCESS) {
        mistake(choice, code, "%s is a section that MPI makes no datatype of", name);
        return;
    }
    take_type(choice, section, extent_wanted);
    choice->count = 1;
}

/* How far blocks of count elements lie from each other, if that is always as far; else 0. */
static CFI_index_t step_of_blocks(const CFI_cdesc_t *buffer, MPI_Count count)
{
    for (int k = 0; k < buffer->rank; k++) {
        const CFI_index_t step = common_step(buffer, k), row = slab(buffer, k);
        if (step > 0 && count % row == 0) return count / row * step;
    }
    return 0;
}

Choice one_block(const char *name, const CFI_cdesc_t *buffer, MPI_Count count, MPI_Datatype type)
{
    Choice choice = dense(buffer, count, type);
    if (is_section(buffer, count, type) && fits(&choice, name, buffer))
        take_section(&choice, name, buffer, 0);
    return choice;
}

Choice blocks(const char *name, const CFI_cdesc_t *buffer, MPI_Count count, MPI_Datatype type)
{
    Choice choice = dense(buffer, count, type);
    if (!is_section(buffer, count, type) || !fits(&choice, name, buffer)) return choice;
    const CFI_index_t all = common_step(buffer, 0), step = step_of_blocks(buffer, count);
    if (all > 0)
        take_elements(&choice, all);
    else if (step > 0)
        take_section(&choice, name, buffer, step);
    else
        mistake(&choice, MPI_ERR_BUFFER,
                "%s is a section in which blocks of %ld elements do not lie equally far from each "
                "other, "
                "expected blocks that are whole columns, or a copy",
                name, (long)count);
    return choice;
}

static void refuse_section(Choice *choice, const char *name)
{
    mistake(
        choice, MPI_ERR_BUFFER,
        "%s is a section whose elements do not lie one behind the other, expected an array without "
        "gaps, or a copy",
        name);
}

Choice displaced(const char *name, const CFI_cdesc_t *buffer, MPI_Datatype type)
{
    Choice choice = dense(buffer, 0, type);
    if (!is_section(buffer, 1, type) || !fits(&choice, name, buffer)) return choice;
    const CFI_index_t step = common_step(buffer, 0);
    if (step > 0)
        take_elements(&choice, step);
    else
        refuse_section(&choice, name);
    return choice;
}

Choice contiguous(const char *name, const CFI_cdesc_t *buffer)
{
    Choice choice = as_given(buffer);
    if (!is_contiguous(buffer)) refuse_section(&choice, name);
    return choice;
}

enum Way { to_dense, to_section };

/* Copies the elements of the first dimensions from there, or back. Returns where the next ones lie.
 */
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

void copy_instead(Choice *choice, const CFI_cdesc_t *buffer, int is_output)
{
    if (choice->error_class != MPI_ERR_BUFFER && choice->error_class != MPI_ERR_TYPE) return;
    char *const dense = malloc((size_t)slab(buffer, buffer->rank) * buffer->elem_len);
    if (dense == NULL) {
        mistake(choice, MPI_ERR_NO_MEM, "no memory for a copy of a section");
        return;
    }
    copy(buffer, buffer->rank, buffer->base_addr, dense, to_dense);
    choice->address = dense;
    choice->copied = buffer;
    choice->is_output = is_output;
    choice->error_class = MPI_SUCCESS;
}

static void end_copy(Choice *choice)
{
    const CFI_cdesc_t *buffer = choice->copied;
    if (buffer == NULL) return;
    if (choice->is_output)
        copy(buffer, buffer->rank, buffer->base_addr, choice->address, to_section);
    free(choice->address);
}

/* ---- Datatypes of neighbors ---- */

int ranks(MPI_Comm comm)
{
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

/* The degrees that MPI or Carpool says; -1 of a communicator that has none, which is left to the C
 * library, as errors are. MPI takes some distributed graphs for Cartesian (ompi#14438), so these
 * are asked for first. */
static void find_degrees(MPI_Comm comm, int *in, int *out)
{
    int kind = MPI_UNDEFINED, weighted = 0, rank = 0;
    *in = *out = -1;
    MPI_Topo_test(comm, &kind);
    MPI_Comm_rank(comm, &rank);
    if (kind == MPI_UNDEFINED) return;
    if (Carpool_Cart_neighbor_count(comm, in) == MPI_SUCCESS) {
        *out = *in;
    } else if (kind == MPI_GRAPH) {
        MPI_Graph_neighbors_count(comm, rank, in);
        *out = *in;
    } else if (MPI_Dist_graph_neighbors_count(comm, in, out, &weighted) != MPI_SUCCESS) {
        MPI_Cartdim_get(comm, in);
        *out = *in *= 2;
    }
}

static void degrees(MPI_Comm comm, int *in, int *out)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_get_errhandler(comm, &handler);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    find_degrees(comm, in, out);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
}

int in_edges(MPI_Comm comm)
{
    int in = 0, out = 0;
    degrees(comm, &in, &out);
    return in;
}

int out_edges(MPI_Comm comm)
{
    int in = 0, out = 0;
    degrees(comm, &in, &out);
    return out;
}

Choice typed(const char *name, const CFI_cdesc_t *buffer, const MPI_Fint types[],
             int (*edges)(MPI_Comm), MPI_Comm comm)
{
    Choice choice = contiguous(name, buffer);
    if (choice.address == MPI_IN_PLACE || comm == MPI_COMM_NULL) return choice;
    const int count = edges(comm);
    if (count < 0) return choice;
    choice.types = malloc(((size_t)count + 1) * sizeof *choice.types);
    if (choice.types == NULL)
        mistake(&choice, MPI_ERR_NO_MEM, "no memory for %d datatypes of %s", count, name);
    else
        for (int i = 0; i < count; i++) choice.types[i] = MPI_Type_f2c(types[i]);
    return choice;
}

/* ---- Around a call ---- */

int is_read(const CFI_cdesc_t *buffer, MPI_Comm comm, int root)
{
    int rank = 0;
    if (is_contiguous(buffer) || comm == MPI_COMM_NULL) return 1;
    MPI_Comm_rank(comm, &rank);
    return rank == root;
}

int refused1(const char *function, MPI_Comm comm, const Choice *choice)
{
    if (choice->error_class == MPI_SUCCESS) return MPI_SUCCESS;
    return Carpool_f08_report(function, comm, choice->error_class, choice->mistake);
}

int refused2(const char *function, MPI_Comm comm, const Choice *first, const Choice *second)
{
    return refused1(function, comm, first->error_class != MPI_SUCCESS ? first : second);
}

void end_choice(Choice *choice)
{
    if (choice->owns_type) MPI_Type_free(&choice->type);
    free(choice->types);
    end_copy(choice);
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
