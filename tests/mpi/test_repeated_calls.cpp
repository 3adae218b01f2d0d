// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4
// sanitize-ranks: 2
//
// Repeated calls: with the same arguments, with handles that have a new meaning by now, and very
// often.

#include <boost/test/unit_test.hpp>

#include "graph_neighbors.hpp"
#include "handles.hpp"
#include "resident_memory.hpp"
#include "world.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_repeated_calls)

namespace {

using namespace carpool::tests;

/// A datatype of two ints at a distance of `gap`.
Type pair_with_gap(int gap) {
    MPI_Datatype type;
    MPI_Type_vector(2, 1, gap, MPI_INT, &type);
    return committed(type);
}

int sent_from(int rank, int round, int place) { return 10000 * rank + 100 * round + place; }

}  // namespace

// A freed handle may be reused at once, for another type.
BOOST_AUTO_TEST_CASE(a_datatype_with_the_handle_of_a_freed_one_is_read_again) {
    const auto comm = distributed_graph(ring());
    const int one = 1;
    const MPI_Aint here = 0;
    for (int round = 0; round < 40; ++round) {
        const int gap = 1 + round % 5;
        auto type = pair_with_gap(gap);
        const MPI_Datatype handle = type;
        for (int again = 0; again < 2; ++again) {
            std::array<int, 8> send{}, recv;
            for (int i = 0; i < 8; ++i)
                send[static_cast<std::size_t>(i)] = sent_from(world_rank(), round, i);
            recv.fill(-1);
            BOOST_TEST(Carpool_Neighbor_alltoallw(send.data(), &one, &here, &handle, recv.data(),
                                                  &one, &here, &handle, comm) == MPI_SUCCESS);
            for (int i = 0; i < 8; ++i) {
                const bool touched = i == 0 || i == gap;
                BOOST_TEST(recv[static_cast<std::size_t>(i)] ==
                               (touched ? sent_from(around(-1), round, i) : -1),
                           "round " << round << ", int " << i);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(counts_may_change_between_calls_and_change_back) {
    const auto comm = distributed_graph(ring());
    const int zero = 0;
    for (int round = 0; round < 60; ++round) {
        const auto ints = [round](int from) { return (from + round) % 7; };
        const int sent = ints(world_rank()), received = ints(around(-1));
        std::array<int, 8> send, recv;
        send.fill(sent_from(world_rank(), round, 0));
        recv.fill(-1);
        BOOST_TEST(Carpool_Neighbor_alltoallv(send.data(), &sent, &zero, MPI_INT, recv.data(),
                                              &received, &zero, MPI_INT, comm) == MPI_SUCCESS);
        for (int i = 0; i < 8; ++i)
            BOOST_TEST(recv[static_cast<std::size_t>(i)] ==
                       (i < received ? sent_from(around(-1), round, 0) : -1));
    }
}

// Each call is made three times, so that it is known by then; afterwards one of its arguments
// changes, in the same array.
BOOST_AUTO_TEST_CASE(each_argument_may_change_in_place_after_repeated_calls) {
    const auto comm = distributed_graph(ring());
    int count = 2, count_received = 2;
    MPI_Aint at = 0, at_received = 0;
    MPI_Datatype type = MPI_INT, type_received = MPI_INT;
    std::array<int, 8> send{}, recv{};
    const std::array<std::function<void()>, 6> changes{
        [] {},
        [&] { count = count_received = 3; },
        [&] { at = sizeof(int); },
        [&] { at_received = 2 * sizeof(int); },
        [&] { type = type_received = MPI_DOUBLE; },
        [&] { count = count_received = 1; },
    };
    for (int round = 0; const auto& change : changes) {
        change();
        ++round;
        for (int again = 0; again < 3; ++again) {
            for (int i = 0; i < 8; ++i)
                send[static_cast<std::size_t>(i)] = sent_from(world_rank(), round + again, i);
            recv.fill(-1);
            BOOST_TEST(Carpool_Neighbor_alltoallw(send.data(), &count, &at, &type, recv.data(),
                                                  &count_received, &at_received, &type_received,
                                                  comm) == MPI_SUCCESS);
            const auto first = static_cast<int>(at_received / sizeof(int));
            const auto from = static_cast<int>(at / sizeof(int));
            const int ints = type == MPI_DOUBLE ? 2 * count : count;
            for (int i = 0; i < 8; ++i) {
                const bool touched = i >= first && i < first + ints;
                const int expected =
                    touched ? sent_from(around(-1), round + again, i - first + from) : -1;
                BOOST_TEST(recv[static_cast<std::size_t>(i)] == expected,
                           "round " << round << ", call " << again << ", int " << i);
            }
        }
    }
}

/// The plans that a rank remembers depend on its other calls, so results must not depend on them.
BOOST_AUTO_TEST_CASE(calls_of_empty_blocks_match_whatever_ranks_have_called_before) {
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    int sent = 0, received = 0;
    Carpool_Barrier(MPI_COMM_WORLD);
    Carpool_Allreduce_init(&sent, &received, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &request);
    Carpool_Request_free(&request);
    MPI_Comm two = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() < 2 ? 0 : MPI_UNDEFINED, 0, &two);
    std::array<int, 40> many{}, sums{};
    for (int count = 1; two != MPI_COMM_NULL && count < 40; ++count) {
        Carpool_Allreduce_init(many.data(), sums.data(), count, MPI_INT, MPI_SUM, two,
                               MPI_INFO_NULL, &request);
        Carpool_Request_free(&request);
    }
    if (two != MPI_COMM_NULL) MPI_Comm_free(&two);
    BOOST_TEST(Carpool_Allreduce(&sent, &received, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD) ==
               MPI_SUCCESS);
}

/// Ranks other than the root pass the same arguments in both calls of each pair.
BOOST_AUTO_TEST_CASE(calls_with_and_without_a_count_per_rank_are_not_confused) {
    const auto ranks = static_cast<std::size_t>(world_size());
    const std::vector<int> ones(ranks, 1);
    std::vector<int> at(ranks);
    std::iota(at.begin(), at.end(), 0);
    const auto gather = [&](bool varying, const int* from, int* to) {
        return varying ? Carpool_Gatherv(from, 1, MPI_INT, to, ones.data(), at.data(), MPI_INT, 0,
                                         MPI_COMM_WORLD)
                       : Carpool_Gather(from, 1, MPI_INT, to, 1, MPI_INT, 0, MPI_COMM_WORLD);
    };
    const auto scatter = [&](bool varying, const int* from, int* to) {
        return varying ? Carpool_Scatterv(from, ones.data(), at.data(), MPI_INT, to, 1, MPI_INT, 0,
                                          MPI_COMM_WORLD)
                       : Carpool_Scatter(from, 1, MPI_INT, to, 1, MPI_INT, 0, MPI_COMM_WORLD);
    };
    int own = world_rank(), back = -1;
    std::vector<int> all(ranks);
    for (const int calls : {200, 200, 1, 1, 3, 1}) {
        for (const bool varying : {false, true})
            for (int i = 0; i < calls; ++i) {
                BOOST_REQUIRE(gather(varying, &own, all.data()) == MPI_SUCCESS);
                if (world_rank() == 0) BOOST_REQUIRE(all == at);
            }
        for (const bool varying : {false, true})
            for (int i = 0; i < calls; ++i) {
                BOOST_REQUIRE(scatter(varying, all.data(), &back) == MPI_SUCCESS);
                BOOST_REQUIRE(back == own);
            }
    }
}

BOOST_AUTO_TEST_CASE(very_many_calls_need_no_more_memory_and_no_more_tags) {
    const auto comm = distributed_graph(ring());
    const int many = world_size() <= 2 ? 200000 : 3000;
    std::int64_t before = 0;
    int sent = 0, received = -1;
    for (int call = 0; call < many; ++call) {
        if (call == many / 2) before = resident_bytes();
        sent = call + world_rank();
        Carpool_Neighbor_alltoall(&sent, 1, MPI_INT, &received, 1, MPI_INT, comm);
        if (received != call + around(-1)) BOOST_FAIL("call " << call << " brings " << received);
    }
    BOOST_TEST(resident_bytes() - before < std::int64_t{4} << 20);
}

BOOST_AUTO_TEST_SUITE_END()
