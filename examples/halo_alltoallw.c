/* SPDX-License-Identifier: MIT */
/* Halo exchange of a 9-point stencil on a torus of ranks: mpiexec -n 6 ./halo_alltoallw
 *
 * halo.c by the general call, as a port from MPI would be: the program makes datatypes for rows,
 * columns and corners, and exchanges them with eight neighbors without copies of its own. */
#include <carpool/carpool.h>
#include <stdio.h>

enum { N = 5, T = 8 };

static const int offset[T][2] = {{0, 1},  {0, -1}, {-1, 0}, {1, 0},
                                 {-1, 1}, {1, 1},  {1, -1}, {-1, -1}};
static int dims[2], coords[2];
static double matrix[N + 2][N + 2];

/* The first row, or column, of the cells that are sent towards an offset, and of the halo cells
 * that are received from the opposite side. */
static int edge(int step) { return step > 0 ? N : 1; }
static int halo(int step) { return step > 0 ? 0 : step < 0 ? N + 1 : 1; }

static void plan_exchange(MPI_Comm torus, Carpool_Request *exchange)
{
    MPI_Datatype column, type[T];
    MPI_Aint out[T], in[T];
    int count[T];

    MPI_Type_vector(N, 1, N + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < T; i++) {
        const int y = offset[i][0], x = offset[i][1];
        type[i] = y == 0 ? column : MPI_DOUBLE;
        count[i] = x == 0 ? N : 1;
        out[i] = (char *)&matrix[edge(y)][edge(x)] - (char *)matrix;
        in[i] = (char *)&matrix[halo(y)][halo(x)] - (char *)matrix;
    }
    Carpool_Neighbor_alltoallw_init(matrix, count, out, type, matrix, count, in, type, torus,
                                    MPI_INFO_NULL, exchange);
    MPI_Type_free(&column);
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
    Carpool_Cart_neighborhood_create(MPI_COMM_WORLD, 2, dims, periods, T, offset[0], MPI_UNWEIGHTED,
                                     MPI_INFO_NULL, 0, &torus);
    MPI_Comm_rank(torus, &rank);
    MPI_Cart_coords(torus, rank, 2, coords);
    plan_exchange(torus, &exchange);

    for (int y = 1; y <= N; y++)
        for (int x = 1; x <= N; x++) matrix[y][x] = content(y, x);
    Carpool_Start(&exchange); /* these two lines in every step */
    Carpool_Wait(&exchange, MPI_STATUS_IGNORE);
    for (int y = 0; y < N + 2; y++)
        for (int x = 0; x < N + 2; x++) wrong += matrix[y][x] != content(y, x);

    printf("rank %d of %d: %d wrong cells\n", rank, size, wrong);
    Carpool_Request_free(&exchange);
    MPI_Comm_free(&torus);
    MPI_Finalize();
    return wrong != 0;
}
