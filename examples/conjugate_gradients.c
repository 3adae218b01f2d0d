/* Solves A x = b by conjugate gradients, with a sparse matrix whose rows are distributed over all
 * ranks: the application of [3]. Before each product A p a rank needs entries of p that other ranks
 * own. Which ranks these are follows from the matrix and never changes, so one persistent request
 * on a graph communicator fetches the entries each time.
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

/* This rank's rows. Entries of p have local numbers: first this rank's own, then those of other
 * ranks. */
typedef struct {
    int n, first, rows;
    int others;
    int (*column)[ENTRIES]; /* the first is the diagonal; -1 where there is none */
} Matrix;

/* What a rank exchanges with its neighbors. A is symmetric, so each is a source and a target. */
typedef struct {
    int neighbors;
    int *neighbor, *sendcounts, *sdispls, *recvcounts, *rdispls;
    int *sent; /* own entries of p that are sent, neighbor by neighbor */
    double *out;
} Halo;

static void *allocated(size_t count, size_t size)
{
    void *const memory = calloc(count + 1, size);
    if (memory == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    return memory;
}

/* ---- the matrix ---- */

static int first_row(int n, int rank, int size) { return (int)((long long)rank * n / size); }

static int owner(int n, int row, int size)
{
    int rank = (int)((long long)row * size / n);
    while (first_row(n, rank + 1, size) <= row) rank++;
    return rank;
}

/* The columns of row i of the whole matrix. Row i has column j if and only if row j has column
 * i. */
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

/* ---- which rank needs which entries ---- */

/* Numbers the entries of other ranks after this rank's own, by ascending row, so those of one rank
 * are contiguous. Counts them per rank in `from`. */
static int *numbered(Matrix *a, int size, int *from)
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
        place[j] = a->rows + a->others++;
        from[owner(a->n, j, size)]++;
    }
    return place;
}

static int needs(const Matrix *a, int i, int first, int last)
{
    for (int k = 0; k < ENTRIES; k++)
        if (a->column[i][k] >= first && a->column[i][k] < last) return 1;
    return 0;
}

/* A is symmetric: if this rank needs entries of another rank, that rank needs entries of this one,
 * and this rank finds them in the same matrix. */
static Halo halo_of(const Matrix *a, int size, const int *from)
{
    Halo h = {.neighbors = 0};
    int **const list[] = {&h.neighbor, &h.sendcounts, &h.sdispls, &h.recvcounts, &h.rdispls};
    for (int k = 0; k < 5; k++) *list[k] = allocated((size_t)size, sizeof(int));
    h.sent = allocated((size_t)a->rows * ENTRIES, sizeof(int));
    int received = 0, sent = 0;
    for (int rank = 0; rank < size; rank++) {
        const int r = h.neighbors;
        if (from[rank] == 0) continue;
        h.neighbor[r] = rank;
        h.recvcounts[r] = from[rank];
        h.rdispls[r] = received;
        received += from[rank];
        h.sdispls[r] = sent;
        for (int i = 0; i < a->rows; i++)
            if (needs(a, i, first_row(a->n, rank, size), first_row(a->n, rank + 1, size)))
                h.sent[sent++] = i;
        h.sendcounts[r] = sent - h.sdispls[r];
        h.neighbors++;
    }
    h.out = allocated((size_t)sent, sizeof(double));
    return h;
}

static Halo distribute(Matrix *a, int rank, int size)
{
    a->first = first_row(a->n, rank, size);
    a->rows = first_row(a->n, rank + 1, size) - a->first;
    a->column = allocated((size_t)a->rows, sizeof *a->column);
    int *const from = allocated((size_t)size, sizeof(int));
    int *const place = numbered(a, size, from);
    const Halo halo = halo_of(a, size, from);
    for (int i = 0; i < a->rows; i++)
        for (int k = 0; k < ENTRIES; k++)
            if (a->column[i][k] >= 0) a->column[i][k] = place[a->column[i][k]];
    free(from);
    free(place);
    return halo;
}

static void free_halo(Halo *h)
{
    int *const list[] = {h->neighbor,   h->sendcounts, h->sdispls,
                         h->recvcounts, h->rdispls,    h->sent};
    for (int k = 0; k < 6; k++) free(list[k]);
    free(h->out);
}

/* ---- conjugate gradients ---- */

/* The two collectives of an iteration, planned once. The weights of the graph are numbers of
 * entries. */
typedef struct {
    MPI_Comm graph;
    Carpool_Request entries, sum;
    double mine, all;
} Together;

static void plan(Together *t, const Halo *h, double *others)
{
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, h->neighbors, h->neighbor, h->recvcounts,
                                   h->neighbors, h->neighbor, h->sendcounts, MPI_INFO_NULL, 0,
                                   &t->graph);
    Carpool_Neighbor_alltoallv_init(h->out, h->sendcounts, h->sdispls, MPI_DOUBLE, others,
                                    h->recvcounts, h->rdispls, MPI_DOUBLE, t->graph, MPI_INFO_NULL,
                                    &t->entries);
    Carpool_Allreduce_init(&t->mine, &t->all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &t->sum);
}

static double dot(Together *t, int rows, const double *a, const double *b)
{
    t->mine = 0;
    for (int i = 0; i < rows; i++) t->mine += a[i] * b[i];
    Carpool_Start(&t->sum);
    Carpool_Wait(&t->sum, MPI_STATUS_IGNORE);
    return t->all;
}

/* product = A p; p holds this rank's entries, and the exchange fills in those of other ranks. */
static void multiply(Together *t, const Matrix *a, const Halo *h, const double *p, double *product)
{
    for (int r = 0; r < h->neighbors; r++)
        for (int k = h->sdispls[r]; k < h->sdispls[r] + h->sendcounts[r]; k++)
            h->out[k] = p[h->sent[k]];
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
static int solve(Together *t, const Matrix *a, const Halo *h, double *x, double *p)
{
    double *const r = allocated((size_t)a->rows, sizeof(double));
    double *const ap = allocated((size_t)a->rows, sizeof(double));
    for (int i = 0; i < a->rows; i++) p[i] = r[i] = right_side(a->n, a->first + i);
    double rr = dot(t, a->rows, r, r);
    const double small = 1e-24 * rr;
    int iterations = 0;
    for (; rr > small && iterations < a->n; iterations++) {
        multiply(t, a, h, p, ap);
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
static double residual(Together *t, const Matrix *a, const Halo *h, const double *x, double *p)
{
    double *const r = allocated((size_t)a->rows, sizeof(double));
    double *const b = allocated((size_t)a->rows, sizeof(double));
    for (int i = 0; i < a->rows; i++) p[i] = x[i];
    multiply(t, a, h, p, r);
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
    Halo halo = distribute(&a, rank, size);
    double *const x = allocated((size_t)a.rows, sizeof(double));
    double *const p = allocated((size_t)(a.rows + a.others), sizeof(double));
    Together together;
    plan(&together, &halo, p + a.rows);
    Carpool_Plan taken;
    Carpool_Request_get_plan(together.entries, &taken);

    const int iterations = solve(&together, &a, &halo, x, p);
    const double left = residual(&together, &a, &halo, x, p);
    double error = 0;
    for (int i = 0; i < a.rows; i++) error = fmax(error, fabs(x[i] - solution(a.first + i)));
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf(
            "%d rows, %d iterations, residual %.1e, error %.1e; entries by %s, %d messages of "
            "this rank\n",
            a.n, iterations, left, error, taken.algorithm, (int)taken.messages);

    Carpool_Request_free(&together.entries);
    Carpool_Request_free(&together.sum);
    MPI_Comm_free(&together.graph);
    free_halo(&halo);
    free(a.column);
    free(x);
    free(p);
    MPI_Finalize();
    return left < 1e-10 && error < 1e-9 ? 0 : 1;
}
