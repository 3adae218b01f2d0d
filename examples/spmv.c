/* Product of a sparse matrix, distributed by rows, with a vector: mpiexec -n 4 ./spmv
 *
 * Which rank needs which entries of the vector follows from the matrix. Each rank sends the owners
 * its list once, and a persistent request on the graph of all these pairs fetches the entries
 * before each product. */
#include <carpool/carpool.h>
#include <math.h>
#include <stdio.h>

enum { WIDTH = 12, N = WIDTH * WIDTH, ENTRIES = 6, MOST = N * ENTRIES, STEPS = 3 };

/* Entries of x that are exchanged between this rank and others, rank by rank. */
typedef struct {
    int ranks, rank[MOST], count[MOST], displ[MOST];
    int entries, entry[MOST];
} Lists;

static int rank, size, first, rows;
static Lists needed, asked;
static int place[N]; /* place of each entry in x: this rank's own come first */
static double x[N], out[MOST];

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

static int owner(int row)
{
    int r = 0;
    while (first_row(r + 1) <= row) r++;
    return r;
}

static void add(Lists *lists, int r, int entry)
{
    if (lists->ranks == 0 || lists->rank[lists->ranks - 1] != r) {
        lists->rank[lists->ranks] = r;
        lists->displ[lists->ranks++] = lists->entries;
    }
    lists->count[lists->ranks - 1]++;
    lists->entry[lists->entries++] = entry;
}

/* Assigns the entries of other ranks places after this rank's own, by ascending row, so those of
 * one owner are contiguous. */
static void find_needed(void)
{
    int is_needed[N] = {0}, column[ENTRIES];
    for (int i = first; i < first + rows; i++) {
        const int n = columns_of(i, column);
        for (int k = 0; k < n; k++) is_needed[column[k]] = 1;
    }
    for (int j = 0; j < N; j++) {
        const int is_own = j >= first && j < first + rows;
        place[j] = is_own ? j - first : rows + needed.entries;
        if (is_needed[j] && !is_own) add(&needed, owner(j), j);
    }
}

/* Sends each owner the list of entries that this rank needs; from these lists an owner knows which
 * ranks need its entries. */
static void ask(void)
{
    Carpool_Delivery delivery;
    int pieces, source;
    MPI_Count bytes;
    const void *entries;
    Carpool_Sparse_exchange(needed.ranks, needed.rank, needed.entry, needed.count, needed.displ,
                            MPI_INT, MPI_COMM_WORLD, &delivery);
    Carpool_Delivery_count(delivery, &pieces);
    for (int i = 0; i < pieces; i++) {
        Carpool_Delivery_get(delivery, i, &source, &bytes, &entries);
        for (int k = 0; k < (int)(bytes / (MPI_Count)sizeof(int)); k++)
            add(&asked, source, ((const int *)entries)[k]);
    }
    Carpool_Delivery_free(&delivery);
}

/* The weights of the graph are numbers of entries. */
static void plan(MPI_Comm *graph, Carpool_Request *entries)
{
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, needed.ranks, needed.rank, needed.count,
                                   asked.ranks, asked.rank, asked.count, MPI_INFO_NULL, 0, graph);
    Carpool_Neighbor_alltoallv_init(out, asked.count, asked.displ, MPI_DOUBLE, x + rows,
                                    needed.count, needed.displ, MPI_DOUBLE, *graph, MPI_INFO_NULL,
                                    entries);
}

/* y = A x; x begins with this rank's own entries, and the exchange fills in the others. */
static void multiply(Carpool_Request *entries, double *y)
{
    int column[ENTRIES];
    for (int k = 0; k < asked.entries; k++) out[k] = x[asked.entry[k] - first];
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
    MPI_Comm graph;
    Carpool_Request entries;
    Carpool_Plan taken;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    first = first_row(rank);
    rows = first_row(rank + 1) - first;
    find_needed();
    ask();
    plan(&graph, &entries);
    Carpool_Request_get_plan(entries, &taken);

    const int wrong = wrong_entries(&entries);
    if (rank == 0)
        printf("%d rows on %d ranks, %d products: %d wrong entries; %s, %d messages of rank 0\n", N,
               size, STEPS, wrong, taken.algorithm, (int)taken.messages);
    Carpool_Request_free(&entries);
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return wrong != 0;
}
