// SPDX-License-Identifier: MIT
// ranks: 2 5
// environment: CARPOOL_SHARED_MEMORY=300000
// sanitize-ranks: 2
// one-node: all (of memory within a node)
//
// Ranks that have little memory to share: messages that find none go by MPI.

#include <boost/test/unit_test.hpp>

#include "grid_neighborhood.hpp"
#include "world.hpp"

#include <carpool/collectives.h>

#include <cstddef>
#include <deque>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_transport_memory_full)

using namespace carpool::tests;

namespace {

constexpr int count = 4000;  // not so long that MPI sends them anyway

/// Persistent allgathers, each with its own buffers. None forwards, so a rank sends all its
/// messages in the start.
class AllgatherRequests {
public:
    explicit AllgatherRequests(int number) : requests_(static_cast<std::size_t>(number)) {
        const auto spread = info_of({{"carpool_algorithm", "spread"}});
        const auto ranks = static_cast<std::size_t>(world_size());
        for (int i = 0; i < number; ++i) {
            auto& sent = sent_.emplace_back(count, world_rank() * 1000 + i);
            auto& received = received_.emplace_back(count * ranks, -1);
            BOOST_REQUIRE(Carpool_Allgather_init(sent.data(), count, MPI_INT, received.data(),
                                                 count, MPI_INT, MPI_COMM_WORLD, spread,
                                                 &requests_[static_cast<std::size_t>(i)]) ==
                          MPI_SUCCESS);
        }
    }

    AllgatherRequests(const AllgatherRequests&) = delete;
    AllgatherRequests& operator=(const AllgatherRequests&) = delete;
    ~AllgatherRequests() {
        for (auto& request : requests_) Carpool_Request_free(&request);
    }

    void start_all() {
        for (auto& one : received_) one.assign(one.size(), -1);
        Carpool_Startall(static_cast<int>(requests_.size()), requests_.data());
    }

    void wait_for_all() {
        for (auto& request : requests_) Carpool_Wait(&request, MPI_STATUS_IGNORE);
    }

    bool are_right() const {
        for (std::size_t i = 0; i < received_.size(); ++i)
            for (std::size_t j = 0; j < received_[i].size(); ++j)
                if (received_[i][j] != static_cast<int>(j / count) * 1000 + static_cast<int>(i))
                    return false;
        return true;
    }

    MPI_Count without_memory() const {
        MPI_Count sum = 0;
        for (const auto& request : requests_) sum += plan_of(request).without_memory;
        return sum;
    }

private:
    std::vector<std::vector<int>> sent_, received_;
    std::vector<Carpool_Request> requests_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(many_starts_at_once_are_right_though_the_memory_is_full) {
    AllgatherRequests requests(30);
    for (int round = 0; round < 3; ++round) {
        const bool first = world_rank() == 0;  // the others do not read its messages yet
        if (first) requests.start_all();
        MPI_Barrier(MPI_COMM_WORLD);
        if (!first) requests.start_all();
        requests.wait_for_all();
        BOOST_TEST(requests.are_right(), "round " << round);
        if (first) BOOST_TEST(requests.without_memory() > 0);
    }
}

/// All requests still exist: if each kept the memory that it has used, the memory would be full.
BOOST_AUTO_TEST_CASE(any_number_of_requests_gets_memory_while_few_are_active) {
    std::deque<AllgatherRequests> all;
    for (int group = 0; group < 20; ++group) {
        auto& requests = all.emplace_back(2);
        for (int round = 0; round < 3; ++round) {
            requests.start_all();
            requests.wait_for_all();
            MPI_Barrier(MPI_COMM_WORLD);  // all messages have been read
        }
        BOOST_TEST(requests.are_right());
        BOOST_TEST(requests.without_memory() == 0);
    }
}

BOOST_AUTO_TEST_SUITE_END()
