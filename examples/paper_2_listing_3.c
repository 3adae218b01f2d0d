/* SPDX-License-Identifier: MIT */
/* Listing 3 of paper 2, with its ellipses filled in: mpiexec -n 6 ./paper_2_listing_3
 *
 * The halo of a 9-point stencil. The first coordinate of an offset counts to the right, the second
 * upwards; rows of the matrix count downwards. */
#include <carpool/papers.h>
#include <stdio.h>

enum { n = 4, iterations = 3 };

static int dims[2], coords[2];

/* A number that identifies a cell of the whole torus in each iteration. */
static double content(int iteration, int row, int column)
{
    const int width = dims[0] * n, height = dims[1] * n;
    const int x = (coords[0] * n + column - 1 + width) % width;
    const int y = (coords[1] * n + n - row + height) % height;
    return 10000.0 * iteration + 100.0 * y + x;
}

int main(int argc, char **argv)
{
    const int periods[2] = {1, 1};
    int size, rank, wrong = 0;
    MPI_Comm cart;
    MPI_Datatype COL;
    const MPI_Datatype ROW = MPI_DOUBLE, COR = MPI_DOUBLE;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Type_vector(n, 1, n + 2, MPI_DOUBLE, &COL);
    MPI_Type_commit(&COL);

    /* As printed in the paper, from here to the end of the loop: */
    /* clang-format off */
    double matrix[n+2][n+2];
    int t = 8;

    int target[] = {0,1, 0,-1, -1,0, 1,0,
    -1,1, 1,1, 1,-1, -1,-1};

    Cart_neighborhood_create(MPI_COMM_WORLD ,2,dims,periods,
    t,target ,MPI_UNWEIGHTED,MPI_INFO_NULL,0,& cart);
    MPI_Comm_rank(cart, &rank);
    MPI_Cart_coords(cart, rank, 2, coords);

    int sendcount[8], recvcount[8], i;
    MPI_Aint senddisp[8], recvdisp[8];
    MPI_Datatype sendtype[8], recvtype[8];

    sendcount [0] = n; // upper row out
    senddisp [0] = 1*(n+2)+1; sendtype [0] = ROW;
    recvcount [0] = n; // lower halo in
    recvdisp [0] = (n+1)*(n+2)+1; recvtype [0] = ROW;
    sendcount [1] = n; // lower row out, upper halo in
    senddisp [1] = n*(n+2)+1; sendtype [1] = ROW;
    recvcount [1] = n;
    recvdisp [1] = 0*(n+2)+1; recvtype [1] = ROW;
    sendcount [2] = 1; // left column out
    senddisp [2] = 1*(n+2)+1; sendtype [2] = COL;
    recvcount [2] = 1; // right halo in
    recvdisp [2] = 1*(n+2)+n+1; recvtype [2] = COL;
    sendcount [3] = 1; // right column out, left halo in
    senddisp [3] = 1*(n+2)+n; sendtype [3] = COL;
    recvcount [3] = 1;
    recvdisp [3] = 1*(n+2)+0; recvtype [3] = COL;
    sendcount [4] = 1; // left -upper corner out
    senddisp [4] = 1*(n+2)+1; sendtype [4] = COR;
    senddisp [5] = 1*(n+2)+n; // right-upper, right-lower, left-lower
    senddisp [6] = n*(n+2)+n;
    senddisp [7] = n*(n+2)+1;
    recvdisp [4] = (n+1)*(n+2)+n+1; // each comes into the opposite corner
    recvdisp [5] = (n+1)*(n+2)+0;
    recvdisp [6] = 0*(n+2)+0;
    recvdisp [7] = 0*(n+2)+n+1;
    for (i=4; i<t; i++) {
        sendcount[i] = recvcount[i] = 1;
        sendtype[i] = recvtype[i] = COR;
    }
    // byte offsets
    for (i=0; i<t; i++) senddisp[i] *= sizeof(double );
    for (i=0; i<t; i++) recvdisp[i] *= sizeof(double );

    Cart_alltoallw_init(
    matrix ,sendcount ,senddisp ,sendtype ,
    matrix ,recvcount ,recvdisp ,recvtype ,cart);

    int iterate = iterations;
    while (iterate) {
        for (int y = 1; y <= n; y++)
            for (int x = 1; x <= n; x++) matrix[y][x] = content(iterate, y, x);

        // update
        Cart_alltoallw(

        matrix ,sendcount ,senddisp ,sendtype ,
        matrix ,recvcount ,recvdisp ,recvtype ,cart);

        for (int y = 0; y < n + 2; y++)
            for (int x = 0; x < n + 2; x++) wrong += matrix[y][x] != content(iterate, y, x);
        iterate--;
    }
    /* clang-format on */

    printf("rank %d of %d: %d wrong cells\n", rank, size, wrong);
    MPI_Type_free(&COL);
    MPI_Comm_free(&cart);
    MPI_Finalize();
    return wrong != 0;
}
