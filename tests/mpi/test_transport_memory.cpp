// SPDX-License-Identifier: MIT
// ranks: 1 2 4 7
// nightly-ranks: 13
// program: own
// environment: CARPOOL_CHOICE=model
// sanitize-ranks: 4
// one-node: all (of memory within a node)
//
// Messages through memory that ranks of a node share: of any length, without a message by MPI, and
// with ranks that are late.

#include <boost/test/unit_test.hpp>

#include "count_allocations.hpp"
#include "count_calls.hpp"
#include "environment.hpp"
#include "grid_neighborhood.hpp"
#include "refusal.hpp"
#include "resident_memory.hpp"
#include "world.hpp"

#include <carpool/collectives.h>

#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

using namespace carpool::tests;

namespace {

/// An alltoall of all ranks. Blocks have numbers that differ between sources, targets and rounds.
struct Everybody {
    explicit Everybody(int ints)
        : count(ints),
          sent(static_cast<std::size_t>(ints) * static_cast<std::size_t>(world_size())),
          received(sent.size()) {}

    static std::int32_t value(int from, int to, int i, int round) {
        return ((from * 131 + to) * 31 + round) * 7 + i;
    }

    void prepare(int round) {
        std::size_t next = 0;
        for (int to = 0; to < world_size(); ++to)
            for (int i = 0; i < count; ++i) sent[next++] = value(world_rank(), to, i, round);
        received.assign(sent.size(), -1);
    }

    bool right(int round) const {
        std::size_t next = 0;
        for (int from = 0; from < world_size(); ++from)
            for (int i = 0; i < count; ++i)
                if (received[next++] != value(from, world_rank(), i, round)) return false;
        return true;
    }

    int init(MPI_Info info, Carpool_Request* request) {
        return Carpool_Alltoall_init(sent.data(), count, MPI_INT, received.data(), count, MPI_INT,
                                     MPI_COMM_WORLD, info, request);
    }
    int call() {
        return Carpool_Alltoall(sent.data(), count, MPI_INT, received.data(), count, MPI_INT,
                                MPI_COMM_WORLD);
    }

    int count;
    std::vector<std::int32_t> sent;
    std::vector<std::int32_t> received;
};

/// An allgather of all ranks.
struct Published {
    explicit Published(int ints)
        : count(ints),
          sent(static_cast<std::size_t>(ints)),
          received(sent.size() * static_cast<std::size_t>(world_size())) {}

    void prepare(int round) {
        for (int i = 0; i < count; ++i)
            sent[static_cast<std::size_t>(i)] = Everybody::value(world_rank(), 0, i, round);
        received.assign(received.size(), -1);
    }

    bool right(int round) const {
        std::size_t next = 0;
        for (int from = 0; from < world_size(); ++from)
            for (int i = 0; i < count; ++i)
                if (received[next++] != Everybody::value(from, 0, i, round)) return false;
        return true;
    }

    int init(MPI_Info info, Carpool_Request* request) {
        return Carpool_Allgather_init(sent.data(), count, MPI_INT, received.data(), count, MPI_INT,
                                      MPI_COMM_WORLD, info, request);
    }

    int count;
    std::vector<std::int32_t> sent;
    std::vector<std::int32_t> received;
};

void run(Carpool_Request& request) {
    Carpool_Start(&request);
    Carpool_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_transport_memory)

BOOST_AUTO_TEST_CASE(a_start_and_a_call_send_nothing_by_mpi_and_allocate_nothing) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    for (const auto operation : {Operation::alltoall, Operation::allgather, Operation::alltoallw}) {
        auto exchange = grid.exchange(operation);
        auto request = init(exchange, grid.cart);
        for (int round = 0; round < 4; ++round) {
            exchange.prepare(round);
            call_counts = {};
            allocations = 0;
            run(request);
            const long allocated = allocations;
            const auto counted = call_counts;
            if (round < 2) continue;  // mailboxes and their lists grow at first
            BOOST_TEST(counted.messages == 0, name_of(operation));
            BOOST_TEST(counted.collectives == 0, name_of(operation));
            BOOST_TEST(allocated == 0, name_of(operation) << ": " << allocated);
            BOOST_TEST(exchange.fault() == "");
        }
        Carpool_Request_free(&request);
    }
    Everybody all(10);
    for (int round = 0; round < 20; ++round) {
        all.prepare(round);
        call_counts = {};
        all.call();
        if (round > 0) BOOST_TEST(call_counts.messages == 0);
        BOOST_TEST(all.right(round));
    }
}

BOOST_AUTO_TEST_CASE(blocks_of_every_length_arrive_complete) {
    for (const char* ways : {"auto", "shared", "mpi"})
        for (const int ints : {0, 1, 23, 24, 25, 1000, 65535, 65536, 65537, 300000}) {
            Everybody all(ints);
            const auto info = info_of({{"carpool_transport", ways}});
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            BOOST_REQUIRE(all.init(info, &request) == MPI_SUCCESS);
            for (int round = 0; round < 3; ++round) {
                all.prepare(round);
                run(request);
                BOOST_TEST(all.right(round), ways << ", " << ints << " ints, round " << round);
            }
            Carpool_Request_free(&request);
        }
}

/// More starts than there are ring entries and staging buffers, while one rank does something else.
BOOST_AUTO_TEST_CASE(a_late_rank_receives_all_earlier_messages) {
    const int late = world_size() - 1;
    constexpr int inits = 40;
    std::vector<Everybody> all(inits, Everybody(30));
    std::vector<Carpool_Request> requests(inits);
    for (int i = 0; i < inits; ++i)
        all[static_cast<std::size_t>(i)].init(MPI_INFO_NULL,
                                              &requests[static_cast<std::size_t>(i)]);
    for (int round = 0; round < 3; ++round) {
        for (auto& one : all) one.prepare(round);
        if (world_rank() == late) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        Carpool_Startall(inits, requests.data());
        if (world_rank() == late) std::swap(requests.front(), requests.back());
        for (auto& request : requests) Carpool_Wait(&request, MPI_STATUS_IGNORE);
        if (world_rank() == late) std::swap(requests.front(), requests.back());
        for (const auto& one : all) BOOST_TEST(one.right(round));
    }
    for (auto& request : requests) Carpool_Request_free(&request);
}

/// The ninth start finds no room, since no earlier one was read. Its sender then waits in MPI for
/// the readers.
BOOST_AUTO_TEST_CASE(a_send_that_waits_for_space_progresses_while_its_rank_waits_in_mpi) {
    if (world_size() == 1) return;
    std::vector<int> block(1000);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    Carpool_Bcast_init(block.data(), 1000, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    int word = 0;
    for (int round = 0; round < 20; ++round) {
        for (int start = 0; start < 20; ++start) {
            if (world_rank() == 0) block.assign(block.size(), round + start);
            Carpool_Start(&request);
            if (world_rank() == 0 && start == 19)
                MPI_Recv(&word, 1, MPI_INT, world_size() - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            Carpool_Wait(&request, MPI_STATUS_IGNORE);
            BOOST_TEST((block.front() == round + start && block.back() == round + start));
        }
        if (world_rank() == world_size() - 1) MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(many_starts_and_many_requests_keep_no_memory) {
    const auto some = [](int times) {
        for (int i = 0; i < times; ++i) {
            Everybody all(200);
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            all.init(MPI_INFO_NULL, &request);
            all.prepare(i);
            for (int start = 0; start < 20; ++start) run(request);
            BOOST_TEST(all.right(i));
            Carpool_Request_free(&request);
        }
    };
    some(50);
    const auto before = resident_bytes();
    some(400);
    const auto kept = resident_bytes() - before;
#ifndef CARPOOL_TEST_SANITIZED  // which keeps freed memory
    BOOST_TEST(kept < 4 << 20);
#endif
    static_cast<void>(kept);
}

/// Data that all ranks receive is in memory once, however many ranks read it.
BOOST_AUTO_TEST_CASE(a_block_for_all_ranks_is_packed_once) {
    if (world_size() == 1) return;
    const auto direct = info_of({{"carpool_algorithm", "spread"}});
    for (const int ints : {10, 1000}) {
        Published all(ints);
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        all.init(direct, &request);
        BOOST_TEST(plan_of(request).messages == world_size() - 1);
        BOOST_TEST(plan_of(request).shared_bytes == (ints == 10 ? 0 : 4000));
        BOOST_TEST(plan_of(request).without_memory == 0);
        Carpool_Request_free(&request);
        Everybody each(ints);
        each.init(direct, &request);
        BOOST_TEST(plan_of(request).shared_bytes == (ints == 10 ? 0 : 4000 * (world_size() - 1)));
        Carpool_Request_free(&request);
    }
}

/// The root is some starts ahead of a late rank, and frees requests that not all ranks have read:
/// their buffers are reused only after that.
BOOST_AUTO_TEST_CASE(a_block_for_all_ranks_arrives_complete_on_late_ranks) {
    constexpr int requests = 20, starts = 12;
    for (int root = 0; root < world_size(); ++root)
        for (int number = 0; number < requests; ++number) {
            if (world_rank() == (root + number) % world_size())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            std::vector<int> block(static_cast<std::size_t>(500 + number % 3));
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            Carpool_Ibcast_init(block.data(), static_cast<int>(block.size()), MPI_INT, root,
                                MPI_COMM_WORLD, MPI_INFO_NULL, &request);
            for (int start = 0; start < starts; ++start) {
                const int value = number * starts + start;
                if (world_rank() == root) std::iota(block.begin(), block.end(), value);
                run(request);
                int wrong = 0;
                for (int i = 0; const int one : block) wrong += one != value + i++;
                BOOST_TEST(wrong == 0,
                           "root " << root << ", request " << number << ", start " << start);
                block.assign(block.size(), -1);
            }
            Carpool_Request_free(&request);
        }
}

BOOST_AUTO_TEST_CASE(transports_that_differ_between_ranks_are_refused) {
    if (world_size() == 1) return;
    Everybody all(3);
    const auto info = info_of({{"carpool_transport", world_rank() == 0 ? "mpi" : "shared"}});
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("init", MPI_COMM_WORLD,
                   {MPI_ERR_ARG, {"carpool_transport", "mpi on rank 0", "shared on rank"}},
                   [&] { return all.init(info, &request); });
}

BOOST_AUTO_TEST_CASE(an_unknown_transport_is_refused) {
    Everybody all(3);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("init", MPI_COMM_WORLD,
                   {MPI_ERR_INFO_VALUE, {"carpool_transport", "'pigeon'", "mpi, shared or auto"}},
                   [&] { return all.init(info_of({{"carpool_transport", "pigeon"}}), &request); });
}

BOOST_AUTO_TEST_SUITE_END()
