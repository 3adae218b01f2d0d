/* SPDX-License-Identifier: MIT */
/* Solves A x = b by conjugate gradients, with a sparse matrix whose rows are distributed over all
 * ranks: the application of [3]. Before each product A p a rank needs entries of p that other ranks
 * own. Which entries these are follows from the matrix and never changes, so the rank has ghosts of
 * them, and one persistent request updates the ghosts each time.
 *
 *   tools/launch -n 4 build/mpich-dev/examples/conjugate_gradients [rows]
 *
 * Row i of A has entries at i +- 1, at i +- 20 and at its mirror image, so a rank talks to the
 * ranks next to it and to those at the other end. The solution is known, and the result is compared
 * with it.
 */
#include <carpool/carpool.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 20, ENTRIES = 6 };

/* This rank's rows. Entries of p have local numbers: first this rank's own, then its ghosts. */
typedef struct {
    int n, first, rows;
    int ghosts;
    MPI_Count *number;      /* the row of each ghost */
    int (*column)[ENTRIES]; /* the first is the diagonal; -1 where there is none */
} Matrix;

static void *allocated(size_t count, size_t size)
{
    void *const memory = calloc(count + 1, size);
    if (memory == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    return memory;
}

/* ---- the matrix ---- */

static int first_row(int n, int rank, int size) { return (int)((long long)rank * n / size); }

/* The columns of row i of the whole matrix. */
static void columns_of(int n, int i, int column[ENTRIES])
{
    const int near[] = {i, i - 1, i + 1, i - WIDTH, i + WIDTH};
    const int mirror = n - 1 - i, apart = abs(mirror - i);
    for (int k = 0; k < 5; k++) column[k] = near[k] >= 0 && near[k] < n ? near[k] : -1;
    column[5] = apart == 0 || apart == 1 || apart == WIDTH ? -1 : mirror;
}

/* The diagonal outweighs the other entries, so A is positive definite. */
static double entry(int k) { return k == 0 ? 5.5 : -1; }

static double solution(int i) { return sin(0.1 * i) + 1; }

static double right_side(int n, int i)
{
    int column[ENTRIES];
    double sum = 0;
    columns_of(n, i, column);
    for (int k = 0; k < ENTRIES; k++)
        if (column[k] >= 0) sum += entry(k) * solution(column[k]);
    return sum;
}

/* Gives the entries of other ranks places behind this rank's own, by ascending row. */
static int *numbered(Matrix *a)
{
    int *const place = allocated((size_t)a->n, sizeof(int));
    for (int i = 0; i < a->rows; i++) {
        columns_of(a->n, a->first + i, a->column[i]);
        for (int k = 0; k < ENTRIES; k++)
            if (a->column[i][k] >= 0) place[a->column[i][k]] = 1;
    }
    for (int j = 0; j < a->n; j++) {
        const int own = j >= a->first && j < a->first + a->rows;
        if (own) place[j] = j - a->first;
        if (own || place[j] == 0) continue;
        a->number[a->ghosts] = j;
        place[j] = a->rows + a->ghosts++;
    }
    return place;
}

static void distribute(Matrix *a, int rank, int size)
{
    a->first = first_row(a->n, rank, size);
    a->rows = first_row(a->n, rank + 1, size) - a->first;
    a->column = allocated((size_t)a->rows, sizeof *a->column);
    a->number = allocated((size_t)a->n, sizeof *a->number);
    int *const place = numbered(a);
    for (int i = 0; i < a->rows; i++)
        for (int k = 0; k < ENTRIES; k++)
            if (a->column[i][k] >= 0) a->column[i][k] = place[a->column[i][k]];
    free(place);
}

/* ---- conjugate gradients ---- */

/* The two exchanges of an iteration, planned once. */
typedef struct {
    Carpool_Request entries, sum;
    double mine, all;
} Exchanges;

/* The map may be freed once the request is made. */
static void plan(Exchanges *t, const Matrix *a, int size, double *p)
{
    Carpool_Ghosts map;
    MPI_Count *const ranges = allocated((size_t)size + 1, sizeof(MPI_Count));
    for (int r = 0; r <= size; r++) ranges[r] = first_row(a->n, r, size);
    Carpool_Ghosts_create_ranges(MPI_COMM_WORLD, ranges, a->ghosts, a->number, MPI_INFO_NULL, &map);
    Carpool_Ghosts_update_init(p, p + a->rows, 1, MPI_DOUBLE, map, MPI_INFO_NULL, &t->entries);
    Carpool_Ghosts_free(&map);
    free(ranges);
    Carpool_Allreduce_init(&t->mine, &t->all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &t->sum);
}

static double dot(Exchanges *t, int rows, const double *a, const double *b)
{
    t->mine = 0;
    for (int i = 0; i < rows; i++) t->mine += a[i] * b[i];
    Carpool_Start(&t->sum);
    Carpool_Wait(&t->sum, MPI_STATUS_IGNORE);
    return t->all;
}

/* product = A p; p holds this rank's entries, and the exchange fills in those of other ranks. */
static void multiply(Exchanges *t, const Matrix *a, const double *p, double *product)
{
    Carpool_Start(&t->entries);
    Carpool_Wait(&t->entries, MPI_STATUS_IGNORE);
    for (int i = 0; i < a->rows; i++) {
        product[i] = 0;
        for (int k = 0; k < ENTRIES; k++)
            if (a->column[i][k] >= 0) product[i] += entry(k) * p[a->column[i][k]];
    }
}

/* Returns the number of iterations until the residual is small relative to b. The sums are the same
 * on all ranks, so all stop after the same iteration. */
static int solve(Exchanges *t, const Matrix *a, double *x, double *p)
{
    double *const r = allocated((size_t)a->rows, sizeof(double));
    double *const ap = allocated((size_t)a->rows, sizeof(double));
    for (int i = 0; i < a->rows; i++) p[i] = r[i] = right_side(a->n, a->first + i);
    double rr = dot(t, a->rows, r, r);
    const double small = 1e-24 * rr;
    int iterations = 0;
    for (; rr > small && iterations < a->n; iterations++) {
        multiply(t, a, p, ap);
        const double alpha = rr / dot(t, a->rows, p, ap);
        for (int i = 0; i < a->rows; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        const double before = rr;
        rr = dot(t, a->rows, r, r);
        for (int i = 0; i < a->rows; i++) p[i] = r[i] + rr / before * p[i];
    }
    free(r);
    free(ap);
    return iterations;
}

/* |b - A x| over |b|, computed from x and not by the recurrence. */
static double residual(Exchanges *t, const Matrix *a, const double *x, double *p)
{
    double *const r = allocated((size_t)a->rows, sizeof(double));
    double *const b = allocated((size_t)a->rows, sizeof(double));
    for (int i = 0; i < a->rows; i++) p[i] = x[i];
    multiply(t, a, p, r);
    for (int i = 0; i < a->rows; i++) {
        b[i] = right_side(a->n, a->first + i);
        r[i] = b[i] - r[i];
    }
    const double rr = dot(t, a->rows, r, r), bb = dot(t, a->rows, b, b);
    free(r);
    free(b);
    return sqrt(rr / bb);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    Matrix a = {.n = argc > 1 ? atoi(argv[1]) : 2000};
    distribute(&a, rank, size);
    double *const x = allocated((size_t)a.rows, sizeof(double));
    double *const p = allocated((size_t)(a.rows + a.ghosts), sizeof(double));
    Exchanges exchanges;
    plan(&exchanges, &a, size, p);
    Carpool_Plan taken;
    Carpool_Request_get_plan(exchanges.entries, &taken);

    const int iterations = solve(&exchanges, &a, x, p);
    const double left = residual(&exchanges, &a, x, p);
    double error = 0;
    for (int i = 0; i < a.rows; i++) error = fmax(error, fabs(x[i] - solution(a.first + i)));
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf(
            "%d rows, %d iterations, residual %.1e, error %.1e; entries by %s, %d messages of "
            "this rank\n",
            a.n, iterations, left, error, taken.algorithm, (int)taken.messages);

    Carpool_Request_free(&exchanges.entries);
    Carpool_Request_free(&exchanges.sum);
    free(a.column);
    free(a.number);
    free(x);
    free(p);
    MPI_Finalize();
    return left < 1e-10 && error < 1e-9 ? 0 : 1;
}
