/* Halo exchanges of distributed arrays, and the offsets of named stencils. Included by carpool.h,
 * which says what the papers cited here are. */
#ifndef CARPOOL_HALO_H
#define CARPOOL_HALO_H

#include <carpool/request.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- Halo exchange -------------------------------------------------------------------------- */

/* A global array distributed over the ranks of a Cartesian communicator, with a halo of cells of
 * other ranks around the part that this rank owns. d is the communicator's number of dimensions.
 *
 *   fields      number of arrays of this shape, exchanged in the same messages
 *   field       their addresses: each array has lower[k] + shape[k] + upper[k] elements along
 *               dimension k, the halo included
 *   shape[d]    cells that this rank owns, 0 allowed. Ranks with the same coordinate in dimension k
 *               have the same shape[k]; other ranks may have others
 *   lower[d], upper[d]  widths of the halo before and after the owned cells, alike on all ranks. A
 *               halo may be wider than what the next rank owns: the rest comes from beyond
 *   order       MPI_ORDER_C (the last dimension lies densest) or MPI_ORDER_FORTRAN (the first)
 *   element     type of a cell
 *   t, stencil  t offsets of d integers: a cell is computed from those at these offsets. They choose
 *               the sides, edges and corners of the halo that are filled, each to its whole width;
 *               a star fills no corners. No offset may reach beyond the halo */
typedef struct Carpool_Halo {
    int fields;
    void *const *field;
    const int *shape;
    const int *lower;
    const int *upper;
    int order;
    MPI_Datatype element;
    int t;
    const int *stencil;
} Carpool_Halo;

/* Plans a persistent request that fills the halo, and sends no cell to a rank twice: dimension by
 * dimension over what has just arrived ([2] section 3.4 asks for it), or every part of the halo
 * straight from its owner, whichever costs less.
 *
 * Collective over cartcomm, which was made by MPI_Cart_create or carries a neighborhood. Halo cells
 * beyond a border without wrap-around, and parts that the stencil does not read, stay untouched.
 * The fields belong to the exchange between Start and its completion; *halo, its arrays and element
 * may be changed or freed after the call. Takes the info keys of an _init; carpool_algorithm is
 * direct, cartesian or auto. volume of its plan counts messages.
 *
 * Errors, alike on all ranks: MPI_ERR_TOPOLOGY (no Cartesian communicator), MPI_ERR_DIMS (negative
 * shape, or one that differs between ranks of one coordinate), MPI_ERR_ARG (negative or differing
 * width, a halo wider than a whole periodic dimension, a stencil that reaches beyond the halo, a
 * null pointer, an unknown order), MPI_ERR_TYPE, MPI_ERR_INFO_VALUE. */
int Carpool_Halo_init(
    const Carpool_Halo *halo, MPI_Comm cartcomm, MPI_Info info, Carpool_Request *request);

/* ---- Stencils -------------------------------------------------------------------------------
 *
 * Offsets of named stencils, for the calls above. All local. Each sets *t to the number of offsets
 * and writes the first maxoffsets of them, d integers each, to offsets; with maxoffsets 0 it only
 * counts, and offsets may be null. Errors, through the handler of MPI_COMM_SELF: MPI_ERR_ARG (text
 * not understood, d below 1, a negative radius, more than 2^26 coordinates). */

/* By text, and with *d set: "moore 3 1", "von_neumann 2 2", "positive_octant 3 1", "shales 2 1 3",
 * "box 3 5 -1" (dimensions first, then as below), or offsets one by one: "offsets 2: 0,1 0,-1 1,0",
 * where "2:" is needed only if none follows. */
int Carpool_Stencil(const char *text, int maxoffsets, int *d, int *t, int offsets[]);

/* All offsets but zero with coordinates in [-radius, radius] ([1] section 4). */
int Carpool_Stencil_moore(int d, int radius, int maxoffsets, int *t, int offsets[]);

/* All offsets but zero within radius steps. */
int Carpool_Stencil_von_neumann(int d, int radius, int maxoffsets, int *t, int offsets[]);

/* All offsets but zero with coordinates in [0, radius] ([1] figure 2f). */
int Carpool_Stencil_positive_octant(int d, int radius, int maxoffsets, int *t, int offsets[]);

/* All offsets whose largest |coordinate| is one of n radii ([1] figure 4). */
int Carpool_Stencil_shales(int d, int n, const int radii[], int maxoffsets, int *t, int offsets[]);

/* All offsets with n coordinates per dimension from f on ([2] section 4.1.1), zero among them. */
int Carpool_Stencil_box(int d, int n, int f, int maxoffsets, int *t, int offsets[]);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
