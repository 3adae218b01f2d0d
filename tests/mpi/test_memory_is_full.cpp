// ranks: 2 5
// environment: CARPOOL_SHARED_MEMORY=300000
// sanitize-ranks: 2
//
// Ranks that have little memory to share: what has no room in it goes by MPI.

#include <boost/test/unit_test.hpp>

#include "stage.hpp"
#include "world.hpp"

#include <carpool/collectives.h>

#include <vector>

using namespace carpool::tests;

BOOST_AUTO_TEST_SUITE(test_memory_is_full)

BOOST_AUTO_TEST_CASE(requests_without_room_are_as_right_as_those_that_have_some) {
    constexpr int count = 4000;  // not so long that they are left to MPI anyway
    constexpr int inits = 30;
    const auto ranks = static_cast<std::size_t>(world_size());
    std::vector<std::vector<int>> sent(inits), received(inits);
    std::vector<Carpool_Request> requests(inits, CARPOOL_REQUEST_NULL);
    for (int i = 0; i < inits; ++i) {
        const auto at = static_cast<std::size_t>(i);
        sent[at].assign(count, world_rank() * 1000 + i);
        received[at].assign(count * ranks, -1);
        BOOST_REQUIRE(Carpool_Allgather_init(sent[at].data(), count, MPI_INT, received[at].data(),
                                             count, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                                             &requests[at]) == MPI_SUCCESS);
    }
    // the memory is full before the last request is made, but not before the first
    BOOST_TEST(plan_of(requests.front()).shared_bytes >= 2 * count * 4);
    BOOST_TEST(plan_of(requests.front()).without_room == 0);
    BOOST_TEST(plan_of(requests.back()).shared_bytes == 0);
    BOOST_TEST(plan_of(requests.back()).without_room == plan_of(requests.back()).messages);
    for (int round = 0; round < 3; ++round) {
        for (auto& one : received) one.assign(one.size(), -1);
        Carpool_Startall(inits, requests.data());
        for (auto& request : requests) Carpool_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < inits; ++i) {
            int wrong = 0;
            for (std::size_t j = 0; j < count * ranks; ++j)
                wrong += received[static_cast<std::size_t>(i)][j] !=
                         static_cast<int>(j / count) * 1000 + i;
            BOOST_TEST(wrong == 0, "request " << i << ", round " << round);
        }
    }
    for (auto& request : requests) Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_SUITE_END()
