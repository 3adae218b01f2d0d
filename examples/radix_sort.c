/* SPDX-License-Identifier: MIT */
/* Radix sort of 64-bit keys over all ranks, as in [5] section 4.2: four passes over digits of 16
 * bits. Each pass counts the keys of 65,536 buckets, adds up the counts of all ranks, deals the
 * buckets out in equal shares of keys, and sends every key to the rank of its bucket. No rank knows
 * from which ranks it will receive keys: Carpool_Sparse_exchange delivers them with their sources.
 *
 *   tools/launch -n 8 build/mpich-dev/examples/radix_sort [keys per rank] [repetitions] [ways...]
 *
 * A way is an algorithm of Carpool_Sparse_exchange ("auto", "direct", "star", "2-digits",
 * "3-digits", ...), or "host" for MPI_Alltoall of counts and MPI_Alltoallv. All sort in turn; the
 * shortest times are printed.
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include <carpool/sparse.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { buckets = 1 << 16, passes = 4 };

typedef struct Keys {
    uint64_t *key;
    size_t count;
} Keys;

static void *allocated(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (!memory) MPI_Abort(MPI_COMM_WORLD, 1);
    return memory;
}

static unsigned digit(uint64_t key, int pass) { return (unsigned)(key >> (16 * pass)) & 0xffff; }

/* A stable counting sort by one digit; count[b] becomes the number of keys in bucket b. */
static void sort_here(Keys *keys, int pass, int64_t *count)
{
    int64_t *next = allocated(buckets * sizeof *next), sum = 0;
    memset(count, 0, buckets * sizeof *count);
    for (size_t i = 0; i < keys->count; ++i) ++count[digit(keys->key[i], pass)];
    for (int b = 0; b < buckets; ++b) next[b] = sum, sum += count[b];
    uint64_t *sorted = allocated(keys->count * sizeof *sorted);
    for (size_t i = 0; i < keys->count; ++i)
        sorted[next[digit(keys->key[i], pass)]++] = keys->key[i];
    free(keys->key);
    free(next);
    keys->key = sorted;
}

/* Deals out the buckets so that every rank gets about the same number of keys. Sets how many of
 * this rank's keys, which are sorted, go to each rank. */
static void deal_out(const int64_t *count, int size, int *counts, int *displs)
{
    int64_t *all = allocated(buckets * sizeof *all), total = 0, before = 0;
    MPI_Allreduce(count, all, buckets, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    for (int b = 0; b < buckets; ++b) total += all[b];
    memset(counts, 0, (size_t)size * sizeof *counts);
    for (int b = 0; b < buckets; ++b) {
        counts[total > 0 ? before * size / total : 0] += (int)count[b];
        before += all[b];
    }
    for (int rank = 0, at = 0; rank < size; at += counts[rank++]) displs[rank] = at;
    free(all);
}

/* A delivery has its parcels by ascending source, so keys of one bucket keep their order. */
static void exchange(Keys *keys, int size, const int *counts, const int *displs, MPI_Comm comm)
{
    int *to = allocated((size_t)size * sizeof *to), *n = allocated((size_t)size * sizeof *n);
    int *at = allocated((size_t)size * sizeof *at), degree = 0, parcels;
    for (int rank = 0; rank < size; ++rank)
        if (counts[rank] > 0)
            to[degree] = rank, n[degree] = counts[rank], at[degree++] = displs[rank];
    Carpool_Delivery delivery;
    Carpool_Sparse_exchange(degree, to, keys->key, n, at, MPI_UINT64_T, comm, &delivery);
    Carpool_Delivery_count(delivery, &parcels);
    int source;
    MPI_Count bytes;
    const void *data;
    size_t total = 0, filled = 0;
    for (int i = 0; i < parcels; ++i) {
        Carpool_Delivery_get(delivery, i, &source, &bytes, &data);
        total += (size_t)bytes;
    }
    uint64_t *received = allocated(total);
    for (int i = 0; i < parcels; ++i) {
        Carpool_Delivery_get(delivery, i, &source, &bytes, &data);
        memcpy((char *)received + filled, data, (size_t)bytes);
        filled += (size_t)bytes;
    }
    Carpool_Delivery_free(&delivery);
    free(to), free(n), free(at), free(keys->key);
    *keys = (Keys){received, total / sizeof *received};
}

static void exchange_by_host(Keys *keys, int size, const int *counts, const int *displs)
{
    int *n = allocated((size_t)size * sizeof *n), *at = allocated((size_t)size * sizeof *at),
        sum = 0;
    MPI_Alltoall(counts, 1, MPI_INT, n, 1, MPI_INT, MPI_COMM_WORLD);
    for (int rank = 0; rank < size; sum += n[rank++]) at[rank] = sum;
    uint64_t *received = allocated((size_t)sum * sizeof *received);
    MPI_Alltoallv(keys->key, counts, displs, MPI_UINT64_T, received, n, at, MPI_UINT64_T,
                  MPI_COMM_WORLD);
    free(n), free(at), free(keys->key);
    *keys = (Keys){received, (size_t)sum};
}

typedef struct Strategy {
    const char *name;
    MPI_Comm comm; /* MPI_COMM_NULL for the host MPI */
    double least;  /* shortest time of the exchanges of one sort, in seconds, on the slowest rank */
} Strategy;

/* The first exchange on a communicator reads Carpool's algorithm from the environment. */
static Strategy strategy_of(const char *name)
{
    Strategy strategy = {name, MPI_COMM_NULL, 1e9};
    if (strcmp(name, "host") == 0) return strategy;
    const int counts_digits = strchr(name, '-') != NULL;
    setenv("CARPOOL_SPARSE_EXCHANGE", counts_digits ? "digits" : name, 1);
    if (counts_digits) {
        char digits[16] = "";
        strncpy(digits, name, strcspn(name, "-") & 15);
        setenv("CARPOOL_DIGITS", digits, 1);
    }
    Carpool_Delivery nothing;
    MPI_Comm_dup(MPI_COMM_WORLD, &strategy.comm);
    Carpool_Sparse_exchange(0, NULL, NULL, NULL, NULL, MPI_BYTE, strategy.comm, &nothing);
    Carpool_Delivery_free(&nothing);
    return strategy;
}

/* Sorts the keys, and returns the seconds spent in the exchanges. */
static double sort(Keys *keys, int size, const Strategy *strategy)
{
    int64_t *count = allocated(buckets * sizeof *count);
    int *counts = allocated((size_t)size * sizeof *counts);
    int *displs = allocated((size_t)size * sizeof *displs);
    double seconds = 0;
    for (int pass = 0; pass < passes; ++pass) {
        sort_here(keys, pass, count);
        deal_out(count, size, counts, displs);
        seconds -= MPI_Wtime();
        if (strategy->comm == MPI_COMM_NULL)
            exchange_by_host(keys, size, counts, displs);
        else
            exchange(keys, size, counts, displs, strategy->comm);
        seconds += MPI_Wtime();
        sort_here(keys, pass, count);
    }
    free(count), free(counts), free(displs);
    return seconds;
}

static uint64_t mixed(uint64_t x) /* splitmix64 */
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/* Number, sum and a mixed sum of the keys of all ranks, which sorting must not change. */
static void sums_of(const Keys *keys, uint64_t sums[3])
{
    uint64_t mine[3] = {keys->count, 0, 0};
    for (size_t i = 0; i < keys->count; ++i) {
        mine[1] += keys->key[i];
        mine[2] += mixed(keys->key[i]);
    }
    MPI_Allreduce(mine, sums, 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

/* Are this rank's keys sorted, and none below the keys of the ranks before it? */
static int is_sorted(const Keys *keys)
{
    int rank, sorted = 1;
    for (size_t i = 1; i < keys->count; ++i) sorted = sorted && keys->key[i] >= keys->key[i - 1];
    uint64_t last = keys->count > 0 ? keys->key[keys->count - 1] : 0, before = 0;
    MPI_Exscan(&last, &before, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return sorted && (rank == 0 || keys->count == 0 || keys->key[0] >= before);
}

/* Sorts n keys per rank, which are new in each repetition. Are they sorted and complete? */
static int sorts(size_t n, int repetition, Strategy *strategy)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Keys keys = {allocated(n * sizeof *keys.key), n};
    for (size_t i = 0; i < n; ++i)
        keys.key[i] = mixed((uint64_t)rank << 40 | (uint64_t)repetition << 32 | i);
    uint64_t before[3], after[3];
    sums_of(&keys, before);
    double seconds = sort(&keys, size, strategy), slowest;
    sums_of(&keys, after);
    int mine = is_sorted(&keys) && memcmp(before, after, sizeof before) == 0, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (slowest < strategy->least) strategy->least = slowest;
    free(keys.key);
    return all;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, right = 1, count = argc > 3 ? argc - 3 : 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000;
    const int repetitions = argc > 2 ? atoi(argv[2]) : 3;
    Strategy *strategies = allocated((size_t)count * sizeof *strategies);
    for (int i = 0; i < count; ++i)
        strategies[i] = strategy_of(argc > 3 ? argv[3 + i] : i == 0 ? "auto" : "host");

    for (int repetition = 0; repetition < repetitions; ++repetition)
        for (int i = 0; i < count; ++i) right = sorts(n, repetition, &strategies[i]) && right;
    for (int i = 0; i < count; ++i) {
        if (strategies[i].comm != MPI_COMM_NULL) MPI_Comm_free(&strategies[i].comm);
        if (rank == 0)
            printf("%-10s exchanges %9.3f ms\n", strategies[i].name, strategies[i].least * 1e3);
    }
    if (rank == 0) printf("%zu keys per rank: %s\n", n, right ? "sorted" : "NOT sorted");
    free(strategies);
    MPI_Finalize();
    return right ? 0 : 1;
}
