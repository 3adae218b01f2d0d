// SPDX-License-Identifier: MIT
#pragma once

#include "collective_refusal.hpp"
#include "world.hpp"

#include <climits>
#include <string>
#include <utility>
#include <vector>

namespace carpool::tests {

/// Mistakes in the arguments of ordinary collectives that the rank notices which makes them.
namespace faults {

using enum Collective;
using Call = CollectiveCall;

/// Replaces the first value of a list, if there is one.
template <class Value>
void set_first(std::vector<Value>& values, Value value) {
    if (!values.empty()) values.front() = value;
}

/// Collectives with arrays on the send side, and on the receive side.
inline const std::vector<Collective> send_lists{scatterv, alltoallv, alltoallw};
inline const std::vector<Collective> recv_lists{gatherv, allgatherv, alltoallv, alltoallw};

inline std::vector<CollectiveFault> wrong_counts() {
    const auto recv_counts = [] {
        auto lists = recv_lists;
        lists.push_back(reduce_scatter);
        return lists;
    }();
    return {{"negative send count",
             those(has_send),
             [](Call& c) { set_first<MPI_Count>(c.send.counts, -3); },
             {MPI_ERR_COUNT, {"sendcount", "-3"}}},
            {"negative receive count",
             those([](Collective what) { return has_recv(what) && what != reduce; }),
             [](Call& c) { set_first<MPI_Count>(c.recv.counts, -5); },
             {MPI_ERR_COUNT, {"count", "-5"}}},
            {"negative count",
             {reduce},
             [](Call& c) { set_first<MPI_Count>(c.recv.counts, -5); },
             {MPI_ERR_COUNT, {"count", "-5"}}},
            {"negative last count",
             recv_counts,
             [](Call& c) {
                 if (!c.recv.counts.empty()) c.recv.counts.back() = -1;
             },
             {MPI_ERR_COUNT, {"recvcounts[" + std::to_string(world_size() - 1) + "]", "-1"}}},
            {"least count",
             {bcast, allreduce},
             [](Call& c) { c.recv.counts[0] = INT_MIN; },
             {MPI_ERR_COUNT, {"count"}}},
            {"null send counts",
             send_lists,
             [](Call& c) { c.send.counts.clear(); },
             {MPI_ERR_ARG, {"sendcounts", "null"}}},
            {"null receive counts",
             recv_counts,
             [](Call& c) { c.recv.counts.clear(); },
             {MPI_ERR_ARG, {"recvcounts", "null"}}},
            {"null send displacements",
             send_lists,
             [](Call& c) { c.send.displs.clear(); },
             {MPI_ERR_ARG, {"displs", "null"}}},
            {"null receive displacements",
             recv_lists,
             [](Call& c) { c.recv.displs.clear(); },
             {MPI_ERR_ARG, {"displs", "null"}}}};
}

inline std::vector<CollectiveFault> wrong_types(MPI_Datatype uncommitted) {
    std::vector<CollectiveFault> faults{{"null send types",
                                         {alltoallw},
                                         [](Call& c) { c.send.types.clear(); },
                                         {MPI_ERR_ARG, {"sendtypes", "null"}}},
                                        {"null receive types",
                                         {alltoallw},
                                         [](Call& c) { c.recv.types.clear(); },
                                         {MPI_ERR_ARG, {"recvtypes", "null"}}}};
    for (const auto& [type, word] :
         {std::pair(MPI_DATATYPE_NULL, "MPI_DATATYPE_NULL"), std::pair(uncommitted, "committed")}) {
        faults.push_back({std::string("send type ") + word,
                          those(has_send),
                          [type = type](Call& c) { set_first(c.send.types, type); },
                          {MPI_ERR_TYPE, {"sendtype", word}}});
        faults.push_back({std::string("receive type ") + word,
                          those(has_recv),
                          [type = type](Call& c) { set_first(c.recv.types, type); },
                          {MPI_ERR_TYPE, {"type", word}}});
    }
    return faults;
}

inline std::vector<CollectiveFault> wrong_roots() {
    std::vector<CollectiveFault> faults;
    for (const int root : {-1, world_size(), MPI_ANY_SOURCE, MPI_PROC_NULL, INT_MAX})
        faults.push_back({"root " + std::to_string(root),
                          those([](Collective what) { return has_root(what); }),
                          [root](Call& c) { c.root = root; },
                          {MPI_ERR_ROOT, {"root", std::to_string(root)}}});
    return faults;
}

inline void send_in_place(Call& c) { c.send.buffer = MPI_IN_PLACE; }
inline void receive_in_place(Call& c) { c.recv.buffer = MPI_IN_PLACE; }

inline std::vector<CollectiveFault> wrong_places() {
    return {
        {"buffer in place", {bcast}, receive_in_place, {MPI_ERR_BUFFER, {"buffer", "IN_PLACE"}}},
        {"sends in place",
         {scatter, scatterv},
         send_in_place,
         {MPI_ERR_BUFFER, {"sendbuf", "IN_PLACE"}}},
        {"receives in place",
         {gather, gatherv, allgather, allgatherv, alltoall, alltoallv, alltoallw, reduce, allreduce,
          reduce_scatter_block, reduce_scatter, scan, exscan},
         receive_in_place,
         {MPI_ERR_BUFFER, {"recvbuf", "IN_PLACE"}}}};
}

/// MPI_IN_PLACE on a rank other than the root, where only the root may pass it.
inline std::vector<CollectiveFault> wrong_places_off_root() {
    return {{"sends in place off root",
             {gather, gatherv, reduce},
             send_in_place,
             {MPI_ERR_BUFFER, {"sendbuf", "IN_PLACE"}}},
            {"receives in place off root",
             {scatter, scatterv},
             receive_in_place,
             {MPI_ERR_BUFFER, {"recvbuf", "IN_PLACE"}}}};
}

inline std::vector<CollectiveFault> wrong_operators() {
    const auto with = [](const char* name, MPI_Datatype type, MPI_Op op, const char* word) {
        return CollectiveFault{
            name,
            those([](Collective what) { return reduces(what); }),
            [=](Call& c) { c.op = op, c.recv.types[0] = type, c.recv.counts[0] = 1; },
            {MPI_ERR_OP, {"op", word}}};
    };
    return {with("null", MPI_INT, MPI_OP_NULL, "MPI_OP_NULL"),
            with("replace", MPI_INT, MPI_REPLACE, "MPI_REPLACE"),
            with("no-op", MPI_INT, MPI_NO_OP, "MPI_NO_OP"),
            with("and of floats", MPI_FLOAT, MPI_BAND, "MPI_FLOAT"),
            with("minloc of ints", MPI_INT, MPI_MINLOC, "MPI_INT"),
            with("sum of bytes", MPI_BYTE, MPI_SUM, "MPI_BYTE")};
}

}  // namespace faults
}  // namespace carpool::tests
