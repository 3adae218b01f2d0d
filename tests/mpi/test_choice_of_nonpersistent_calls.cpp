// SPDX-License-Identifier: MIT
// ranks: 2 3 5 8
// program: own
// environment: CARPOOL_TRANSPORT=mpi
// sanitize-ranks: 3
//
// Costs choose the algorithm of a blocking call, on all ranks alike; no call measures anything, and
// every call delivers.

#include <boost/test/unit_test.hpp>

#include "environment.hpp"
#include "grid_neighborhood.hpp"
#include "handles.hpp"
#include "seed.hpp"
#include "slow_messages.hpp"
#include "world.hpp"

#include <carpool/collectives.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace carpool::tests;

/// More calls than programs make while they start.
constexpr int many = 100;

/// Makes an exchange, and returns how many messages this rank has sent.
int sent_in_a_call(CheckedExchange& exchange, MPI_Comm comm, int round) {
    exchange.prepare(round % 3);
    sent_by_mpi = 0;
    BOOST_TEST(exchange.make_call({Form::blocking, comm, MPI_INFO_NULL}) == MPI_SUCCESS);
    const int sent = sent_by_mpi;
    const auto fault = exchange.fault();
    BOOST_TEST(fault == "", "call " << round << ": " << fault);
    return sent;
}

BOOST_AUTO_TEST_SUITE(test_choice_of_nonpersistent_calls)

/// Whatever choice is given, and however slow the chosen algorithm turns out to be.
BOOST_AUTO_TEST_CASE(all_calls_after_the_first_send_the_same_messages) {
    for (const char* const choice : {"auto", "measure", "host"}) {
        const auto info = info_of({{"carpool_alpha", "1e-6"},
                                   {"carpool_beta", "0"},
                                   {"carpool_sigma", "4e-6"},
                                   {"carpool_choice", choice}});
        const GridNeighborhood grid(torus_of(1), moore(1, 3), info);
        for (const auto operation : {Operation::alltoall, Operation::allgather}) {
            auto exchange = grid.exchange(operation);
            sent_in_a_call(exchange, grid.cart, 0);
            const SlowMessages slow;
            const int sent = sent_in_a_call(exchange, grid.cart, 1);
            for (int call = 2; call < many; ++call)
                BOOST_TEST(sent_in_a_call(exchange, grid.cart, call) == sent);
        }
    }
}

/// Some ranks find each call among their recent ones, others do not.
BOOST_AUTO_TEST_CASE(ranks_may_pass_other_buffers_in_each_call) {
    const auto comm = duplicate_of_world();
    const auto ranks = static_cast<std::size_t>(world_size());
    std::vector<int> sent(2 * ranks + 64), received(2 * ranks + 64);
    for (int call = 0; call < 4 * many; ++call) {
        const auto at = static_cast<std::size_t>(world_rank() % 2 == 0 ? 0 : call % 64);
        const int count = call % 3 == 0 ? 2 : 1;
        const auto all = static_cast<std::size_t>(count) * ranks;
        for (std::size_t i = 0; i < all; ++i)
            sent[at + i] = 1000 * call + 10 * world_rank() + static_cast<int>(i) / count;
        BOOST_TEST(Carpool_Alltoall(&sent[at], count, MPI_INT, &received[at], count, MPI_INT,
                                    comm) == MPI_SUCCESS);
        for (std::size_t i = 0; i < all; ++i)
            BOOST_TEST(received[at + i] ==
                       1000 * call + 10 * (static_cast<int>(i) / count) + world_rank());
    }
}

/// Other sizes have other candidates, of which some are kept to be made again.
BOOST_AUTO_TEST_CASE(calls_of_very_many_sizes_are_right) {
    const auto comm = duplicate_of_world();
    std::vector<char> buffer(8000);
    auto rng = seeded();
    for (int call = 0; call < 1800; ++call) {
        const int bytes = call % 8 == 0 ? 8 + call % 16 / 8 : 1 + static_cast<int>(rng() % 7999);
        const auto letter = static_cast<char>(call);
        const int root = static_cast<int>(rng() % static_cast<unsigned>(world_size()));
        if (world_rank() == root) std::fill_n(buffer.begin(), bytes, letter);
        Carpool_Bcast(buffer.data(), bytes, MPI_BYTE, root, comm);
        BOOST_TEST_REQUIRE(std::count(buffer.begin(), buffer.begin() + bytes, letter) == bytes);
    }
}

BOOST_AUTO_TEST_CASE(sums_of_floating_point_numbers_have_the_same_bits_in_each_call) {
    std::vector<double> sums;
    const double mine = 1.0 / (3 + 7 * world_rank());
    for (int run = 0; run < 2; ++run) {
        const auto comm = duplicate_of_world();
        for (int call = 0; call < many; ++call) {
            sums.push_back(0);
            Carpool_Allreduce(&mine, &sums.back(), 1, MPI_DOUBLE, MPI_SUM, comm);
        }
    }
    for (const auto sum : sums) BOOST_TEST(std::memcmp(&sum, &sums.front(), sizeof sum) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
