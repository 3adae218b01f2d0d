/* SPDX-License-Identifier: MIT */
/* Halo exchange of a 9-point stencil on a torus of ranks: mpiexec -n 6 ./halo
 *
 * Each rank has N x N cells and a halo one cell wide. The program describes the array, and the
 * library finds rows, columns and corners itself. */
#include <carpool/carpool.h>
#include <stdio.h>

enum { N = 5, T = 8 };

static const int offsets[2 * T] = {0, 1, 0, -1, -1, 0, 1, 0, -1, 1, 1, 1, 1, -1, -1, -1};
static int dims[2], coords[2];
static double cells[N + 2][N + 2];

static void plan_exchange(MPI_Comm torus, Carpool_Request *exchange)
{
    const Carpool_Halo halo = {.fields = 1,
                               .field = (void *[]){cells},
                               .shape = (int[]){N, N},
                               .lower = (int[]){1, 1},
                               .upper = (int[]){1, 1},
                               .order = MPI_ORDER_C,
                               .element = MPI_DOUBLE,
                               .t = T,
                               .stencil = offsets};
    Carpool_Halo_init(&halo, torus, MPI_INFO_NULL, exchange);
}

/* A number that identifies a cell of the whole torus. */
static double content(int row, int column)
{
    const int y = (coords[0] * N + row - 1 + dims[0] * N) % (dims[0] * N);
    const int x = (coords[1] * N + column - 1 + dims[1] * N) % (dims[1] * N);
    return 1.0 + y * dims[1] * N + x;
}

int main(int argc, char **argv)
{
    const int periods[2] = {1, 1};
    int size, rank, wrong = 0;
    MPI_Comm torus;
    Carpool_Request exchange;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    Carpool_Cart_neighborhood_create(MPI_COMM_WORLD, 2, dims, periods, T, offsets, MPI_UNWEIGHTED,
                                     MPI_INFO_NULL, 0, &torus);
    MPI_Comm_rank(torus, &rank);
    MPI_Cart_coords(torus, rank, 2, coords);
    plan_exchange(torus, &exchange);

    for (int y = 1; y <= N; y++)
        for (int x = 1; x <= N; x++) cells[y][x] = content(y, x);
    Carpool_Start(&exchange); /* these two lines in every step */
    Carpool_Wait(&exchange, MPI_STATUS_IGNORE);
    for (int y = 0; y < N + 2; y++)
        for (int x = 0; x < N + 2; x++) wrong += cells[y][x] != content(y, x);

    printf("rank %d of %d: %d wrong cells\n", rank, size, wrong);
    Carpool_Request_free(&exchange);
    MPI_Comm_free(&torus);
    MPI_Finalize();
    return wrong != 0;
}
