// SPDX-License-Identifier: MIT
#include "interpose/host_aliases.hpp"

#include "mpi/comm/channel.hpp"
#include "mpi/library.hpp"
#include "mpi/lives.hpp"
#include "mpi/returned_errors.hpp"

#include <mpi.h>

#include <array>
#include <utility>

namespace carpool::interpose {
namespace {

/// A collective of this process alone that sends words and receives them at the same place.
using Collective = int (*)(int* words, int count, MPI_Comm alone);

/// A collective with a count per rank is treated like that with one count.
constexpr std::pair<Collective, std::array<MpiOperation, 2>> collectives[] = {
    {[](int* words, int count, MPI_Comm alone) {
         return PMPI_Gather(words, count, MPI_INT, words, count, MPI_INT, 0, alone);
     },
     {MpiOperation::gather, MpiOperation::gatherv}},
    {[](int* words, int count, MPI_Comm alone) {
         return PMPI_Scatter(words, count, MPI_INT, words, count, MPI_INT, 0, alone);
     },
     {MpiOperation::scatter, MpiOperation::scatterv}},
    {[](int* words, int count, MPI_Comm alone) {
         return PMPI_Allgather(words, count, MPI_INT, words, count, MPI_INT, alone);
     },
     {MpiOperation::allgather, MpiOperation::allgatherv}},
    {[](int* words, int count, MPI_Comm alone) {
         return PMPI_Reduce(words, words, count, MPI_INT, MPI_SUM, 0, alone);
     },
     {MpiOperation::reduce, MpiOperation::reduce}},
    {[](int* words, int count, MPI_Comm alone) {
         return PMPI_Allreduce(words, words, count, MPI_INT, MPI_SUM, alone);
     },
     {MpiOperation::allreduce, MpiOperation::allreduce}},
    {[](int* words, int count, MPI_Comm alone) {
         return PMPI_Reduce_scatter_block(words, words, count, MPI_INT, MPI_SUM, alone);
     },
     {MpiOperation::reduce_scatter_block, MpiOperation::reduce_scatter}},
    {[](int* words, int count, MPI_Comm alone) {
         return PMPI_Scan(words, words, count, MPI_INT, MPI_SUM, alone);
     },
     {MpiOperation::scan, MpiOperation::exscan}},
    {[](int* words, int count, MPI_Comm alone) {
         return PMPI_Alltoall(words, count, MPI_INT, words, count, MPI_INT, alone);
     },
     {MpiOperation::alltoall, MpiOperation::alltoallv}},
};

}  // namespace

/// Open MPI calls the handler of MPI_COMM_WORLD for such an error (MPI 4 says MPI_COMM_SELF), and
/// ends a program by sessions, which has none. There its answers are those of version 5.
HostAliases::HostAliases() {
    if (mpi::is_missing(MPI_COMM_WORLD) && mpi::is_open_mpi()) {
        for (auto& refused : refuses_) refused[index_of(MpiOperation::reduce)] = true;
        refuses_[1][index_of(MpiOperation::allreduce)] = true;
        return;
    }
    ask();
}

void HostAliases::ask() {
    const mpi::ReturnedErrorsOfNoComm returned;
    const auto alone = mpi::Channel::alone();
    int words[] = {0, 0};
    for (const int count : {1, 2})
        for (const auto& [collective, operations] : collectives) {
            const bool refused = collective(words, count, alone->comm()) != MPI_SUCCESS;
            for (const auto operation : operations)
                refuses_[count == 1 ? 0 : 1][index_of(operation)] = refused;
        }
    for (auto& refused : refuses_)
        refused[index_of(MpiOperation::alltoallw)] = refused[index_of(MpiOperation::alltoallv)];
}

const HostAliases& HostAliases::of_process() {
    static const HostAliases known;
    return known;
}

}  // namespace carpool::interpose
