/* SPDX-License-Identifier: MIT */
#include "peers.h"

#include "binding.h"

static Range own_of(MPI_Comm comm)
{
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return (Range){rank, rank + 1};
}

static int ranks_of(MPI_Comm comm)
{
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

static int degree_of(const Peers *peers)
{
    return Carpool_f08_degree(peers->comm, peers->direction == outgoing);
}

static int has_neighbor(const Peers *peers, int i)
{
    return Carpool_f08_has_neighbor(peers->comm, peers->direction == outgoing, i);
}

static int has_neighbors(const Peers *peers)
{
    const int degree = degree_of(peers);
    for (int i = 0; i < degree; i++)
        if (has_neighbor(peers, i)) return 1;
    return 0;
}

Range blocks_of(const Peers *peers)
{
    if (peers->comm == MPI_COMM_NULL) return (Range){0, 0};
    switch (peers->kind) {
        case each_rank:
            return (Range){0, ranks_of(peers->comm)};
        case own_rank:
            return own_of(peers->comm);
        case each_neighbor:
            return (Range){0, degree_of(peers)};
        case any_neighbor:
            return (Range){0, has_neighbors(peers)};
        case each_listed:
            return (Range){0, peers->listed};
        default:
            return (Range){0, 1};
    }
}

int has_peer(const Peers *peers, int block)
{
    if (peers->kind == each_neighbor) return has_neighbor(peers, block);
    return peers->kind != each_listed || peers->list[block] != MPI_PROC_NULL;
}
