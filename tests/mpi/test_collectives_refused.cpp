// ranks: 1 2 3
// nightly-ranks: 4
// sanitize-ranks: 2
//
// Bad arguments of collectives that a single rank can notice are refused on all ranks with the same
// error.

#include <boost/test/unit_test.hpp>

#include "collective_refusal.hpp"
#include "handles.hpp"
#include "world.hpp"

#include <climits>

namespace {

using namespace carpool::tests;
using enum Collective;
using Call = CollectiveCall;

Type uncommitted_type() {
    MPI_Datatype type;
    MPI_Type_contiguous(1, MPI_INT, &type);
    return Type(type);
}

/// Replaces the first value of a list, if there is one.
template <class Value>
void set_first(std::vector<Value>& values, Value value) {
    if (!values.empty()) values.front() = value;
}

/// Collectives with arrays on the send side, and on the receive side.
const std::vector<Collective> send_lists{scatterv, alltoallv, alltoallw};
const std::vector<Collective> recv_lists{gatherv, allgatherv, alltoallv, alltoallw};

std::vector<CollectiveFault> wrong_counts() {
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

std::vector<CollectiveFault> wrong_types(MPI_Datatype uncommitted) {
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

std::vector<CollectiveFault> wrong_roots() {
    std::vector<CollectiveFault> faults;
    for (const int root : {-1, world_size(), MPI_ANY_SOURCE, MPI_PROC_NULL, INT_MAX})
        faults.push_back({"root " + std::to_string(root),
                          those([](Collective what) { return has_root(what); }),
                          [root](Call& c) { c.root = root; },
                          {MPI_ERR_ROOT, {"root", std::to_string(root)}}});
    return faults;
}

void send_in_place(Call& c) { c.send.buffer = MPI_IN_PLACE; }
void receive_in_place(Call& c) { c.recv.buffer = MPI_IN_PLACE; }

std::vector<CollectiveFault> wrong_places() {
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
std::vector<CollectiveFault> wrong_places_off_root() {
    return {{"sends in place off root",
             {gather, gatherv, reduce},
             send_in_place,
             {MPI_ERR_BUFFER, {"sendbuf", "IN_PLACE"}}},
            {"receives in place off root",
             {scatter, scatterv},
             receive_in_place,
             {MPI_ERR_BUFFER, {"recvbuf", "IN_PLACE"}}}};
}

std::vector<CollectiveFault> wrong_operators() {
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

/// Faults in arguments of the root, on all ranks and on that rank alone.
void run_all(const std::vector<CollectiveFault>& faults) {
    CollectiveRefusals refusals;
    for (const auto& fault : faults)
        for (const bool alone : {false, true})
            refusals.run(fault, !alone || world_rank() == refusals.root());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_collectives_refused)

BOOST_AUTO_TEST_CASE(wrong_counts_are_refused) { run_all(wrong_counts()); }

BOOST_AUTO_TEST_CASE(wrong_types_are_refused) {
    const auto uncommitted = uncommitted_type();
    run_all(wrong_types(uncommitted));
}

BOOST_AUTO_TEST_CASE(wrong_roots_are_refused) { run_all(wrong_roots()); }

BOOST_AUTO_TEST_CASE(in_place_is_refused_where_mpi_does_not_let_it) {
    run_all(wrong_places());
    if (world_size() == 1) return;
    CollectiveRefusals refusals;
    for (const auto& fault : wrong_places_off_root())
        for (const bool alone : {false, true})
            refusals.run(fault, alone ? world_rank() == 0 : world_rank() != refusals.root());
}

BOOST_AUTO_TEST_CASE(operators_that_cannot_reduce_are_refused) { run_all(wrong_operators()); }

BOOST_AUTO_TEST_CASE(sums_of_a_derived_type_are_refused) {
    const auto pair = committed(six_ints::vector(2, 1, 2));
    run_all({{"sum of a derived type",
              those([](Collective what) { return reduces(what); }),
              [&](Call& c) { c.recv.types[0] = pair, c.recv.counts[0] = 1; },
              {MPI_ERR_OP, {"op", "derived"}}}});
}

BOOST_AUTO_TEST_CASE(sides_of_one_rank_that_differ_are_refused) {
    run_all({{"more received than sent",
              {gather, gatherv, scatter, scatterv, allgather, allgatherv, alltoall, alltoallv,
               alltoallw},
              [](Call& c) {
                  for (auto& count : c.recv.counts) ++count;
              },
              {MPI_ERR_ARG, {}}}});
}

BOOST_AUTO_TEST_SUITE_END()
