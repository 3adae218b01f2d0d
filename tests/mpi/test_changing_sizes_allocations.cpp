// SPDX-License-Identifier: MIT
// ranks: 1 2 3 5 8
// environment: CARPOOL_TRANSPORT=mpi CARPOOL_CHOICE=model
// program: own
// sanitize-ranks: none
// one-node: all (the counts are those of one node)
//
// Counts allocations: a call with a new size uses an existing plan, so it allocates hardly anything
// and reads no datatype again.

#include <boost/test/unit_test.hpp>

#include "count_allocations.hpp"
#include "graph_neighbors.hpp"
#include "handles.hpp"
#include "world.hpp"

#include <carpool/carpool.h>
#include <carpool/sparse.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace carpool::tests;

constexpr int most_ints = 2048;

long types_kept = 0;  // calls of MPI_Type_dup, which precede reading a type

struct Buffers {
    std::vector<int> send = std::vector<int>(static_cast<std::size_t>(world_size() * most_ints), 1);
    std::vector<int> recv = send;
    std::vector<int> counts = std::vector<int>(static_cast<std::size_t>(world_size()));
    std::vector<int> places = counts;

    /// Sets the size of all blocks, in ints.
    void set(int ints) {
        std::ranges::fill(counts, ints);
        for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(i) * most_ints;
    }
};

/// A call with blocks of `ints` ints.
using Call = std::function<void(Buffers&, int ints)>;

/// The largest number of allocations in a call, after a call of each class of sizes was planned and
/// the longest blocks have taken each route.
long most_allocations(const Call& call) {
    Buffers buffers;
    const auto make = [&](int ints) {
        buffers.set(ints);
        const long before = allocations;
        call(buffers, ints);
        return allocations - before;
    };
    for (int again = 0; again < 4; ++again)
        for (int ints = most_ints; ints > 0; ints /= 2)
            for (const int less : {0, 1}) make(ints - less);
    long most = 0;
    for (int i = 1; i < 200; ++i) most = std::max(most, make(1 + (i * 7919) % (most_ints - 1)));
    return most;
}

/// Allocations for the datatype of a message with long pieces, and for lists that grow when a call
/// is first filled. Planning makes hundreds.
constexpr long few = 20;

void check(const std::string& what, const Call& call) {
    const long most = most_allocations(call);
    BOOST_TEST(most <= few, what << ": " << most << " allocations");
}

}  // namespace

int MPI_Type_dup(MPI_Datatype type, MPI_Datatype* duplicate) {
    ++types_kept;
    return PMPI_Type_dup(type, duplicate);
}

BOOST_AUTO_TEST_SUITE(test_changing_sizes_allocations)

BOOST_AUTO_TEST_CASE(an_ordinary_collective_of_a_new_size_allocates_hardly_anything) {
    const auto world = duplicate_of_world();
    const MPI_Comm comm = world;
    const int root = world_size() - 1;
    check("bcast",
          [&](Buffers& b, int n) { Carpool_Bcast(b.send.data(), n, MPI_INT, root, comm); });
    check("gather", [&](Buffers& b, int n) {
        Carpool_Gather(b.send.data(), n, MPI_INT, b.recv.data(), n, MPI_INT, root, comm);
    });
    check("scatter", [&](Buffers& b, int n) {
        Carpool_Scatter(b.send.data(), n, MPI_INT, b.recv.data(), n, MPI_INT, root, comm);
    });
    check("allgather", [&](Buffers& b, int n) {
        Carpool_Allgather(b.send.data(), n, MPI_INT, b.recv.data(), n, MPI_INT, comm);
    });
    check("alltoall", [&](Buffers& b, int n) {
        Carpool_Alltoall(b.send.data(), n, MPI_INT, b.recv.data(), n, MPI_INT, comm);
    });
    check("alltoallv", [&](Buffers& b, int) {
        Carpool_Alltoallv(b.send.data(), b.counts.data(), b.places.data(), MPI_INT, b.recv.data(),
                          b.counts.data(), b.places.data(), MPI_INT, comm);
    });
    check("reduce", [&](Buffers& b, int n) {
        Carpool_Reduce(b.send.data(), b.recv.data(), n, MPI_INT, MPI_SUM, root, comm);
    });
    check("allreduce", [&](Buffers& b, int n) {
        Carpool_Allreduce(b.send.data(), b.recv.data(), n, MPI_INT, MPI_SUM, comm);
    });
    check("scan", [&](Buffers& b, int n) {
        Carpool_Scan(b.send.data(), b.recv.data(), n, MPI_INT, MPI_SUM, comm);
    });
}

BOOST_AUTO_TEST_CASE(a_neighborhood_collective_of_a_new_size_allocates_hardly_anything) {
    const auto comm = distributed_graph(ring());
    const int zero = 0;
    check("neighbor_allgather", [&](Buffers& b, int n) {
        Carpool_Neighbor_allgather(b.send.data(), n, MPI_INT, b.recv.data(), n, MPI_INT, comm);
    });
    check("neighbor_alltoall", [&](Buffers& b, int n) {
        Carpool_Neighbor_alltoall(b.send.data(), n, MPI_INT, b.recv.data(), n, MPI_INT, comm);
    });
    check("neighbor_alltoallv", [&](Buffers& b, int n) {
        Carpool_Neighbor_alltoallv(b.send.data(), &n, &zero, MPI_INT, b.recv.data(), &n, &zero,
                                   MPI_INT, comm);
    });
}

BOOST_AUTO_TEST_CASE(a_call_of_a_new_size_along_the_same_lists_allocates_hardly_anything) {
    const auto world = duplicate_of_world();
    const MPI_Comm comm = world;
    const int next = (world_rank() + 1) % world_size();
    const int before = (world_rank() + world_size() - 1) % world_size();
    const int zero = 0;
    check("sparse_alltoallv", [&](Buffers& b, int n) {
        Carpool_Sparse_alltoallv(1, &next, b.send.data(), &n, &zero, MPI_INT, 1, &before,
                                 b.recv.data(), &n, &zero, MPI_INT, comm);
    });
}

BOOST_AUTO_TEST_CASE(a_derived_type_is_not_read_again_for_another_count) {
    MPI_Datatype made;
    MPI_Type_contiguous(2, MPI_INT, &made);
    const auto pair = committed(made);
    const auto graph = distributed_graph(ring());
    const int zero = 0;
    const std::vector<Call> calls{
        [&](Buffers& b, int n) {
            Carpool_Alltoall(b.send.data(), n, pair, b.recv.data(), n, pair, MPI_COMM_WORLD);
        },
        [&](Buffers& b, int n) {
            Carpool_Neighbor_alltoallv(b.send.data(), &n, &zero, pair, b.recv.data(), &n, &zero,
                                       pair, graph);
        }};
    Buffers buffers;
    for (const auto& call : calls) {
        for (int n = 2; n < 300; n += 2) call(buffers, n);
        types_kept = 0;
        for (int n = 3; n < 300; n += 2) call(buffers, n);
        BOOST_TEST(types_kept == 0);
    }
}

BOOST_AUTO_TEST_SUITE_END()
