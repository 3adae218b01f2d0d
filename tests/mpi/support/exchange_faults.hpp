// SPDX-License-Identifier: MIT
#pragma once

#include "exchange_arguments.hpp"
#include "refusal.hpp"

#include <mpi.h>

#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace carpool::tests {

/// One mistake in the arguments of an operation, and the error that it must give.
struct ExchangeFault {
    std::string name;
    std::vector<Operation> in;
    std::function<void(ExchangeArguments&)> spoil;
    ExpectedError expected_error;
};

/// Lists are named sendcounts, single values sendcount, and so on.
/// @param last  the last position of a list
inline std::vector<ExchangeFault> exchange_faults(MPI_Datatype uncommitted, int last) {
    constexpr auto w = Operation::alltoallw;
    const std::vector<Operation> all(std::begin(operations), std::end(operations));
    const std::vector<Operation> send_lists{Operation::alltoallv, w};
    const std::vector<Operation> recv_lists{Operation::alltoallv, w, Operation::allgatherv,
                                            Operation::allgatherw};
    return {
        {"negative send count",
         all,
         [](ExchangeArguments& e) { e.send.counts[0] = -3; },
         {MPI_ERR_COUNT, {"sendcount", "-3"}}},
        {"negative receive count",
         all,
         [](ExchangeArguments& e) { e.recv.counts[0] = -5; },
         {MPI_ERR_COUNT, {"recvcount", "-5"}}},
        {"negative last count",
         recv_lists,
         [](ExchangeArguments& e) { e.recv.counts.back() = -1; },
         {MPI_ERR_COUNT, {"recvcounts[" + std::to_string(last) + "]", "-1"}}},
        {"null send type",
         all,
         [](ExchangeArguments& e) { e.send.types[0] = MPI_DATATYPE_NULL; },
         {MPI_ERR_TYPE, {"sendtype", "MPI_DATATYPE_NULL"}}},
        {"null receive type",
         all,
         [](ExchangeArguments& e) { e.recv.types[0] = MPI_DATATYPE_NULL; },
         {MPI_ERR_TYPE, {"recvtype", "MPI_DATATYPE_NULL"}}},
        {"uncommitted send type",
         all,
         [=](ExchangeArguments& e) { e.send.types[0] = uncommitted; },
         {MPI_ERR_TYPE, {"sendtype", "committed"}}},
        {"uncommitted receive type",
         all,
         [=](ExchangeArguments& e) { e.recv.types[0] = uncommitted; },
         {MPI_ERR_TYPE, {"recvtype", "committed"}}},
        {"in place",
         all,
         [](ExchangeArguments& e) { e.send.buffer = MPI_IN_PLACE; },
         {MPI_ERR_BUFFER, {"sendbuf", "MPI_IN_PLACE"}}},
        {"received in place",
         all,
         [](ExchangeArguments& e) { e.recv.buffer = MPI_IN_PLACE; },
         {MPI_ERR_BUFFER, {"recvbuf", "MPI_IN_PLACE"}}},
        {"null send counts",
         send_lists,
         [](ExchangeArguments& e) { e.send.counts.clear(); },
         {MPI_ERR_ARG, {"sendcounts", "null"}}},
        {"null send displacements",
         send_lists,
         [](ExchangeArguments& e) { e.send.displs.clear(); },
         {MPI_ERR_ARG, {"sdispls", "null"}}},
        {"null send types",
         {w},
         [](ExchangeArguments& e) { e.send.types.clear(); },
         {MPI_ERR_ARG, {"sendtypes", "null"}}},
        {"null receive counts",
         recv_lists,
         [](ExchangeArguments& e) { e.recv.counts.clear(); },
         {MPI_ERR_ARG, {"recvcounts", "null"}}},
        {"null receive displacements",
         recv_lists,
         [](ExchangeArguments& e) { e.recv.displs.clear(); },
         {MPI_ERR_ARG, {"displs", "null"}}},
        {"null receive types",
         {w, Operation::allgatherw},
         [](ExchangeArguments& e) { e.recv.types.clear(); },
         {MPI_ERR_ARG, {"recvtypes", "null"}}},
        {"sizes that differ between the sides",
         all,
         [](ExchangeArguments& e) { ++e.recv.counts[0]; },
         {MPI_ERR_ARG, {"recv"}}},
    };
}

}  // namespace carpool::tests
