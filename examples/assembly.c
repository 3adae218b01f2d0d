/* SPDX-License-Identifier: MIT */
/* Assembles a finite-element vector on an unstructured mesh: mpiexec -n 4 ./assembly
 *
 * Each rank has some of the triangles. A vertex that several ranks have is owned by the first of
 * them, and is a ghost on the others. Each rank sums what its own triangles contribute; then one
 * reduction adds the sums of ghosts into those of their owners. */
#include <carpool/carpool.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 24, VERTICES = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };

static int rank, size;

/* The mesh, which all ranks know, so that each can check its result. */
static double point[VERTICES][2];
static int corner[TRIANGLES][3];
static int part[TRIANGLES]; /* the rank that has the triangle */

static int owner[VERTICES], number[VERTICES]; /* number: index among the vertices of the owner */
static int place[VERTICES]; /* on this rank: its own vertices come first, then its ghosts */
static int owned, ghosts;
static int ghost_owner[VERTICES];
static MPI_Count ghost_index[VERTICES];

/* Points near those of a grid; each square between four of them is cut along one of its two
 * diagonals. */
static void make_mesh(void)
{
    for (int v = 0; v < VERTICES; v++) {
        point[v][0] = v % (SIDE + 1) + 0.2 * sin(12.9 * v);
        point[v][1] = v / (SIDE + 1) + 0.2 * cos(78.2 * v);
    }
    for (int s = 0; s < SIDE * SIDE; s++) {
        const int a = s / SIDE * (SIDE + 1) + s % SIDE, b = a + 1, c = a + SIDE + 2, d = c - 1;
        const int cuts[2][2][3] = {{{a, b, c}, {a, c, d}}, {{a, b, d}, {b, c, d}}};
        const int cut = sin(37.7 * s) > 0;
        for (int k = 0; k < 6; k++) corner[2 * s + k / 3][k % 3] = cuts[cut][k / 3][k % 3];
    }
}

/* Each rank has a sector around the middle of the mesh, where all of them meet. */
static void deal_triangles(void)
{
    const double circle = 2 * acos(-1);
    for (int t = 0; t < TRIANGLES; t++) {
        const double *const first = point[corner[t][0]];
        const double turn = atan2(first[1] - SIDE / 2.0, first[0] - SIDE / 2.0) / circle + 0.5;
        part[t] = (int)(turn * size) % size;
    }
}

static void number_vertices(void)
{
    int *const vertices_of = calloc((size_t)size, sizeof(int));
    if (vertices_of == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int v = 0; v < VERTICES; v++) owner[v] = size;
    for (int k = 0; k < 3 * TRIANGLES; k++) {
        const int v = corner[k / 3][k % 3];
        if (part[k / 3] < owner[v]) owner[v] = part[k / 3];
    }
    for (int v = 0; v < VERTICES; v++) number[v] = vertices_of[owner[v]]++;
    owned = vertices_of[rank];
    free(vertices_of);
}

/* The vertices of this rank's triangles that other ranks own. */
static void find_ghosts(void)
{
    int is_here[VERTICES] = {0};
    for (int k = 0; k < 3 * TRIANGLES; k++)
        if (part[k / 3] == rank) is_here[corner[k / 3][k % 3]] = 1;
    for (int v = 0; v < VERTICES; v++) {
        place[v] = owner[v] == rank ? number[v] : owned + ghosts;
        if (owner[v] == rank || !is_here[v]) continue;
        ghost_owner[ghosts] = owner[v];
        ghost_index[ghosts++] = number[v];
    }
}

/* What triangle t contributes to its corner v: a third of its area times f(x, y) = 1 + x y. */
static double share(int t, int v)
{
    const double *const a = point[corner[t][0]], *const b = point[corner[t][1]];
    const double *const c = point[corner[t][2]];
    const double area = 0.5 * fabs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    return area / 3 * (1 + point[v][0] * point[v][1]);
}

/* The sums of this rank's triangles, or of all. places has the place of each vertex in sums. */
static void add_shares(double *sums, const int *places, int of_all)
{
    for (int k = 0; k < 3 * TRIANGLES; k++)
        if (of_all || part[k / 3] == rank)
            sums[places[corner[k / 3][k % 3]]] += share(k / 3, corner[k / 3][k % 3]);
}

static int wrong_entries(const double *vector)
{
    double expected[VERTICES] = {0};
    int same[VERTICES], wrong = 0;
    for (int v = 0; v < VERTICES; v++) same[v] = v;
    add_shares(expected, same, 1);
    for (int v = 0; v < VERTICES; v++)
        wrong += owner[v] == rank && fabs(vector[place[v]] - expected[v]) > 1e-9;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return wrong;
}

int main(int argc, char **argv)
{
    Carpool_Ghosts map;
    double vector[VERTICES] = {0}; /* owned entries, and then ghosts */

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make_mesh();
    deal_triangles();
    number_vertices();
    find_ghosts();

    Carpool_Ghosts_create(MPI_COMM_WORLD, owned, ghosts, ghost_owner, ghost_index, MPI_INFO_NULL,
                          &map);
    add_shares(vector, place, 0);
    Carpool_Ghosts_reduce(vector + owned, vector, 1, MPI_DOUBLE, MPI_SUM, map);
    Carpool_Ghosts_free(&map);

    const int wrong = wrong_entries(vector);
    MPI_Allreduce(MPI_IN_PLACE, &ghosts, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d triangles and %d vertices on %d ranks, %d ghosts: %d wrong entries\n", TRIANGLES,
               VERTICES, size, ghosts, wrong);
    MPI_Finalize();
    return wrong != 0;
}
