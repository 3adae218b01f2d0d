// SPDX-License-Identifier: MIT
// ranks: 3
// program: own
// sanitize-ranks: none
//
// Nonblocking first calls on several communicators: their duplications are seldom under way at
// once, since MPICH may hang in these, and no call waits long for a rank that is late.

#include <boost/test/unit_test.hpp>

#include "handles.hpp"
#include "late_rank.hpp"
#include "world.hpp"

#include <carpool/carpool.h>

#include <array>
#include <vector>

namespace {

std::vector<const MPI_Request*> begun;  // the library's own, null once it knows of the end
int overlaps = 0;

}  // namespace

extern "C" int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* duplicate, MPI_Request* request) {
    for (const auto* const earlier : begun) overlaps += *earlier != MPI_REQUEST_NULL ? 1 : 0;
    begun.push_back(request);
    return PMPI_Comm_idup(comm, duplicate, request);
}

BOOST_AUTO_TEST_SUITE(test_duplications)

using namespace carpool::tests;

namespace {

/// Nonblocking barriers on communicators that have had no call.
class FirstCalls {
public:
    FirstCalls() { begun.clear(); }

    void begin() {
        for (std::size_t i = 0; i < comms_.size(); ++i)
            BOOST_TEST(Carpool_Ibarrier(comms_[i], &requests_[i]) == MPI_SUCCESS);
    }
    void end() { MPI_Waitall(most, requests_.data(), MPI_STATUSES_IGNORE); }

    static constexpr int most = 4;

private:
    std::array<Comm, most> comms_{duplicate_of_world(), duplicate_of_world(), duplicate_of_world(),
                                  duplicate_of_world()};
    std::array<MPI_Request, most> requests_{};
};

}  // namespace

BOOST_AUTO_TEST_CASE(duplications_seldom_overlap_where_ranks_call_together) {
    constexpr int rounds = 20;
    overlaps = 0;
    for (int round = 0; round < rounds; ++round) {
        FirstCalls calls;
        MPI_Barrier(MPI_COMM_WORLD);
        calls.begin();
        calls.end();
    }
    BOOST_TEST(overlaps < rounds * FirstCalls::most / 2);
}

BOOST_AUTO_TEST_CASE(all_calls_return_before_a_late_rank_makes_its_own) {
    FirstCalls calls;
    before_the_late_one(world_size() - 1, [&] { calls.begin(); });
    calls.end();
}

BOOST_AUTO_TEST_SUITE_END()
