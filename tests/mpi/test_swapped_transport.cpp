// ranks: 2 5
// program: own
// sanitize-ranks: 2
// one-node: all (of memory within a node)
//
// Messages of some KiB may be faster through memory or by MPI: requests and calls measure both and
// take the faster one; sums are added in the same order by either.

#include <boost/test/unit_test.hpp>

#include "graph_place.hpp"
#include "handles.hpp"
#include "slow_messages.hpp"
#include "stage.hpp"
#include "world.hpp"

#include <carpool/collectives.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace carpool::tests;

/// Number of messages that this rank sends by MPI in a call after the measurement.
int sent_in_the_end(const std::function<void(int)>& call) {
    constexpr int calls = 40;
    const SlowMessages slow;
    for (int i = 0; i < calls; ++i) call(i);
    sent_by_mpi = 0;
    call(calls);
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

BOOST_AUTO_TEST_SUITE(test_swapped_transport)

BOOST_AUTO_TEST_CASE(a_request_goes_the_faster_way_from_its_first_start) {
    Sums sums(8192);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const SlowMessages slow;
    sent_by_mpi = 0;
    BOOST_TEST_REQUIRE(Carpool_Allreduce_init(sums.own.data(), sums.sum.data(), sums.count(),
                                              MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                              &request) == MPI_SUCCESS);
    BOOST_TEST(sent_by_mpi > 0);
    sent_by_mpi = 0;
    for (int start = 0; start < 8; ++start) {
        BOOST_TEST(Carpool_Start(&request) == MPI_SUCCESS);
        BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        BOOST_TEST(sums.same());
    }
    BOOST_TEST(sent_by_mpi == 0);
    BOOST_TEST(algorithm_of(request).find("swapped") == std::string::npos);
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(calls_add_alike_by_either_way) {
    const auto comm = duplicate_of_world();
    Sums sums(2048);  // a size whose results are not remembered
    std::vector<std::int64_t> ones(sums.own.size(), 1), count(ones);
    int tried = 0;
    const int sent = sent_in_the_end([&](int) {
        // the same number of bytes, and any algorithm is allowed
        BOOST_TEST(Carpool_Allreduce(ones.data(), count.data(), sums.count(), MPI_INT64_T, MPI_SUM,
                                     comm) == MPI_SUCCESS);
        BOOST_TEST(count.front() == world_size());
        sent_by_mpi = 0;
        BOOST_TEST(Carpool_Allreduce(sums.own.data(), sums.sum.data(), sums.count(), MPI_DOUBLE,
                                     MPI_SUM, comm) == MPI_SUCCESS);
        tried += sent_by_mpi > 0 ? 1 : 0;
        BOOST_TEST(sums.same());
    });
    BOOST_TEST(tried > 0);
    BOOST_TEST(sent == 0);
}

BOOST_AUTO_TEST_CASE(blocks_arrive_by_either_way) {
    const auto comm = duplicate_of_world();
    const int size = world_size();
    for (const int bytes : {6000, 40000}) {
        const auto length = static_cast<std::size_t>(bytes) * static_cast<std::size_t>(size);
        std::vector<char> send(length), recv(length);
        const int sent = sent_in_the_end([&](int round) {
            for (std::size_t i = 0; i < length; ++i)
                send[i] = static_cast<char>(i * 7 + static_cast<std::size_t>(world_rank() + round));
            recv.assign(length, 'x');
            BOOST_TEST(Carpool_Alltoall(send.data(), bytes, MPI_BYTE, recv.data(), bytes, MPI_BYTE,
                                        comm) == MPI_SUCCESS);
            int wrong = 0;
            const auto mine = static_cast<std::size_t>(world_rank() * bytes);
            for (std::size_t i = 0; i < length; ++i) {
                const auto source = i / static_cast<std::size_t>(bytes);
                const auto place = mine + i % static_cast<std::size_t>(bytes);
                const auto shift = source + static_cast<std::size_t>(round);
                wrong += recv[i] == static_cast<char>(place * 7 + shift) ? 0 : 1;
            }
            BOOST_TEST(wrong == 0, bytes << " bytes, round " << round);
        });
        BOOST_TEST(sent == 0, bytes << " bytes");
    }
}

/// A gatherv in which each rank has its own count.
struct Gathering {
    std::vector<int> counts = std::vector<int>(static_cast<std::size_t>(world_size()));
    std::vector<int> at = counts;
    std::vector<char> all = {};

    explicit Gathering(const std::function<int(int)>& bytes_of) {
        int end = 0;
        for (std::size_t rank = 0; rank < counts.size(); ++rank) {
            counts[rank] = bytes_of(static_cast<int>(rank));
            at[rank] = std::exchange(end, end + counts[rank]);
        }
        all.resize(static_cast<std::size_t>(end));
    }

    static char letter(int rank, int round) { return static_cast<char>(rank * 11 + round); }

    /// Makes a call. Has the root received the right bytes from each rank?
    bool right(int round, MPI_Comm comm) {
        const int own = counts[static_cast<std::size_t>(world_rank())];
        const std::vector<char> send(static_cast<std::size_t>(own), letter(world_rank(), round));
        all.assign(all.size(), 'x');
        const int code = Carpool_Gatherv(send.data(), own, MPI_BYTE, all.data(), counts.data(),
                                         at.data(), MPI_BYTE, 0, comm);
        if (code != MPI_SUCCESS || world_rank() != 0) return code == MPI_SUCCESS;
        bool same = true;
        for (int rank = 0; rank < world_size(); ++rank) {
            const auto begin = all.begin() + at[static_cast<std::size_t>(rank)];
            same = same && std::all_of(begin, begin + counts[static_cast<std::size_t>(rank)],
                                       [&](char one) { return one == letter(rank, round); });
        }
        return same;
    }
};

/// Only a sender and the root know the length of a block.
BOOST_AUTO_TEST_CASE(blocks_whose_sizes_two_ranks_know_arrive_by_either_way) {
    const auto comm = duplicate_of_world();
    Gathering some_long([](int rank) { return rank % 2 == 0 ? 8 : 40000 + rank; });
    int tried = 0;
    const auto call = [&](int round) {
        sent_by_mpi = 0;
        BOOST_TEST(some_long.right(round, comm), "round " << round);
        tried += sent_by_mpi > 0 ? 1 : 0;
    };
    const int sent = sent_in_the_end(call);
    BOOST_TEST((tried > 0 || world_rank() % 2 == 0));
    BOOST_TEST(sent == 0);
}

BOOST_AUTO_TEST_CASE(blocks_to_neighbors_who_alone_know_their_sizes_arrive_by_either_way) {
    const int rank = world_rank(), last = around(-1);
    const auto comm = distributed_graph(ring());
    const auto bytes_of = [](int from) { return from % 2 == 0 ? 8 : 40000 + from; };
    const int sent = bytes_of(rank), received = bytes_of(last), zero = 0;
    std::vector<char> recv(static_cast<std::size_t>(received));
    int tried = 0;
    const auto call = [&](int round) {
        const std::vector<char> send(static_cast<std::size_t>(sent),
                                     static_cast<char>(rank + round));
        std::ranges::fill(recv, 'x');
        sent_by_mpi = 0;
        BOOST_TEST(Carpool_Neighbor_alltoallv(send.data(), &sent, &zero, MPI_BYTE, recv.data(),
                                              &received, &zero, MPI_BYTE, comm) == MPI_SUCCESS);
        BOOST_TEST(std::ranges::count(recv, static_cast<char>(last + round)) == received);
        tried += sent_by_mpi > 0 ? 1 : 0;
    };
    BOOST_TEST(sent_in_the_end(call) == 0);
    BOOST_TEST((tried > 0 || rank % 2 == 0));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
