// SPDX-License-Identifier: MIT
#include "interpose/open_mpi_fortran.hpp"

#include "mpi/host_symbol.hpp"

#include <cstddef>

#ifdef OPEN_MPI

namespace carpool::interpose {
namespace {

static_assert(sizeof(MPI_Fint) == sizeof(int), "counts are passed on as they are");

/// The numbers of targets and sources of this rank, or of ranks to which an alltoall sends. A
/// communicator that is none gives zeros, and the host refuses it.
std::pair<int, int> degrees(MPI_Comm comm, bool of_neighbors) {
    int size = 0, in = 0, out = 0, weighted = 0, kind = MPI_UNDEFINED, rank = 0, inter = 0;
    if (!of_neighbors) {
        PMPI_Comm_test_inter(comm, &inter);
        if (inter != 0)
            PMPI_Comm_remote_size(comm, &size);
        else
            PMPI_Comm_size(comm, &size);
        return {size, size};
    }
    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(comm, &in);
        return {2 * in, 2 * in};
    }
    if (kind == MPI_GRAPH) {
        PMPI_Comm_rank(comm, &rank);
        PMPI_Graph_neighbors_count(comm, rank, &in);
        return {in, in};
    }
    if (kind == MPI_DIST_GRAPH) PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    return {out, in};
}

std::vector<MPI_Datatype> converted(const MPI_Fint* types, int count) {
    std::vector<MPI_Datatype> all;
    for (int i = 0; i < count; ++i) all.push_back(PMPI_Type_f2c(types[i]));
    return all;
}

}  // namespace

void* address_of(void* buffer) {
    static const void* const bottom = mpi::host_symbol("mpi_fortran_bottom_");
    static const void* const in_place = mpi::host_symbol("mpi_fortran_in_place_");
    if (in_place != nullptr && buffer == in_place) return MPI_IN_PLACE;
    return bottom != nullptr && buffer == bottom ? MPI_BOTTOM : buffer;
}

std::pair<std::vector<MPI_Datatype>, std::vector<MPI_Datatype>> types(void* sendbuf,
                                                                      const MPI_Fint* sendtypes,
                                                                      const MPI_Fint* recvtypes,
                                                                      MPI_Comm comm,
                                                                      bool of_neighbors) {
    if (comm == MPI_COMM_NULL) return {};
    const auto [out, in] = degrees(comm, of_neighbors);
    const bool in_place = address_of(sendbuf) == MPI_IN_PLACE;
    return {converted(sendtypes, in_place ? 0 : out), converted(recvtypes, in)};
}

}  // namespace carpool::interpose

#endif
