// SPDX-License-Identifier: MIT
// ranks: 1 2 3 5 8
// nightly-ranks: 13 29 40 63 64 65
// sanitize-ranks: 4
//
// Many-to-many exchanges along lists that callers pass, without a topology.

#include <boost/test/unit_test.hpp>

#include "current_step.hpp"
#include "listed_traffic.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "starts.hpp"
#include "world.hpp"

#include <carpool/sparse.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_sparse_alltoallv)

namespace {

using namespace carpool::tests;

const char* const algorithms[] = {"auto", "direct",    "digits",  "node",      "mesh",
                                  "grid", "hypercube", "friends", "cumulative"};

}  // namespace

BOOST_AUTO_TEST_CASE(traffic_of_every_shape_arrives_by_every_rule) {
    auto rng = seeded();
    for (const auto* algorithm : algorithms)
        for (const auto& name : traffic_names()) {
            const auto what = name + " by " + algorithm;
            note_step(what);
            const auto digits = std::to_string(1 + rng() % 4);
            const auto info = info_of({{"carpool_algorithm", algorithm},
                                       {"carpool_digits", digits.c_str()},
                                       {"carpool_alpha", rng() % 2 == 0 ? "1e-5" : "1e-7"}});
            ListedTraffic exchange(traffic_of(name, world_size(), rng), rng);
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            const int code = exchange.init(MPI_COMM_WORLD, info, &request);
            BOOST_TEST_REQUIRE(code == MPI_SUCCESS, what << ": " << text_of(code));
            check_starts(exchange, request, 3, what);
        }
}

BOOST_AUTO_TEST_CASE(nonpersistent_calls_may_be_outstanding_together) {
    auto rng = seeded();
    std::vector<ListedTraffic> exchanges;
    for (const auto& name : traffic_names())
        exchanges.emplace_back(traffic_of(name, world_size(), rng), rng);
    for (auto& exchange : exchanges) {
        exchange.prepare(0);
        BOOST_TEST(exchange.blocking(MPI_COMM_WORLD) == MPI_SUCCESS);
        BOOST_TEST(exchange.fault() == "");
    }
    std::vector<MPI_Request> requests(exchanges.size(), MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
        exchanges[i].prepare(1);
        BOOST_TEST(exchanges[i].nonblocking(MPI_COMM_WORLD, &requests[i]) == MPI_SUCCESS);
    }
    for (std::size_t i = exchanges.size(); i-- > 0;) {
        BOOST_TEST(MPI_Wait(&requests[i], MPI_STATUS_IGNORE) == MPI_SUCCESS);
        BOOST_TEST(exchanges[i].fault() == "");
    }
}

BOOST_AUTO_TEST_CASE(a_rank_listed_twice_gets_both_blocks_in_order) {
    const int self = world_rank();
    const int next = (self + 1) % world_size(), before = (self + world_size() - 1) % world_size();
    const int to[] = {next, MPI_PROC_NULL, next}, from[] = {before, before, MPI_PROC_NULL};
    const int counts[] = {1, 1, 1}, displs[] = {0, 1, 2};
    const int sent[] = {10 * self, -1, 10 * self + 1};
    for (const char* algorithm : {"direct", "digits", "auto"}) {
        int received[] = {-7, -7, -7};
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        BOOST_TEST_REQUIRE(
            Carpool_Sparse_alltoallv_init(3, to, sent, counts, displs, MPI_INT, 3, from, received,
                                          counts, displs, MPI_INT, MPI_COMM_WORLD,
                                          info_of({{"carpool_algorithm", algorithm}}),
                                          &request) == MPI_SUCCESS);
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
        BOOST_TEST(received[0] == 10 * before);
        BOOST_TEST(received[1] == 10 * before + 1);
        BOOST_TEST(received[2] == -7);
        Carpool_Request_free(&request);
    }
}

BOOST_AUTO_TEST_CASE(empty_lists_are_allowed) {
    const auto all_null = [](auto call) {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        BOOST_TEST(call(&request) == MPI_SUCCESS);
        Carpool_Start(&request);
        BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        Carpool_Request_free(&request);
    };
    const int* none = nullptr;
    all_null([&](Carpool_Request* request) {
        return Carpool_Sparse_alltoallv_init(0, none, nullptr, none, none, MPI_INT, 0, none,
                                             nullptr, none, none, MPI_INT, MPI_COMM_WORLD,
                                             MPI_INFO_NULL, request);
    });
}

BOOST_AUTO_TEST_CASE(mistakes_are_refused_on_all_ranks) {
    auto rng = seeded();
    const ListedTraffic right(traffic_of("complete", world_size(), rng), rng);
    const bool here = world_rank() == world_size() - 1;
    const auto refuse = [&](const char* what, const ExpectedError& expected_error, auto spoil) {
        ListedTraffic exchange = right;
        exchange.prepare(0);
        if (here) spoil(exchange);
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        expect_refusal(what, MPI_COMM_WORLD, expected_error,
                       [&] { return exchange.init(MPI_COMM_WORLD, MPI_INFO_NULL, &request); });
        BOOST_REQUIRE(all_poison(exchange.recv.memory));
    };
    const auto ranks = std::to_string(world_size());
    refuse("a destination out of range", {MPI_ERR_RANK, {"destinations[0]", ranks}},
           [](ListedTraffic& exchange) { exchange.send.peers[0] = world_size(); });
    refuse("a negative source", {MPI_ERR_RANK, {"sources[0]", "-9"}},
           [](ListedTraffic& exchange) { exchange.recv.peers[0] = -9; });
    refuse("a negative count", {MPI_ERR_COUNT, {"sendcounts[0]", "-1"}},
           [](ListedTraffic& exchange) { exchange.send.counts[0] = -1; });
    refuse("a receive that is too small", {MPI_ERR_ARG, {"bytes", "expects"}},
           [](ListedTraffic& exchange) { --exchange.recv.counts[0]; });
    refuse("a list that does not match", {MPI_ERR_ARG, {"among its"}}, [](ListedTraffic& exchange) {
        for (auto* list : {&exchange.send.peers, &exchange.send.counts, &exchange.send.displs})
            list->pop_back();
    });
}

/// The other ranks repeat an earlier call, with the exchange that was bound for it.
BOOST_AUTO_TEST_CASE(lists_changed_on_one_rank_alone_are_an_error_on_all_ranks) {
    auto rng = seeded();
    const auto comm = duplicate_of_world();
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    ListedTraffic right(traffic_of("complete", world_size(), rng), rng);
    ListedTraffic wrong = right;
    wrong.prepare(0);
    if (world_rank() == world_size() - 1)
        for (auto* list : {&wrong.send.peers, &wrong.send.counts, &wrong.send.displs})
            list->pop_back();
    for (int i = 0; i < 3; ++i) {
        right.prepare(i);
        BOOST_TEST_REQUIRE(right.blocking(comm) == MPI_SUCCESS);
        BOOST_TEST_REQUIRE(right.fault() == "");
    }
    const ExpectedError differing_lists{MPI_ERR_ARG, {"among its targets", "among its sources"}};
    BOOST_TEST(mismatch(differing_lists, wrong.blocking(comm)) == "");
}

namespace {

/// Calls along the same lists, whose blocks have other sizes in each call.
class CallsOfNewSizes {
public:
    template <class Rng>
    CallsOfNewSizes(const Traffic& traffic, Rng& rng) : lists_(traffic, rng), seed_(rng()) {}

    ListedTraffic call(int number) const {
        auto traffic = lists_;
        const auto sides = {&traffic.send, &traffic.recv};
        for (auto* side : sides) {
            std::vector<int> counts;
            for (const int peer : side->peers)
                counts.push_back(side == &traffic.send ? size(world_rank(), peer, number)
                                                       : size(peer, world_rank(), number));
            *side = ByteSide(side->peers, std::move(counts));
        }
        traffic.prepare(number);
        return traffic;
    }

private:
    /// The bytes of a block, the same at both ends; in some calls none.
    int size(int from, int to, int number) const {
        std::seed_seq drawn{static_cast<int>(seed_), from, to, number};
        std::mt19937 rng(drawn);
        constexpr unsigned most[] = {30, 300, 3000, 100000};
        const auto bytes = static_cast<int>(1 + rng() % most[rng() % 4]);
        return number % 4 == 0 && rng() % 3 == 0 ? 0 : bytes;
    }

    ListedTraffic lists_;
    std::mt19937::result_type seed_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(calls_of_new_sizes_go_along_the_lists_of_earlier_ones) {
    auto rng = seeded();
    for (const auto& name : traffic_names()) {
        const CallsOfNewSizes calls(traffic_of(name, world_size(), rng), rng);
        for (int number = 0; number < 20; number += 3) {
            note_step(name + ", call " + std::to_string(number));
            std::vector<ListedTraffic> some;
            for (int i = 0; i < 3; ++i) some.push_back(calls.call(number + i));
            MPI_Request requests[] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
            BOOST_TEST(some[0].nonblocking(MPI_COMM_WORLD, &requests[0]) == MPI_SUCCESS);
            BOOST_TEST(some[1].nonblocking(MPI_COMM_WORLD, &requests[1]) == MPI_SUCCESS);
            BOOST_TEST(some[2].blocking(MPI_COMM_WORLD) == MPI_SUCCESS);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
            for (const auto& one : some) BOOST_TEST(one.fault() == "");
        }
    }
}

/// Also if the call is not the first along its lists.
BOOST_AUTO_TEST_CASE(a_size_changed_on_one_rank_alone_is_an_error_on_all_ranks) {
    if (world_size() == 1) return;
    auto rng = seeded();
    const auto comm = duplicate_of_world();
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const CallsOfNewSizes calls(traffic_of("complete", world_size(), rng), rng);
    for (int number = 0; number < 3; ++number) {
        auto right = calls.call(number);
        BOOST_TEST_REQUIRE(right.blocking(comm) == MPI_SUCCESS);
        BOOST_TEST_REQUIRE(right.fault() == "");
    }
    auto wrong = calls.call(3);
    const bool from_itself = wrong.recv.peers[0] == world_rank();  // that it sees alone
    if (world_rank() == world_size() - 1) ++wrong.recv.counts[from_itself ? 1 : 0];
    const ExpectedError differing_sizes{MPI_ERR_ARG, {"bytes", "expects"}};
    BOOST_TEST(mismatch(differing_sizes, wrong.blocking(comm)) == "");
}

BOOST_AUTO_TEST_SUITE_END()
