// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4
// sanitize-ranks: 3
//
// Handles that are freed as soon as MPI allows it, and very many calls in progress at a time: every
// argument keeps the meaning that it had when the call was made.

#include <boost/test/unit_test.hpp>

#include "handles.hpp"
#include "operators.hpp"
#include "random_operations.hpp"
#include "resident_memory.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_freed_handles)

namespace {

using namespace carpool::tests;

/// A user's sum of ints; once it has been freed, another operator takes its place.
class ShortLivedSum {
public:
    ShortLivedSum() { MPI_Op_create(add_ints, 1, &op_); }
    operator MPI_Op() const { return op_; }  // NOLINT: converts as the handle itself
    void free() {
        MPI_Op_free(&op_);
        MPI_Op_create(spoil_ints, 1, &op_);
    }
    ~ShortLivedSum() { MPI_Op_free(&op_); }

private:
    MPI_Op op_ = MPI_OP_NULL;
};

int sum_of_ranks() { return world_size() * (world_size() - 1) / 2; }

Comm ring() {
    const int dims[] = {world_size()}, periods[] = {1};
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    return Comm(ring);
}

int left() { return (world_rank() + world_size() - 1) % world_size(); }
int right() { return (world_rank() + 1) % world_size(); }

#ifdef CARPOOL_TEST_SANITIZED
constexpr std::int64_t slack = 512 << 20;  // AddressSanitizer keeps freed memory
#else
constexpr std::int64_t slack = 24 << 20;
#endif

}  // namespace

BOOST_AUTO_TEST_CASE(an_operator_may_be_freed_before_a_nonblocking_call_ends) {
    const auto neighbors = ring();
    for (int round = 0; round < 50; ++round) {
        const int mine = world_rank();
        int sum = -1, nearby = -1;
        MPI_Request requests[2];
        ShortLivedSum one, other;
        Carpool_Iallreduce(&mine, &sum, 1, MPI_INT, one, MPI_COMM_WORLD, &requests[0]);
        one.free();
        Carpool_Ineighbor_reduce(&mine, &nearby, 1, MPI_INT, other, neighbors, &requests[1]);
        other.free();
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        BOOST_TEST(sum == sum_of_ranks());
        BOOST_TEST(nearby == left() + right());
    }
}

// MPICH cannot keep an operator on a communicator of one rank.
BOOST_AUTO_TEST_CASE(an_operator_may_be_freed_when_a_persistent_request_has_been_made) {
    if (world_size() == 1) return;
    const auto neighbors = ring();
    const int mine = world_rank();
    int sum = -1, nearby = -1;
    Carpool_Request members[2], bundle;
    ShortLivedSum one, other;
    Carpool_Allreduce_init(&mine, &sum, 1, MPI_INT, one, neighbors, MPI_INFO_NULL, &members[0]);
    one.free();
    Carpool_Ineighbor_reduce_init(&mine, &nearby, 1, MPI_INT, other, neighbors, MPI_INFO_NULL,
                                  &members[1]);
    other.free();
    Carpool_Bundle_init(2, members, neighbors, MPI_INFO_NULL, &bundle);
    for (int start = 0; start < 3; ++start) {
        sum = nearby = -1;
        Carpool_Startall(2, members);
        Carpool_Waitall(2, members, MPI_STATUSES_IGNORE);
        BOOST_TEST(sum == sum_of_ranks());
        BOOST_TEST(nearby == left() + right());
    }
    for (auto& member : members) Carpool_Request_free(&member);
    sum = nearby = -1;
    Carpool_Start(&bundle);
    Carpool_Wait(&bundle, MPI_STATUS_IGNORE);
    BOOST_TEST(sum == sum_of_ranks());
    BOOST_TEST(nearby == left() + right());
    Carpool_Request_free(&bundle);
}

/// Keeps the left operand, so that the result is that of the lowest rank.
void keep_left(void* in, void* inout, int* count, MPI_Datatype*) {
    std::copy_n(static_cast<const int*>(in), *count, static_cast<int*>(inout));
}

/// Both often have the same handle. Each call has another buffer, so that it is filled anew.
BOOST_AUTO_TEST_CASE(an_operator_in_the_place_of_a_freed_one_may_be_of_another_kind) {
    const auto neighbors = ring();
    const auto comm = duplicate_of_world();
    std::vector<int> mine(400);
    for (std::size_t call = 0; call < mine.size(); ++call) {
        mine[call] = world_rank();
        const bool adds = call / 10 % 2 == 0;
        MPI_Op op = MPI_OP_NULL;
        MPI_Op_create(adds ? add_ints : keep_left, adds ? 1 : 0, &op);
        int result = -1, nearby = -1;
        Carpool_Allreduce(&mine[call], &result, 1, MPI_INT, op, comm);
        Carpool_Neighbor_reduce(&mine[call], &nearby, 1, MPI_INT, op, neighbors);
        MPI_Op_free(&op);
        BOOST_TEST(result == (adds ? sum_of_ranks() : 0), "call " << call);
        BOOST_TEST(nearby == (adds ? left() + right() : left()), "call " << call);
    }
}

// More calls than there are tags. Rank 0 begins all of them before the other ranks begin one.
BOOST_AUTO_TEST_CASE(very_many_calls_may_be_outstanding) {
    constexpr int calls = 9000;
    Carpool_Barrier(MPI_COMM_WORLD);
    std::vector<int> mine(calls), sums(calls, -1), blocks(calls, -1);
    std::vector<MPI_Request> requests;
    if (world_rank() > 0) MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < calls; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const int root = i % world_size();
        mine[at] = i + world_rank();
        if (world_rank() == root) blocks[at] = i;
        MPI_Request request;
        if (i % 2 == 0)
            Carpool_Ibcast(&blocks[at], 1, MPI_INT, root, MPI_COMM_WORLD, &request);
        else
            Carpool_Iallreduce(&mine[at], &sums[at], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        requests.push_back(request);
    }
    if (world_rank() == 0) MPI_Barrier(MPI_COMM_WORLD);
    int total = 0;  // a blocking call after all of them
    const int one = 1;
    Carpool_Allreduce(&one, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    BOOST_TEST(total == world_size());
    MPI_Waitall(calls, requests.data(), MPI_STATUSES_IGNORE);
    int faults = 0;
    for (int i = 0; i < calls; ++i) {
        const auto at = static_cast<std::size_t>(i);
        faults += i % 2 == 0 ? blocks[at] != i : sums[at] != world_size() * i + sum_of_ranks();
    }
    BOOST_TEST(faults == 0);
}

BOOST_AUTO_TEST_CASE(handles_of_random_operations_are_freed_at_once) {
    const auto memory_at = [](int percent, auto& operations_under_test) {
        operations_under_test.run(operations_or(2000) * percent / 100);
        return resident_bytes();
    };
    for (const std::size_t most : {30, 3000}) {
        RandomOperations operations_under_test(MPI_COMM_WORLD, seeded(), most, true);
        const auto before = memory_at(25, operations_under_test);
        const auto growth = memory_at(75, operations_under_test) - before;
        BOOST_TEST(operations_under_test.faults() == 0);
        BOOST_TEST(growth < slack, "grown by " << growth << " bytes");
    }
}

BOOST_AUTO_TEST_CASE(nonblocking_calls_without_an_earlier_blocking_one_outlive_their_handles) {
    const auto comm = duplicate_of_world();
    RandomOperations operations_under_test(comm, seeded(), 200, false);
    operations_under_test.run(operations_or(2000) / 4);
    BOOST_TEST(operations_under_test.faults() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
