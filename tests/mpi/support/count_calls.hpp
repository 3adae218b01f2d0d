// SPDX-License-Identifier: MIT
#pragma once
// Counts the calls that a program and its libraries make to MPI, by wrapping MPI's functions.
// Include it once per program.

#include <mpi.h>

namespace carpool::tests {

/// Calls on this rank since the last reset.
struct CallCounts {
    int messages = 0;     ///< sends posted, except those to MPI_PROC_NULL
    long long bytes = 0;  ///< in those that MPI_Send and MPI_Isend post
    int types_created = 0;
    int collectives = 0;  ///< the calls with which ranks agree on arguments
    int created = 0;      ///< persistent requests
};

inline CallCounts call_counts;

/// The targets of persistent sends, which MPI_Start does not have as an argument.
class Persistent {
public:
    static void add(MPI_Request request, int target) {
        if (target == MPI_PROC_NULL || count_ == most) return;
        requests_[count_++] = request;
    }
    static bool sends(MPI_Request request) {
        for (int i = 0; i < count_; ++i)
            if (requests_[i] == request) return true;
        return false;
    }
    static void remove(MPI_Request request) {
        for (int i = 0; i < count_; ++i)
            if (requests_[i] == request) requests_[i] = requests_[--count_];
    }

private:
    static constexpr int most = 4096;
    static inline MPI_Request requests_[most];
    static inline int count_ = 0;
};

inline int sent(int code, int target, MPI_Count elements, MPI_Datatype type) {
    if (target == MPI_PROC_NULL) return code;
    int size = 0;
    PMPI_Type_size(type, &size);
    ++call_counts.messages;
    call_counts.bytes += elements * size;
    return code;
}

inline int counted(int code, int& counter) {
    ++counter;
    return code;
}

inline int prepared(int code, MPI_Request* request, int target) {
    Persistent::add(*request, target);
    ++call_counts.created;
    return code;
}

}  // namespace carpool::tests

// Names of the parameters: b buffer, n count, y type, r rank, g tag, c comm, q request.
extern "C" {

using carpool::tests::call_counts;
using carpool::tests::counted;
using carpool::tests::Persistent;
using carpool::tests::prepared;
using carpool::tests::sent;

int MPI_Send(const void* b, int n, MPI_Datatype y, int r, int g, MPI_Comm c) {
    return sent(PMPI_Send(b, n, y, r, g, c), r, n, y);
}
int MPI_Isend(const void* b, int n, MPI_Datatype y, int r, int g, MPI_Comm c, MPI_Request* q) {
    return sent(PMPI_Isend(b, n, y, r, g, c, q), r, n, y);
}
int MPI_Send_init(const void* b, int n, MPI_Datatype y, int r, int g, MPI_Comm c, MPI_Request* q) {
    return prepared(PMPI_Send_init(b, n, y, r, g, c, q), q, r);
}
#if MPI_VERSION >= 4
int MPI_Isend_c(const void* b, MPI_Count n, MPI_Datatype y, int r, int g, MPI_Comm c,
                MPI_Request* q) {
    return sent(PMPI_Isend_c(b, n, y, r, g, c, q), r, n, y);
}
int MPI_Send_init_c(const void* b, MPI_Count n, MPI_Datatype y, int r, int g, MPI_Comm c,
                    MPI_Request* q) {
    return prepared(PMPI_Send_init_c(b, n, y, r, g, c, q), q, r);
}
#endif
int MPI_Start(MPI_Request* q) {
    if (Persistent::sends(*q)) ++call_counts.messages;
    return PMPI_Start(q);
}
int MPI_Startall(int n, MPI_Request q[]) {
    for (int i = 0; i < n; ++i) call_counts.messages += Persistent::sends(q[i]);
    return PMPI_Startall(n, q);
}
int MPI_Request_free(MPI_Request* q) {
    Persistent::remove(*q);
    return PMPI_Request_free(q);
}
int MPI_Allreduce(const void* b, void* into, int n, MPI_Datatype y, MPI_Op op, MPI_Comm c) {
    return counted(PMPI_Allreduce(b, into, n, y, op, c), call_counts.collectives);
}
int MPI_Iallreduce(const void* b, void* into, int n, MPI_Datatype y, MPI_Op op, MPI_Comm c,
                   MPI_Request* q) {
    return counted(PMPI_Iallreduce(b, into, n, y, op, c, q), call_counts.collectives);
}
int MPI_Type_commit(MPI_Datatype* y) {
    return counted(PMPI_Type_commit(y), call_counts.types_created);
}
int MPI_Type_dup(MPI_Datatype y, MPI_Datatype* to) {
    return counted(PMPI_Type_dup(y, to), call_counts.types_created);
}
int MPI_Type_contiguous(int n, MPI_Datatype y, MPI_Datatype* to) {
    return counted(PMPI_Type_contiguous(n, y, to), call_counts.types_created);
}
int MPI_Type_create_struct(int n, const int lengths[], const MPI_Aint displs[],
                           const MPI_Datatype types[], MPI_Datatype* to) {
    return counted(PMPI_Type_create_struct(n, lengths, displs, types, to),
                   call_counts.types_created);
}
int MPI_Type_create_hindexed(int n, const int lengths[], const MPI_Aint displs[], MPI_Datatype y,
                             MPI_Datatype* to) {
    return counted(PMPI_Type_create_hindexed(n, lengths, displs, y, to), call_counts.types_created);
}
}
