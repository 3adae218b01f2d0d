/* SPDX-License-Identifier: MIT */
#include "blocks.h"

#include "section.h"

#include <stdint.h>
#include <stdio.h>

static MPI_Count integer(const Integers *integers, int i)
{
    const int at = integers->is_array ? i : 0;
    if (integers->bytes == sizeof(int)) return ((const int *)integers->first)[at];
    return ((const int64_t *)integers->first)[at];
}

MPI_Count count_of(const Blocks *blocks, int i) { return integer(&blocks->counts, i); }

static MPI_Datatype type_of(const Blocks *blocks, int i)
{
    return blocks->types != NULL ? MPI_Type_f2c(blocks->types[i]) : blocks->type;
}

/* Null if block i has no elements, so that its datatype is not significant. */
static MPI_Datatype used_type(const Blocks *blocks, int i)
{
    return count_of(blocks, i) > 0 ? type_of(blocks, i) : MPI_DATATYPE_NULL;
}

static double extent_of(MPI_Datatype type)
{
    MPI_Aint lower = 0, extent = 0;
    if (type != MPI_DATATYPE_NULL) MPI_Type_get_extent(type, &lower, &extent);
    return (double)extent;
}

static double displacement(const Blocks *blocks, int i)
{
    const double unit = blocks->types != NULL ? 1 : extent_of(blocks->type);
    return unit * (double)integer(&blocks->displs, i);
}

/* The bytes of so many elements behind the place where the first one begins. */
static Span span_of(double count, MPI_Datatype type, double place)
{
    MPI_Aint lower = 0, size = 0;
    if (type != MPI_DATATYPE_NULL) MPI_Type_get_true_extent(type, &lower, &size);
    if (size == 0) return (Span){place, place};
    const double first = place + (double)lower;
    const double last = (count - 1) * extent_of(type);
    return (Span){first + (last < 0 ? last : 0), first + (double)size + (last > 0 ? last : 0)};
}

Fit fit_of(const Blocks *blocks, int *i, Span *span)
{
    const CFI_cdesc_t *buffer = blocks->buffer;
    const double room = (double)slab(buffer, buffer->rank) * (double)buffer->elem_len;
    const Range range = blocks_of(&blocks->peers);
    double end = 0; /* of the block before */
    Fit fit = no_bytes;
    for (*i = range.first; *i < range.behind; ++*i) {
        const MPI_Datatype type = used_type(blocks, *i);
        const double count = (double)count_of(blocks, *i);
        const double place = blocks->displs.name != NULL ? displacement(blocks, *i) : end;
        end = place + count * extent_of(type);
        *span = span_of(count, type, place);
        if (span->first == span->behind || !has_peer(&blocks->peers, *i)) continue;
        if (span->first < 0 || span->behind > room) return outside;
        fit = inside;
    }
    return fit;
}

/* "sendcounts(3) is 5", with the index that Fortran has. */
static void describe(char text[], size_t size, const Integers *integers, int i)
{
    const long long value = integer(integers, i);
    if (integers->is_array)
        snprintf(text, size, "%s(%d) is %lld", integers->name, i + 1, value);
    else
        snprintf(text, size, "%s is %lld", integers->name, value);
}

/* What else says where block i is; empty if it is the only one. */
static void describe_place(char text[], size_t size, const Blocks *blocks, int i)
{
    text[0] = '\0';
    if (blocks->displs.name != NULL)
        describe(text, size, &blocks->displs, i);
    else if (i > 0 && !blocks->counts.is_array)
        snprintf(text, size, "block %d", i + 1);
}

int describe_outside(char text[], size_t size, const Blocks *blocks, int i, Span span)
{
    const CFI_cdesc_t *buffer = blocks->buffer;
    const long elements = (long)slab(buffer, buffer->rank), bytes = (long)buffer->elem_len;
    const long extent = (long)extent_of(type_of(blocks, i));
    char count[80], place[80];
    describe(count, sizeof count, &blocks->counts, i);
    describe_place(place, sizeof place, blocks, i);
    snprintf(text, size,
             "%s of %ld bytes%s%s: bytes %.0f to %.0f of %s, expected 1 to %ld, its section of %ld "
             "elements of %ld bytes",
             count, extent, place[0] == '\0' ? "" : ", ", place, span.first + 1, span.behind,
             blocks->name, elements * bytes, elements, bytes);
    return extent == bytes ? MPI_ERR_COUNT : MPI_ERR_TYPE;
}
