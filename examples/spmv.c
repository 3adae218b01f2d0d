/* SPDX-License-Identifier: MIT */
/* Product of a sparse matrix, distributed by rows, with a vector: mpiexec -n 4 ./spmv
 *
 * Which entries of the vector a rank needs follows from its rows of the matrix. It has ghosts of
 * those that other ranks own, and a persistent request updates them before each product. */
#include <carpool/carpool.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 12, N = WIDTH * WIDTH, ENTRIES = 6, STEPS = 3 };

static int rank, size, first, rows;
static int ghosts;
static MPI_Count number[N]; /* for each ghost the number of its entry of x */
static int place[N];        /* place of each entry in x: this rank's own come first */
static double x[N];

/* The matrix: each point of a WIDTH x WIDTH grid, its four neighbors, and its mirror image. */
static int columns_of(int i, int column[ENTRIES])
{
    int n = 0;
    if (i >= WIDTH) column[n++] = i - WIDTH;
    if (i % WIDTH > 0) column[n++] = i - 1;
    column[n++] = i;
    if (i % WIDTH < WIDTH - 1) column[n++] = i + 1;
    if (i < N - WIDTH) column[n++] = i + WIDTH;
    column[n++] = N - 1 - i;
    return n;
}

static double value(int i, int j) { return i == j ? 5.5 : -1; }

static int first_row(int r) { return r * N / size; }

/* Assigns the entries of other ranks places after this rank's own. */
static void find_ghosts(void)
{
    int is_needed[N] = {0}, column[ENTRIES];
    for (int i = first; i < first + rows; i++) {
        const int n = columns_of(i, column);
        for (int k = 0; k < n; k++) is_needed[column[k]] = 1;
    }
    for (int j = 0; j < N; j++) {
        const int is_own = j >= first && j < first + rows;
        place[j] = is_own ? j - first : rows + ghosts;
        if (is_needed[j] && !is_own) number[ghosts++] = j;
    }
}

/* The map may be freed once the request is made. */
static void plan(Carpool_Request *entries)
{
    Carpool_Ghosts map;
    MPI_Count *const ranges = malloc((size_t)(size + 1) * sizeof(MPI_Count));
    if (ranges == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int r = 0; r <= size; r++) ranges[r] = first_row(r);
    Carpool_Ghosts_create_ranges(MPI_COMM_WORLD, ranges, ghosts, number, MPI_INFO_NULL, &map);
    Carpool_Ghosts_update_init(x, x + rows, 1, MPI_DOUBLE, map, MPI_INFO_NULL, entries);
    Carpool_Ghosts_free(&map);
    free(ranges);
}

/* y = A x; x begins with this rank's own entries, and the exchange fills in the others. */
static void multiply(Carpool_Request *entries, double *y)
{
    int column[ENTRIES];
    Carpool_Start(entries);
    Carpool_Wait(entries, MPI_STATUS_IGNORE);
    for (int i = 0; i < rows; i++) {
        const int n = columns_of(first + i, column);
        y[i] = 0;
        for (int k = 0; k < n; k++) y[i] += value(first + i, column[k]) * x[place[column[k]]];
    }
}

/* All ranks know the vector of each step, and so what the product must be. */
static double content(int step, int j) { return sin(j + step); }

static int is_wrong(int step, int i, double y)
{
    int column[ENTRIES];
    const int n = columns_of(i, column);
    for (int k = 0; k < n; k++) y -= value(i, column[k]) * content(step, column[k]);
    return fabs(y) > 1e-12;
}

static int wrong_entries(Carpool_Request *entries)
{
    double y[N];
    int wrong = 0;
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < rows; i++) x[i] = content(step, first + i);
        multiply(entries, y);
        for (int i = 0; i < rows; i++) wrong += is_wrong(step, first + i, y[i]);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return wrong;
}

int main(int argc, char **argv)
{
    Carpool_Request entries;
    Carpool_Plan taken;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    first = first_row(rank);
    rows = first_row(rank + 1) - first;
    find_ghosts();
    plan(&entries);
    Carpool_Request_get_plan(entries, &taken);

    const int wrong = wrong_entries(&entries);
    if (rank == 0)
        printf("%d rows on %d ranks, %d products: %d wrong entries; %s, %d messages of rank 0\n", N,
               size, STEPS, wrong, taken.algorithm, (int)taken.messages);
    Carpool_Request_free(&entries);
    MPI_Finalize();
    return wrong != 0;
}
