// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4
// sanitize-ranks: 3
//
// The first uses of several communicators at once: each makes its channel in the background, and
// none waits for another.

#include <boost/test/unit_test.hpp>

#include "coordinates.hpp"
#include "handles.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <memory>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_first_calls)

namespace {

using namespace carpool::tests;

int ranks_of(MPI_Comm comm) {
    int size;
    MPI_Comm_size(comm, &size);
    return size;
}

Comm split(int color) {
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, color, world_rank(), &part);
    return Comm(part);
}

/// A ring of the ranks of a communicator, made by MPI.
Comm ring_of(MPI_Comm comm) {
    const int dims[] = {ranks_of(comm)}, periods[] = {1};
    MPI_Comm ring;
    MPI_Cart_create(comm, 1, dims, periods, 0, &ring);
    return Comm(ring);
}

/// Unused rings of all ranks, of some ranks and of one rank, mixed.
std::vector<Comm> rings() {
    std::vector<Comm> rings;
    for (int repetition = 0; repetition < 3; ++repetition)
        for (int size = 1; size <= world_size(); ++size) {
            rings.push_back(ring_of(split(world_rank() / size)));
            rings.push_back(ring_of(split(world_rank())));
        }
    return rings;
}

/// One exchange with both neighbors on a ring, on a communicator of its own.
struct Exchange {
    explicit Exchange(Comm on) : ring(std::move(on)) {
        MPI_Comm_rank(ring, &rank);
        size = ranks_of(ring);
        sent[0] = 10 * rank;
        sent[1] = 10 * rank + 1;
        total = size;
    }

    void call() {
        Carpool_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, ring, &request);
    }
    void init() {
        Carpool_Iallreduce_init(&total, &sum, 1, MPI_INT, MPI_SUM, ring, MPI_INFO_NULL,
                                &initialised);
        Carpool_Start(&initialised);
    }

    bool neighbors_are_right() const {
        const int below = (rank + size - 1) % size, above = (rank + 1) % size;
        return received[0] == 10 * below + 1 && received[1] == 10 * above;
    }

    Comm ring;
    int rank = 0, size = 0;
    int sent[2], received[2] = {-1, -1};
    int total, sum = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    Carpool_Request initialised = CARPOOL_REQUEST_NULL;
};

std::vector<std::unique_ptr<Exchange>> exchanges() {
    std::vector<std::unique_ptr<Exchange>> all;
    for (auto& ring : rings()) all.push_back(std::make_unique<Exchange>(std::move(ring)));
    return all;
}

/// Lets pending operations make some progress.
void test_any(const std::vector<std::unique_ptr<Exchange>>& all, std::mt19937& rng) {
    int flag;
    Carpool_Test(&all[rng() % all.size()]->initialised, &flag, MPI_STATUS_IGNORE);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_nonblocking_calls_on_many_communicators_may_be_outstanding) {
    const auto all = exchanges();
    for (const auto& one : all) one->call();
    for (const auto& one : all) {
        MPI_Wait(&one->request, MPI_STATUS_IGNORE);
        BOOST_TEST(one->neighbors_are_right(), "on " << one->size << " ranks");
    }
}

// MPICH never returns from a duplication of a single-rank communicator during certain stages of
// another duplication.
BOOST_AUTO_TEST_CASE(the_first_background_inits_on_many_communicators_may_be_pending) {
    auto rng = seeded();
    rng.discard(1000 * static_cast<unsigned long long>(world_rank()));
    for (int repetition = 0; repetition < 10; ++repetition) {
        const auto all = exchanges();
        for (const auto& one : all) {
            one->init();
            for (auto tests = rng() % 6; tests > 0; --tests) test_any(all, rng);
        }
        for (auto one = all.rbegin(); one != all.rend(); ++one) {
            Carpool_Wait(&(*one)->initialised, MPI_STATUS_IGNORE);
            BOOST_TEST((*one)->sum == (*one)->size * (*one)->size);
            Carpool_Request_free(&(*one)->initialised);
        }
    }
}

#ifndef OPEN_MPI  // its first use of a communicator waits for all ranks

// The other ranks make the call only after rank 0 has completed its own.
BOOST_AUTO_TEST_CASE(first_calls_on_comm_self_are_local_while_others_are_pending) {
    std::vector<std::unique_ptr<Exchange>> shared;
    for (int i = 0; i < 3; ++i) {
        MPI_Comm copy;
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        shared.push_back(std::make_unique<Exchange>(Comm(copy)));
    }
    Exchange alone(ring_of(MPI_COMM_SELF));
    if (world_rank() != 0) MPI_Recv(nullptr, 0, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (const auto& one : shared) one->init();
    alone.call();
    alone.init();
    MPI_Wait(&alone.request, MPI_STATUS_IGNORE);
    Carpool_Wait(&alone.initialised, MPI_STATUS_IGNORE);
    BOOST_TEST(alone.neighbors_are_right());
    BOOST_TEST(alone.sum == 1);
    for (int rank = 1; world_rank() == 0 && rank < world_size(); ++rank)
        MPI_Send(nullptr, 0, MPI_INT, rank, 7, MPI_COMM_WORLD);
    for (const auto& one : shared) {
        Carpool_Wait(&one->initialised, MPI_STATUS_IGNORE);
        BOOST_TEST(one->sum == one->size * one->size);
        Carpool_Request_free(&one->initialised);
    }
    Carpool_Request_free(&alone.initialised);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
