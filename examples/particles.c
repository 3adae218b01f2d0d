/* SPDX-License-Identifier: MIT */
/* Particles that move over a torus of ranks: mpiexec -n 4 ./particles
 *
 * Each rank has the particles in its part of the unit square. It knows to which ranks it sends
 * particles, but not from which ranks it receives some: that is a sparse exchange. */
#include <carpool/carpool.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 500, STEPS = 20 };

typedef struct {
    int id;
    double place[2], speed[2];
} Particle;

static int rank, size, dims[2];
static Particle everyone[N], mine[N], sorted[N];

/* The square is cut into dims[0] x dims[1] parts. */
static int owner(const Particle *p)
{
    const int row = (int)(p->place[0] * dims[0]) % dims[0];
    const int column = (int)(p->place[1] * dims[1]) % dims[1];
    return row * dims[1] + column;
}

static double wrapped(double place) { return place - floor(place); }

static void move(int n, Particle *p)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) p[i].place[k] = wrapped(p[i].place[k] + p[i].speed[k]);
}

/* Positions and velocities that look random, and are the same on all ranks. Returns how many
 * particles this rank has. */
static int create(void)
{
    int n = 0;
    for (int i = 0; i < N; i++) {
        const double s = wrapped(i * 0.732) / 10 - 0.05, t = wrapped(i * 0.236) / 10 - 0.05;
        everyone[i] = (Particle){i, {wrapped(i * 0.618), wrapped(i * 0.414)}, {s, t}};
        if (owner(&everyone[i]) == rank) mine[n++] = everyone[i];
    }
    return n;
}

/* Sorts the particles by owner. Sets the owners and how many particles each gets; returns the
 * number of owners. */
static int sort(int n, int *destination, int *count, int *displ)
{
    int owners = 0, placed = 0;
    for (int to = 0; to < size; to++) {
        const int begin = placed;
        for (int i = 0; i < n; i++)
            if (owner(&mine[i]) == to) sorted[placed++] = mine[i];
        if (placed == begin) continue;
        destination[owners] = to;
        count[owners] = placed - begin;
        displ[owners++] = begin;
    }
    return owners;
}

/* Collects the particles that have arrived, and returns their number. */
static int received(Carpool_Delivery delivery)
{
    int pieces, source, n = 0;
    MPI_Count bytes;
    const void *arrived;
    Carpool_Delivery_count(delivery, &pieces);
    for (int i = 0; i < pieces; i++) {
        Carpool_Delivery_get(delivery, i, &source, &bytes, &arrived);
        memcpy(&mine[n], arrived, (size_t)bytes);
        n += (int)(bytes / (MPI_Count)sizeof(Particle));
    }
    return n;
}

/* Sends each particle to its owner. */
static int exchange(int n, MPI_Datatype particle)
{
    int destination[N], count[N], displ[N];
    Carpool_Delivery delivery;
    const int owners = sort(n, destination, count, displ);
    Carpool_Sparse_exchange(owners, destination, sorted, count, displ, particle, MPI_COMM_WORLD,
                            &delivery);
    n = received(delivery);
    Carpool_Delivery_free(&delivery);
    return n;
}

/* How many particles are where a single process would have moved them. */
static int at_home(int n)
{
    int home = 0;
    for (int i = 0; i < n; i++) {
        const double *const expected = everyone[mine[i].id].place;
        home += owner(&mine[i]) == rank && mine[i].place[0] == expected[0] &&
                mine[i].place[1] == expected[1];
    }
    return home;
}

int main(int argc, char **argv)
{
    MPI_Datatype particle;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Type_contiguous((int)sizeof(Particle), MPI_BYTE, &particle);
    MPI_Type_commit(&particle);
    int n = create();
    for (int step = 0; step < STEPS; step++) {
        move(n, mine);
        n = exchange(n, particle);
        move(N, everyone);
    }

    int sums[2] = {n, at_home(n)};
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    const int lost = N - sums[0], away = sums[0] - sums[1];
    if (rank == 0)
        printf("%d particles on %d ranks, %d steps: %d lost, %d not at home\n", N, size, STEPS,
               lost, away);
    MPI_Type_free(&particle);
    MPI_Finalize();
    return lost != 0 || away != 0;
}
