/* Requests of Carpool: what starts an exchange and waits for it. Included by carpool.h and
 * collectives.h. */
#ifndef CARPOOL_REQUEST_H
#define CARPOOL_REQUEST_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* One exchange: persistent (from an _init) or nonblocking (from Carpool_Ineighbor_*). Meaning of
 * every call is MPI's, MPI_Status included: the calls that complete several requests return
 * MPI_ERR_IN_STATUS where one has failed, and its status has the error. Requests of one
 * communicator may be active together and be started in any order.
 *
 * Blocks that travel through other ranks are passed on inside Carpool calls: between Start and the
 * completing Wait or Test, a rank must not block outside Carpool on something that another rank
 * does only after it has completed the same exchange. */
typedef struct Carpool_Request_s *Carpool_Request;
#define CARPOOL_REQUEST_NULL ((Carpool_Request)0)

int Carpool_Start(Carpool_Request *request);
int Carpool_Startall(int count, Carpool_Request requests[]);
int Carpool_Test(Carpool_Request *request, int *flag, MPI_Status *status);
int Carpool_Testall(int count, Carpool_Request requests[], int *flag, MPI_Status *statuses);
int Carpool_Testany(
    int count, Carpool_Request requests[], int *index, int *flag, MPI_Status *status);
int Carpool_Testsome(
    int incount, Carpool_Request requests[], int *outcount, int indices[], MPI_Status *statuses);
int Carpool_Wait(Carpool_Request *request, MPI_Status *status);
int Carpool_Waitall(int count, Carpool_Request requests[], MPI_Status *statuses);
int Carpool_Waitany(int count, Carpool_Request requests[], int *index, MPI_Status *status);
int Carpool_Waitsome(
    int incount, Carpool_Request requests[], int *outcount, int indices[], MPI_Status *statuses);

/* Frees an inactive request and sets it to CARPOOL_REQUEST_NULL; an active one is an error. */
int Carpool_Request_free(Carpool_Request *request);

/* What the calling rank does in one start of a request. On a neighborhood rounds and volume are C
 * and V of the papers, the same on all ranks; on a graph and of an ordinary collective they are
 * those of the rank that has most. */
typedef struct Carpool_Plan {
    char algorithm[32]; /* the rule or algorithm in use, never "auto" */
    MPI_Count phases;   /* dependent steps */
    MPI_Count rounds;   /* rounds of messages */
    MPI_Count messages; /* sent by this rank; rounds, less those pruned at a mesh's border */
    MPI_Count volume;   /* blocks sent */
    MPI_Count bytes;    /* sent by this rank */
} Carpool_Plan;

/* Local. The request may be active or not. Empty as long as it is not planned: a nonblocking call
 * or an I*_init may plan until it, or its first start, completes. */
int Carpool_Request_get_plan(Carpool_Request request, Carpool_Plan *plan);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
