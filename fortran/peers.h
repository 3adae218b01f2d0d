/* SPDX-License-Identifier: MIT */
/* The ranks at the other ends of a buffer's blocks. */
#ifndef CARPOOL_FORTRAN_PEERS_H
#define CARPOOL_FORTRAN_PEERS_H

#include <carpool/mpi.h>

typedef struct Peers {
    enum {
        anyone, /* one block, whoever its ends are */
        each_rank,
        own_rank, /* the block of this rank alone, at the start of the buffer */
        each_neighbor,
        any_neighbor, /* one block for all neighbors, if there are any */
        each_listed
    } kind;
    MPI_Comm comm;
    enum { incoming, outgoing } direction; /* of the edges to neighbors */
    int listed;
    const int* list;
} Peers;

/* Indices of blocks, from 0 on. */
typedef struct Range {
    int first, behind;
} Range;

/* The blocks of a buffer; none if comm is null or has no neighborhood, about which the C library
 * reports the error. */
Range blocks_of(const Peers* peers);

/* False for the block of a peer that does not exist, such as a neighbor beyond the border of a
 * mesh. Such a block is neither sent nor received. */
int has_peer(const Peers* peers, int block);

#endif
