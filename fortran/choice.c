#include "choice.h"

#include "binding.h"
#include "constants.h"
#include "section.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void mistake(Choice *choice, int error_class, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(choice->mistake, sizeof choice->mistake, format, arguments);
    va_end(arguments);
    choice->error_class = error_class;
}

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

/* True for a section, which needs its own datatype. The C library reports mistakes in a count or a
 * datatype. */
static int is_section(const CFI_cdesc_t *buffer, MPI_Count count, MPI_Datatype type)
{
    return !is_contiguous(buffer) && count > 0 && type != MPI_DATATYPE_NULL;
}

/* True if an element of the array has the extent of the datatype; otherwise the elements cannot be
 * found in a section. */
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

/* Replaces the datatype of one element by that of count elements of the first dimensions. */
static int take_type(Choice *choice, const char *name, const CFI_cdesc_t *buffer, int dimensions,
                     MPI_Count count, CFI_index_t extent)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    const int error_class = section_type(buffer, dimensions, count, choice->type, extent, &type);
    if (error_class != MPI_SUCCESS) {
        mistake(choice, error_class, "%s is a section that MPI makes no datatype of", name);
        return 0;
    }
    choice->type = type;
    choice->owns_type = 1;
    return 1;
}

static void take_elements(Choice *choice, const char *name, const CFI_cdesc_t *buffer,
                          CFI_index_t step)
{
    take_type(choice, name, buffer, 0, 1, step);
}

static void take_section(Choice *choice, const char *name, const CFI_cdesc_t *buffer,
                         CFI_index_t extent)
{
    const CFI_index_t whole = slab(buffer, buffer->rank);
    if (choice->count > whole)
        mistake(choice, MPI_ERR_COUNT,
                "%s is a section of %ld elements, expected at least the %ld of its count", name,
                (long)whole, (long)choice->count);
    else if (take_type(choice, name, buffer, buffer->rank, choice->count, extent))
        choice->count = 1;
}

/* The distance in bytes between blocks of count elements, if it is the same for all; else 0. */
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
        take_elements(&choice, name, buffer, all);
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
        take_elements(&choice, name, buffer, step);
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

Choice typed(const char *name, const CFI_cdesc_t *buffer, const MPI_Fint types[],
             int (*edges)(MPI_Comm), MPI_Comm comm)
{
    Choice choice = contiguous(name, buffer);
    if (choice.address == MPI_IN_PLACE || comm == MPI_COMM_NULL) return choice;
    const int count = edges(comm);
    choice.types = malloc(((size_t)count + 1) * sizeof *choice.types);
    if (choice.types == NULL)
        mistake(&choice, MPI_ERR_NO_MEM, "no memory for %d datatypes of %s", count, name);
    else
        for (int i = 0; i < count; i++) choice.types[i] = MPI_Type_f2c(types[i]);
    return choice;
}

/* ---- Copies ---- */

void copy_instead(Choice *choice, const CFI_cdesc_t *buffer, int is_output)
{
    if (choice->error_class != MPI_ERR_BUFFER && choice->error_class != MPI_ERR_TYPE) return;
    void *const dense = dense_copy(buffer);
    if (dense == NULL) {
        mistake(choice, MPI_ERR_NO_MEM, "no memory for a copy of a section");
        return;
    }
    choice->address = dense;
    choice->copied = buffer;
    choice->is_output = is_output;
    choice->error_class = MPI_SUCCESS;
}

static void end_copy(Choice *choice)
{
    const CFI_cdesc_t *buffer = choice->copied;
    if (buffer == NULL) return;
    if (choice->is_output) copy_back(buffer, choice->address);
    free(choice->address);
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
