/* SPDX-License-Identifier: MIT */
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

/* Leaves the memory of texts and types as it is, since setting it would take longer than the rest.
 */
void as_given(Choice *choice, const CFI_cdesc_t *buffer)
{
    choice->address = address_of(buffer);
    choice->count = 0;
    choice->type = MPI_DATATYPE_NULL;
    choice->types = NULL;
    choice->owns_type = 0;
    choice->error_class = MPI_SUCCESS;
    choice->copy_will_do = 0;
    choice->copied = NULL;
    choice->is_output = 0;
}

int is_in_place(const Choice *choice) { return choice->address == MPI_IN_PLACE; }

static void dense(Choice *choice, const Blocks *blocks)
{
    as_given(choice, blocks->buffer);
    choice->type = blocks->type;
    if (!blocks->counts.is_array) choice->count = count_of(blocks, 0);
}

/* True if the blocks have bytes, all of them in a section, so that it needs its own datatype or a
 * copy. */
static int is_section(Choice *choice, const Blocks *blocks)
{
    int i = 0;
    Span span = {0, 0};
    if (!is_bounded(blocks->buffer)) return 0;
    const Fit fit = fit_of(blocks, &i, &span);
    if (fit == outside)
        choice->error_class =
            describe_outside(choice->mistake, sizeof choice->mistake, blocks, i, span);
    return choice->copy_will_do = fit == inside;
}

/* True if the datatype is that of an element of the array; otherwise the elements cannot be found
 * in a section. */
static int is_element(Choice *choice, const Blocks *blocks)
{
    const MPI_Aint bytes = (MPI_Aint)blocks->buffer->elem_len;
    MPI_Aint lower = 0, extent = 0, first = 0, size = 0;
    MPI_Type_get_extent(choice->type, &lower, &extent);
    MPI_Type_get_true_extent(choice->type, &first, &size);
    if (lower == 0 && extent == bytes && first >= 0 && first + size <= bytes) return 1;
    mistake(choice, MPI_ERR_TYPE,
            "%s is a section of an array whose elements have %ld bytes, and its datatype an extent "
            "of %ld with bytes %ld to %ld, expected those of an element",
            blocks->name, (long)bytes, (long)extent, (long)first + 1, (long)(first + size));
    return 0;
}

/* Replaces the datatype of one element by that of count elements of the first dimensions. */
static int take_type(Choice *choice, const Blocks *blocks, int dimensions, MPI_Count count,
                     CFI_index_t extent)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    const int error_class =
        section_type(blocks->buffer, dimensions, count, choice->type, extent, &type);
    if (error_class != MPI_SUCCESS) {
        mistake(choice, error_class, "%s is a section that MPI makes no datatype of", blocks->name);
        return 0;
    }
    choice->type = type;
    choice->owns_type = 1;
    return 1;
}

static void take_elements(Choice *choice, const Blocks *blocks, CFI_index_t step)
{
    take_type(choice, blocks, 0, 1, step);
}

static void take_block(Choice *choice, const Blocks *blocks, CFI_index_t extent)
{
    if (take_type(choice, blocks, blocks->buffer->rank, choice->count, extent)) choice->count = 1;
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

static void refuse_section(Choice *choice, const char *name)
{
    mistake(
        choice, MPI_ERR_BUFFER,
        "%s is a section whose elements do not lie one behind the other, expected an array without "
        "gaps, or a copy",
        name);
}

void one_block(Choice *choice, const Blocks *blocks)
{
    dense(choice, blocks);
    if (is_section(choice, blocks) && is_element(choice, blocks)) take_block(choice, blocks, 0);
}

void equal_blocks(Choice *choice, const Blocks *blocks)
{
    dense(choice, blocks);
    if (!is_section(choice, blocks) || !is_element(choice, blocks)) return;
    const CFI_index_t all = common_step(blocks->buffer, 0);
    const CFI_index_t step = step_of_blocks(blocks->buffer, choice->count);
    if (all > 0)
        take_elements(choice, blocks, all);
    else if (step > 0)
        take_block(choice, blocks, step);
    else
        mistake(choice, MPI_ERR_BUFFER,
                "%s is a section in which blocks of %ld elements do not lie equally far from each "
                "other, expected blocks that are whole columns, or a copy",
                blocks->name, (long)choice->count);
}

void displaced_blocks(Choice *choice, const Blocks *blocks)
{
    dense(choice, blocks);
    if (!is_section(choice, blocks) || !is_element(choice, blocks)) return;
    const CFI_index_t step = common_step(blocks->buffer, 0);
    if (step > 0)
        take_elements(choice, blocks, step);
    else
        refuse_section(choice, blocks->name);
}

void summands(Choice *choice, const Blocks *blocks)
{
    dense(choice, blocks);
    if (is_section(choice, blocks)) refuse_section(choice, blocks->name);
}

/* Converts the datatypes, which are not significant with MPI_IN_PLACE. */
static void take_types(Choice *choice, const Blocks *blocks)
{
    const int number = is_in_place(choice) ? 0 : blocks_of(&blocks->peers).behind;
    if (number == 0) return;
    const int few = sizeof choice->few_types / sizeof *choice->few_types;
    choice->types =
        number <= few ? choice->few_types : malloc((size_t)number * sizeof *choice->types);
    if (choice->types == NULL) {
        mistake(choice, MPI_ERR_NO_MEM, "no memory for %d datatypes of %s", number, blocks->name);
        choice->copy_will_do = 0;
        return;
    }
    for (int i = 0; i < number; i++) choice->types[i] = MPI_Type_f2c(blocks->types[i]);
}

void typed_blocks(Choice *choice, const Blocks *blocks)
{
    summands(choice, blocks);
    take_types(choice, blocks);
}

void contiguous(Choice *choice, const char *name, const CFI_cdesc_t *buffer)
{
    as_given(choice, buffer);
    if (!is_contiguous(buffer)) refuse_section(choice, name);
}

/* ---- Copies ---- */

void copy_instead(Choice *choice, const CFI_cdesc_t *buffer, int is_output)
{
    if (choice->error_class == MPI_SUCCESS || !choice->copy_will_do) return;
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

static int rank_in(MPI_Comm comm)
{
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int is_read(const CFI_cdesc_t *buffer, MPI_Comm comm, int root)
{
    return !is_bounded(buffer) || comm == MPI_COMM_NULL || rank_in(comm) == root;
}

int is_read_in_exscan(const CFI_cdesc_t *recvbuf, MPI_Comm comm, const Choice *sendbuf)
{
    return !is_bounded(recvbuf) || comm == MPI_COMM_NULL || rank_in(comm) > 0 ||
           is_in_place(sendbuf);
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
    if (choice->types != choice->few_types) free(choice->types);
    end_copy(choice);
}
