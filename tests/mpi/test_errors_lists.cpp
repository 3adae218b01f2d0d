// SPDX-License-Identifier: MIT
// ranks: 2 5
// nightly-ranks: 3 4 7
// sanitize-ranks: 3
//
// Calls along lists in which one rank's lists do not match the others': all return the error.

#include <boost/test/unit_test.hpp>

#include "current_step.hpp"
#include "error_cases.hpp"
#include "graph_neighbors.hpp"
#include "handles.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <carpool/collectives.h>
#include <carpool/sparse.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_errors_lists)

namespace {

using namespace carpool::tests;

/// Blocks of some numbers around the ring, in the lists of one rank.
struct RingLists {
    RingLists(int numbers_per_block, int of_round) : numbers(numbers_per_block), round(of_round) {}

    std::vector<int> targets{around(1)}, sources{around(-1)};
    int numbers;
    int round;

    int call(MPI_Comm comm) {
        prepare();
        return Carpool_Sparse_alltoallv(degree(targets), targets.data(), sent.data(), counts.data(),
                                        displs.data(), MPI_INT, degree(sources), sources.data(),
                                        received.data(), counts.data(), displs.data(), MPI_INT,
                                        comm);
    }

    int start(MPI_Comm comm, MPI_Request* request) {
        prepare();
        return Carpool_Isparse_alltoallv(degree(targets), targets.data(), sent.data(),
                                         counts.data(), displs.data(), MPI_INT, degree(sources),
                                         sources.data(), received.data(), counts.data(),
                                         displs.data(), MPI_INT, comm, request);
    }

    /// Checks that every block has the expected source, and that nothing behind them was written.
    bool is_right() const {
        const auto width = static_cast<std::size_t>(numbers);
        bool right = received.back() == -1;
        for (std::size_t i = 0; i < sources.size() * width; ++i)
            right = right && received[i] == value(sources[i / width]);
        return right;
    }

private:
    static int degree(const std::vector<int>& list) { return static_cast<int>(list.size()); }
    int value(int rank) const { return 1000 * rank + round; }

    void prepare() {
        const auto width = static_cast<std::size_t>(numbers);
        sent.assign(targets.size() * width, value(world_rank()));
        received.assign(sources.size() * width + 1, -1);
        counts.assign(targets.size() + sources.size(), numbers);
        displs.clear();
        for (std::size_t i = 0; i < counts.size(); ++i)
            displs.push_back(static_cast<int>(i) * numbers);
    }

    std::vector<int> sent{}, received{}, counts{}, displs{};
};

struct Mistake {
    std::string name;
    std::function<void(RingLists&)> make;
};

const std::vector<Mistake>& mistakes() {
    static const std::vector<Mistake> all{
        {"a target less", [](RingLists& lists) { lists.targets.clear(); }},
        {"a target more", [](RingLists& lists) { lists.targets.push_back(0); }},
        {"a source less", [](RingLists& lists) { lists.sources.clear(); }},
        {"a source more", [](RingLists& lists) { lists.sources.push_back(0); }},
        {"itself as a source", [](RingLists& lists) { lists.sources.push_back(world_rank()); }},
        {"itself as a target", [](RingLists& lists) { lists.targets.push_back(world_rank()); }},
        {"a number more", [](RingLists& lists) { ++lists.numbers; }},
    };
    return all;
}

void expect_right(MPI_Comm comm, int numbers, int round, const std::string& after) {
    RingLists right(numbers, round);
    const int code = right.call(comm);
    BOOST_TEST(code == MPI_SUCCESS, after << ": " << text_of(code));
    BOOST_TEST(right.is_right(), after);
}

Comm ready_for_errors() {
    auto comm = duplicate_of_world();
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int round = 0; round < 5; ++round) expect_right(comm, 3, round, "nothing");
    return comm;
}

}  // namespace

BOOST_AUTO_TEST_CASE(lists_that_do_not_match_are_refused_on_all_ranks) {
    for (const int numbers : {3, 20000})
        for (const auto& mistake : mistakes()) {
            note_step(mistake.name + ", " + std::to_string(numbers));
            const auto comm = ready_for_errors();
            RingLists wrong(numbers, 7);
            if (i_am_last()) mistake.make(wrong);
            const int code = wrong.call(comm);
            BOOST_TEST(code != MPI_SUCCESS, mistake.name);
            BOOST_TEST(text_of(code).find("rank") != std::string::npos, text_of(code));
        }
    expect_right(ready_for_errors(), 3, 8, "mistakes on others");
}

/// The communicator cannot be used for queries any more.
BOOST_AUTO_TEST_CASE(lists_that_do_not_match_are_refused_though_the_communicator_is_freed) {
    return_errors();
    for (int round = 0; round < 10; ++round) {
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        expect_right(comm, 3, round, "nothing");
        RingLists wrong(2, round);
        if (i_am_last()) ++wrong.numbers;
        MPI_Request request = MPI_REQUEST_NULL;
        BOOST_TEST(wrong.start(comm, &request) == MPI_SUCCESS);
        MPI_Comm_free(&comm);
        const int code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        BOOST_TEST(text_of(code).find("which expects") != std::string::npos, text_of(code));
    }
}

BOOST_AUTO_TEST_CASE(a_wrong_sparse_exchange_is_refused_though_the_communicator_is_freed) {
    return_errors();
    const int to = around(1), at = 0;
    for (int round = 0; round < 10; ++round) {
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        int count = 1;
        Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
        const auto begin = [&](MPI_Request* request) {
            return Carpool_Isparse_exchange(1, &to, &round, &count, &at, MPI_INT, comm, &delivery,
                                            request);
        };
        MPI_Request request = MPI_REQUEST_NULL;
        BOOST_TEST(begin(&request) == MPI_SUCCESS);
        BOOST_TEST(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        Carpool_Delivery_free(&delivery);
        if (i_am_last()) count = -1;
        BOOST_TEST(begin(&request) == MPI_SUCCESS);
        MPI_Comm_free(&comm);
        const int code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        BOOST_TEST(text_of(code).find("sendcounts[0] is -1") != std::string::npos, text_of(code));
    }
}

/// More calls than a barrier has slots.
BOOST_AUTO_TEST_CASE(many_calls_with_wrong_lists_may_be_outstanding) {
    auto rng = seeded();
    const auto comm = ready_for_errors();
    std::vector<RingLists> lists;
    for (int i = 0; i < 70; ++i) lists.emplace_back(1 + i % 5, i);
    std::vector<MPI_Request> requests(lists.size(), MPI_REQUEST_NULL);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < lists.size(); ++i) {
        BOOST_TEST(lists[i].start(comm, &requests[i]) == MPI_SUCCESS);
        order.push_back(i);
    }
    std::shuffle(order.begin(), order.end(), rng);
    for (const auto i : order) {
        BOOST_TEST(MPI_Wait(&requests[i], MPI_STATUS_IGNORE) == MPI_SUCCESS);
        BOOST_TEST(lists[i].is_right());
    }
}

BOOST_AUTO_TEST_SUITE_END()
