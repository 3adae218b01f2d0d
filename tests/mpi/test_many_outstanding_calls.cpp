// SPDX-License-Identifier: MIT
// ranks: 2 4
// sanitize-ranks: none
//
// Very many nonblocking calls under way at once, on a communicator that has no channel yet and on
// one that has: each step of progress looks at few of them.

#include <boost/test/unit_test.hpp>

#include "handles.hpp"
#include "late_rank.hpp"
#include "standard_error.hpp"
#include "world.hpp"

#include <carpool/collectives.h>

#include <algorithm>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_many_outstanding_calls)

extern "C" void Carpool_who_waits();

namespace {

using namespace carpool::tests;

constexpr int most_looked_at = 64;

/// The activities that a step of progress looks at: Carpool_who_waits prints a line for each.
long activities_looked_at() {
    const StandardError lines;
    Carpool_who_waits();
    const auto text = lines.text();
    return std::ranges::count(text, '\n');
}

/// Sums of numbers of all ranks, each by a call of its own.
class Sums {
public:
    Sums(int calls, MPI_Comm comm) : requests_(static_cast<std::size_t>(calls)), comm_(comm) {
        for (int i = 0; i < calls; ++i) sent_.push_back(world_rank() + i);
        received_.resize(sent_.size(), -1);
    }

    void begin() {
        for (std::size_t i = 0; i < requests_.size(); ++i)
            Carpool_Iallreduce(&sent_[i], &received_[i], 1, MPI_INT, MPI_SUM, comm_, &requests_[i]);
    }

    void end() {
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
        const int ranks = world_size();
        std::vector<int> expected;
        for (std::size_t i = 0; i < requests_.size(); ++i)
            expected.push_back(ranks * (ranks - 1) / 2 + ranks * static_cast<int>(i));
        BOOST_TEST((received_ == expected));
    }

private:
    std::vector<MPI_Request> requests_;
    MPI_Comm comm_;
    std::vector<int> sent_;
    std::vector<int> received_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_step_of_progress_looks_at_few_of_many_calls) {
    for (const bool has_channel : {false, true}) {
        const auto comm = duplicate_of_world();
        if (has_channel) Carpool_Barrier(comm);
        Sums sums(1000, comm);
        before_the_late_one(0, [&] {
            sums.begin();
            BOOST_TEST(activities_looked_at() <= most_looked_at, "with a channel: " << has_channel);
        });
        sums.end();
    }
}

BOOST_AUTO_TEST_CASE(thirty_thousand_outstanding_calls_are_right) {
    for (const bool has_channel : {false, true}) {
        const auto comm = duplicate_of_world();
        if (has_channel) Carpool_Barrier(comm);
        Sums sums(30000, comm);
        sums.begin();
        sums.end();
    }
}

BOOST_AUTO_TEST_SUITE_END()
