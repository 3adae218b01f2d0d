// SPDX-License-Identifier: MIT
// ranks: 2 5
// program: own
// sanitize-ranks: 2
// one-node: all (of memory within a node)
//
// Messages of some KiB may be faster through memory or by MPI: requests measure both and take the
// faster one; sums are added in the same order by either.

#include <boost/test/unit_test.hpp>

#include "graph_neighbors.hpp"
#include "grid_neighborhood.hpp"
#include "handles.hpp"
#include "slow_messages.hpp"
#include "tuning_file.hpp"
#include "world.hpp"

#include <carpool/collectives.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace carpool::tests;

/// Starts a request, and returns how many messages this rank sends by MPI meanwhile.
int sent_in_a_start(Carpool_Request& request) {
    sent_by_mpi = 0;
    BOOST_TEST(Carpool_Start(&request) == MPI_SUCCESS);
    BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    return sent_by_mpi;
}

/// Numbers whose sum depends on the order of additions.
struct Sums {
    std::vector<double> own;
    std::vector<double> sum = {};
    std::vector<double> first = {};

    explicit Sums(std::size_t count) : own(count), sum(count) {
        std::mt19937 rng(static_cast<unsigned>(world_rank()) + 17);
        std::uniform_real_distribution<double> values(-1, 1);
        for (auto& value : own) value = values(rng) * (rng() % 2 == 0 ? 1e9 : 1e-9);
    }

    int count() const { return static_cast<int>(own.size()); }

    /// Does the sum have the same bits as the first time?
    bool same() {
        if (first.empty()) first = sum;
        const bool same = sum == first;
        std::ranges::fill(sum, -7);
        return same;
    }
};

BOOST_AUTO_TEST_SUITE(test_transport_measured)

BOOST_AUTO_TEST_CASE(a_request_takes_the_faster_transport_from_its_first_start) {
    Sums sums(8192);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const SlowMessages slow;
    sent_by_mpi = 0;
    BOOST_TEST_REQUIRE(Carpool_Allreduce_init(sums.own.data(), sums.sum.data(), sums.count(),
                                              MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                              &request) == MPI_SUCCESS);
    BOOST_TEST(sent_by_mpi > 0);
    for (int start = 0; start < 8; ++start) {
        BOOST_TEST(sent_in_a_start(request) == 0);
        BOOST_TEST(sums.same());
    }
    BOOST_TEST(algorithm_of(request).find("swapped") == std::string::npos);
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(blocks_arrive_by_either_transport) {
    const auto ranks = static_cast<std::size_t>(world_size());
    for (const int bytes : {6000, 40000}) {
        const auto length = static_cast<std::size_t>(bytes);
        std::vector<char> send(length * ranks), recv(send.size());
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        const SlowMessages slow;
        Carpool_Alltoall_init(send.data(), bytes, MPI_BYTE, recv.data(), bytes, MPI_BYTE,
                              MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        for (int start = 0; start < 4; ++start) {
            std::ranges::fill(send, static_cast<char>(11 * world_rank() + start));
            BOOST_TEST(sent_in_a_start(request) == 0, bytes << " bytes");
            for (std::size_t from = 0; from < ranks; ++from) {
                const auto begin = recv.begin() + static_cast<std::ptrdiff_t>(from * length);
                const auto letter = static_cast<char>(11 * static_cast<int>(from) + start);
                BOOST_TEST(std::count(begin, begin + bytes, letter) == bytes);
            }
        }
        Carpool_Request_free(&request);
    }
}

/// The tuning file sends all of them by MPI, which is slow, so the transport is swapped.
BOOST_AUTO_TEST_CASE(contiguous_messages_by_either_transport_are_received_in_pieces) {
    const TuningFile file(file_with(all_cut_offs(0)));
    const auto comm = duplicate_of_world();
    constexpr int ints = 5000;
    MPI_Datatype vector, with_gap;
    MPI_Type_vector(ints, 1, 2, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, 2 * ints * MPI_Aint{sizeof(int)}, &with_gap);
    MPI_Type_free(&vector);
    const auto block = committed(with_gap);
    std::vector<int> send(ints), recv(static_cast<std::size_t>(2 * ints * world_size()), -1);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const SlowMessages slow;
    Carpool_Allgather_init(send.data(), ints, MPI_INT, recv.data(), 1, block, comm, MPI_INFO_NULL,
                           &request);
    BOOST_TEST(algorithm_of(request).find("swapped") != std::string::npos);
    for (int start = 0; start < 4; ++start) {
        std::iota(send.begin(), send.end(), 100000 * world_rank() + start);
        BOOST_TEST(sent_in_a_start(request) == 0);
        for (int i = 0; i < ints * world_size(); ++i) {
            const auto at = static_cast<std::size_t>(2 * i);
            BOOST_TEST(recv[at] == 100000 * (i / ints) + start + i % ints);
            BOOST_TEST(recv[at + 1] == -1);
        }
    }
    Carpool_Request_free(&request);
}

/// Only a sender and its receiver know the length of a block.
BOOST_AUTO_TEST_CASE(blocks_whose_sizes_only_sender_and_receiver_know_arrive_by_either_transport) {
    const int rank = world_rank(), last = around(-1);
    const auto comm = distributed_graph(ring());
    const auto bytes_of = [](int from) { return from % 2 == 0 ? 8 : 40000 + from; };
    const int sent = bytes_of(rank), received = bytes_of(last), zero = 0;
    std::vector<char> send(static_cast<std::size_t>(sent)),
        recv(static_cast<std::size_t>(received));
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const SlowMessages slow;
    Carpool_Neighbor_alltoallv_init(send.data(), &sent, &zero, MPI_BYTE, recv.data(), &received,
                                    &zero, MPI_BYTE, comm, MPI_INFO_NULL, &request);
    for (int start = 0; start < 4; ++start) {
        std::ranges::fill(send, static_cast<char>(rank + start));
        BOOST_TEST(sent_in_a_start(request) == 0);
        BOOST_TEST(std::ranges::count(recv, static_cast<char>(last + start)) == received);
    }
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
