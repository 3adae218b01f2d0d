/* SPDX-License-Identifier: MIT */
/* A viscous flow in a periodic box, in three dimensions. One alltoallw of subarrays fills the
 * halos; it sends from and receives into the same array, on communicators that MPI makes. This is
 * what a program written for MPI looks like after its calls got Carpool's prefix.
 *
 *   tools/launch -n 8 build/mpich-dev/examples/flow3d [cells] [steps] [options]
 *
 * Each rank has a cube of cells x cells x cells (default 8), and the flow takes that many steps
 * (default 10). Without options every variant runs in turn, and the program fails unless the host
 * MPI's calls and Carpool's give the same bits. The time is that of a whole variant, on the slowest
 * rank.
 *
 *   --faces              6 parts on MPI_Cart_create, for a stencil of 7 points
 *   --parts              26 parts on MPI_Dist_graph_create_adjacent, for a stencil of 27 points
 *   --host, --carpool    only the calls of the host MPI, or only those of Carpool
 *
 * The flow is the Taylor-Green vortex; artificial compressibility keeps it free of divergence, so a
 * step needs nothing but neighbors. */
#include <carpool/carpool.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 4, PRESSURE = 3, FACES = 6, PARTS = 26 };
typedef enum { HOST, CARPOOL } Library;

/* The one call that differs, by the host MPI and by Carpool; both take the same arguments. */
typedef int Alltoallw(const void *, const int[], const MPI_Aint[], const MPI_Datatype[], void *,
                      const int[], const MPI_Aint[], const MPI_Datatype[], MPI_Comm);
static Alltoallw *const alltoallw[] = {MPI_Neighbor_alltoallw, Carpool_Neighbor_alltoallw};

/* For each neighbor the part of the array that is sent to it, and the part that is received from
 * it. */
typedef struct {
    MPI_Comm comm;
    int parts;
    MPI_Datatype out[PARTS], in[PARTS];
    int counts[PARTS];
    MPI_Aint displs[PARTS];
} Halo;

/* Cells with a halo of width one. Each has a velocity and a pressure; `next` is the step being
 * computed. */
typedef struct {
    int n;
    int dims[3], at[3];
    double *now, *next;
} Box;

static size_t cell(const Box *box, int x, int y, int z)
{
    const size_t whole = (size_t)box->n + 2;
    return FIELDS * (((size_t)x * whole + (size_t)y) * whole + (size_t)z);
}

/* ---- the halo ---- */

/* A subarray of the cells: along a dimension without offset all own cells, else one layer, which
 * starts at `before` or `after`. */
static MPI_Datatype layer(const Box *box, const int offset[3], int before, int after)
{
    int sizes[4], extents[4], starts[4];
    MPI_Datatype type;
    for (int k = 0; k < 3; k++) {
        sizes[k] = box->n + 2;
        extents[k] = offset[k] == 0 ? box->n : 1;
        starts[k] = offset[k] == 0 ? 1 : offset[k] < 0 ? before : after;
    }
    sizes[3] = extents[3] = FIELDS;
    starts[3] = 0;
    MPI_Type_create_subarray(4, sizes, extents, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

/* Adds a part that is sent towards offset `to` and received from offset `from`. */
static void add_part(Halo *halo, const Box *box, const int to[3], const int from[3])
{
    halo->out[halo->parts] = layer(box, to, 1, box->n);
    halo->in[halo->parts] = layer(box, from, 0, box->n + 1);
    halo->counts[halo->parts] = 1;
    halo->displs[halo->parts++] = 0;
}

/* The neighbors of a Cartesian communicator: both of each dimension, in the same order on both
 * sides. */
static void add_faces(Halo *halo, const Box *box)
{
    for (int k = 0; k < 3; k++)
        for (int side = -1; side <= 1; side += 2) {
            int offset[3] = {0, 0, 0};
            offset[k] = side;
            add_part(halo, box, offset, offset);
        }
}

static int rank_at(const Box *box, MPI_Comm cart, const int offset[3], int sign)
{
    int there[3], rank;
    for (int k = 0; k < 3; k++)
        there[k] = (box->at[k] + sign * offset[k] + box->dims[k]) % box->dims[k];
    MPI_Cart_rank(cart, there, &rank);
    return rank;
}

/* All 26 neighbors of a box as a graph: part i is sent to the rank at offset i, and received from
 * the rank at the opposite offset. */
static void add_parts(Halo *halo, const Box *box, MPI_Comm cart)
{
    int targets[PARTS], sources[PARTS], weights[PARTS];
    for (int i = 0; i < 27; i++) {
        const int offset[3] = {i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1};
        const int back[3] = {-offset[0], -offset[1], -offset[2]};
        if (i == 13) continue; /* the box itself */
        weights[halo->parts] = 1;
        targets[halo->parts] = rank_at(box, cart, offset, 1);
        sources[halo->parts] = rank_at(box, cart, offset, -1);
        add_part(halo, box, offset, back);
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, PARTS, sources, weights, PARTS, targets, weights,
                                   MPI_INFO_NULL, 0, &halo->comm);
}

static void free_halo(Halo *halo)
{
    for (int i = 0; i < halo->parts; i++) {
        MPI_Type_free(&halo->out[i]);
        MPI_Type_free(&halo->in[i]);
    }
    MPI_Comm_free(&halo->comm);
}

static void fill_halo(const Halo *halo, double *cells, Library library)
{
    alltoallw[library](cells, halo->counts, halo->displs, halo->out, cells, halo->counts,
                       halo->displs, halo->in, halo->comm);
}

/* ---- the flow ---- */

/* The position of a cell, from 0 to 2 pi in each dimension. */
static double position(const Box *box, int k, int i)
{
    const double pi = 3.14159265358979323846;
    return 2 * pi * (box->at[k] * box->n + i - 1) / (box->dims[k] * box->n);
}

static void start_vortex(Box *box)
{
    for (int x = 1; x <= box->n; x++)
        for (int y = 1; y <= box->n; y++)
            for (int z = 1; z <= box->n; z++) {
                const double a = position(box, 0, x), b = position(box, 1, y);
                const double c = position(box, 2, z);
                double *const f = box->now + cell(box, x, y, z);
                f[0] = sin(a) * cos(b) * cos(c);
                f[1] = -cos(a) * sin(b) * cos(c);
                f[2] = 0;
                f[PRESSURE] = (cos(2 * a) + cos(2 * b)) * (cos(2 * c) + 2) / 16;
            }
}

/* The Laplacian times the square of a cell's edge, from the neighbors at faces alone or also from
 * those at edges and corners. */
static double laplacian(const Box *box, const double *f, int parts)
{
    static const double weight[] = {-128, 14, 3, 1}; /* by the number of coordinates that differ */
    const ptrdiff_t x = (ptrdiff_t)cell(box, 1, 0, 0), y = (ptrdiff_t)cell(box, 0, 1, 0);
    double sum = 0;
    if (parts == FACES) return f[x] + f[-x] + f[y] + f[-y] + f[FIELDS] + f[-FIELDS] - 6 * f[0];
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
            for (int k = -1; k <= 1; k++)
                sum += weight[abs(i) + abs(j) + abs(k)] * f[i * x + j * y + k * FIELDS];
    return sum / 30;
}

static void step_cell(const Box *box, const double *f, double *next, int parts)
{
    const double viscosity = 0.05, stiffness = 1.0, courant = 0.1;
    const ptrdiff_t stride[3] = {(ptrdiff_t)cell(box, 1, 0, 0), (ptrdiff_t)cell(box, 0, 1, 0),
                                 FIELDS};
    double divergence = 0;
    for (int k = 0; k < 3; k++) divergence += f[stride[k] + k] - f[-stride[k] + k];
    next[PRESSURE] = f[PRESSURE] - courant * stiffness * divergence / 2 +
                     courant * viscosity * laplacian(box, f + PRESSURE, parts);
    for (int i = 0; i < 3; i++) {
        double change = -(f[stride[i] + PRESSURE] - f[-stride[i] + PRESSURE]) / 2;
        for (int k = 0; k < 3; k++) change -= f[k] * (f[stride[k] + i] - f[-stride[k] + i]) / 2;
        next[i] = f[i] + courant * (change + viscosity * laplacian(box, f + i, parts));
    }
}

static void step(Box *box, const Halo *halo, Library library)
{
    fill_halo(halo, box->now, library);
    for (int x = 1; x <= box->n; x++)
        for (int y = 1; y <= box->n; y++)
            for (int z = 1; z <= box->n; z++) {
                const size_t at = cell(box, x, y, z);
                step_cell(box, box->now + at, box->next + at, halo->parts);
            }
    double *const before = box->now;
    box->now = box->next;
    box->next = before;
}

/* A checksum of the bits of all cells and their positions, the same for any number of ranks. */
static uint64_t checksum(const Box *box)
{
    uint64_t own = 0, all = 0;
    for (int x = 1; x <= box->n; x++)
        for (int y = 1; y <= box->n; y++)
            for (int z = 1; z <= box->n; z++)
                for (int i = 0; i < FIELDS; i++) {
                    const int local[3] = {x - 1, y - 1, z - 1};
                    uint64_t bits, where = 0;
                    for (int k = 0; k < 3; k++)
                        where = where * (uint64_t)(box->dims[k] * box->n) +
                                (uint64_t)(box->at[k] * box->n + local[k]);
                    memcpy(&bits, box->now + cell(box, x, y, z) + i, sizeof bits);
                    own += bits * (2 * (FIELDS * where + (uint64_t)i) + 1) ^ bits >> 29;
                }
    MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* ---- the program ---- */

static double *cells_of(const Box *box)
{
    const size_t whole = (size_t)box->n + 2;
    return calloc(FIELDS * whole * whole * whole, sizeof(double));
}

/* Runs one variant, from making its communicators to its last step. */
static uint64_t run(int n, int steps, int parts, Library library, double *seconds)
{
    const int periods[3] = {1, 1, 1};
    const double begin = MPI_Wtime();
    Box box = {n, {0, 0, 0}, {0, 0, 0}, NULL, NULL};
    Halo halo = {.parts = 0};
    MPI_Comm cart;
    int size, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Dims_create(size, 3, box.dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, box.dims, periods, 0, &cart);
    MPI_Cart_coords(cart, rank, 3, box.at);
    if (parts == FACES) {
        halo.comm = cart;
        add_faces(&halo, &box);
    } else {
        add_parts(&halo, &box, cart);
        MPI_Comm_free(&cart);
    }
    box.now = cells_of(&box);
    box.next = cells_of(&box);
    start_vortex(&box);
    for (int i = 0; i < steps; i++) step(&box, &halo, library);
    const uint64_t sum = checksum(&box);
    free(box.now);
    free(box.next);
    free_halo(&halo);
    *seconds = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return sum;
}

static int has_option(int argc, char **argv, const char *option)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], option) == 0) return 1;
    return 0;
}

static int number(int argc, char **argv, int i, int otherwise)
{
    const int given = argc > i ? atoi(argv[i]) : 0;
    return given > 0 ? given : otherwise;
}

int main(int argc, char **argv)
{
    const char *const names[] = {"host", "Carpool"};
    const int kinds[] = {FACES, PARTS};
    int rank, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int n = number(argc, argv, 1, 8), steps = number(argc, argv, 2, 10);
    const int only_host = has_option(argc, argv, "--host");
    const int only_carpool = has_option(argc, argv, "--carpool");
    for (int k = 0; k < 2; k++) {
        uint64_t sums[2];
        if (has_option(argc, argv, k == 0 ? "--parts" : "--faces")) continue;
        for (Library library = HOST; library <= CARPOOL; library++) {
            double seconds;
            if (library == HOST ? only_carpool : only_host) continue;
            sums[library] = run(n, steps, kinds[k], library, &seconds);
            if (rank == 0)
                printf("%2d parts, %-7s  bits %016llx  %.3f s\n", kinds[k], names[library],
                       (unsigned long long)sums[library], seconds);
        }
        if (!only_host && !only_carpool) wrong += sums[HOST] != sums[CARPOOL];
    }
    if (rank == 0 && wrong > 0) printf("the bits differ\n");
    MPI_Finalize();
    return wrong != 0;
}
