// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4 7 8
// sanitize-ranks: 3 4
//
// Several requests started as one: each delivers what it would alone, blocks share messages, and
// requests that cannot be bundled are refused on all ranks.

#include <boost/test/unit_test.hpp>

#include "bundleable_requests.hpp"
#include "checked_request.hpp"
#include "refusal.hpp"
#include "seed.hpp"

#include <algorithm>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_bundle)

using namespace carpool::tests;

namespace {

void free_all(std::vector<CheckedRequest>& requests) {
    for (auto& one : requests) BOOST_TEST(Carpool_Request_free(&one.request) == MPI_SUCCESS);
}

Comm duplicate_of(MPI_Comm comm) {
    MPI_Comm duplicate = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &duplicate);
    return Comm(duplicate);
}

Comm world_backwards() {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &comm);
    return Comm(comm);
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_bundles_give_what_their_requests_give_alone) {
    auto rng = seeded();
    for (int n = 0; n < 25; ++n) {
        BundleableRequests bundleable(rng);
        auto requests = bundleable.several(6);
        auto together = bundle(requests, bundleable.comm(), any_info(rng, true));
        BOOST_REQUIRE(together.request != CARPOOL_REQUEST_NULL);
        const bool freed_before = rng() % 2 == 0;
        if (freed_before) free_all(requests);
        for (int start = 0; start < 3; ++start) BOOST_TEST(started_once(together, start) == "");
        if (!freed_before) free_all(requests);
        Carpool_Request_free(&together.request);
    }
}

BOOST_AUTO_TEST_CASE(bundles_may_be_nested_and_their_members_started_alone) {
    auto rng = seeded();
    for (int n = 0; n < 8; ++n) {
        BundleableRequests bundleable(rng);
        auto first = bundleable.several(3);
        auto requests = bundleable.several(2);
        requests.push_back(bundle(first, bundleable.comm(), any_info(rng, true)));
        auto together = bundle(requests, bundleable.comm(), any_info(rng, true));
        for (int start = 0; start < 2; ++start) {
            BOOST_TEST(started_once(together, start) == "");
            for (auto& one : requests) BOOST_TEST(started_once(one, start + 5) == "");
        }
        free_all(requests);
        free_all(first);
        Carpool_Request_free(&together.request);
    }
}

BOOST_AUTO_TEST_CASE(a_bundle_of_six_exchanges_sends_as_many_messages_as_one) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    const auto info = info_of({{"carpool_algorithm", "cartesian"}});
    std::vector<CheckedRequest> fields;
    for (int i = 0; i < 6; ++i)
        fields.push_back(
            checked_request(grid.exchange(Operation::alltoall), grid.cart, Form::persistent, info));
    auto together = bundle(fields, grid.cart, MPI_INFO_NULL);
    const auto one = plan_of(fields[0].request);
    const auto all = plan_of(together.request);
    BOOST_TEST(all.algorithm == std::string("bundle"));
    BOOST_TEST(all.messages == one.messages);
    BOOST_TEST(all.bytes == 6 * one.bytes);
    BOOST_TEST(all.volume == 6 * one.volume);
    BOOST_TEST(all.phases == one.phases);
    BOOST_TEST(started_once(together, 1) == "");
    free_all(fields);
    Carpool_Request_free(&together.request);
}

BOOST_AUTO_TEST_CASE(long_messages_are_not_combined) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    std::vector<CheckedRequest> fields;
    for (int i = 0; i < 3; ++i)
        fields.push_back(checked_request(grid.exchange(Operation::alltoall), grid.cart,
                                         Form::persistent, MPI_INFO_NULL));
    auto rendezvous =
        bundle(fields, grid.cart, info_of({{"carpool_alpha", "1e-9"}, {"carpool_beta", "1"}}));
    BOOST_TEST(plan_of(rendezvous.request).messages == 3 * plan_of(fields[0].request).messages);
    BOOST_TEST(started_once(rendezvous, 1) == "");
    free_all(fields);
    Carpool_Request_free(&rendezvous.request);
}

BOOST_AUTO_TEST_CASE(the_start_of_a_bundle_may_be_completed_as_an_mpi_request) {
    auto rng = seeded();
    BundleableRequests bundleable(rng);
    auto requests = bundleable.several(4);
    auto together = bundle(requests, bundleable.comm(), MPI_INFO_NULL);
    together.prepare(1);
    MPI_Request request = MPI_REQUEST_NULL;
    BOOST_TEST(Carpool_Start(&together.request) == MPI_SUCCESS);
    BOOST_TEST(Carpool_Request_get_mpi(together.request, &request) == MPI_SUCCESS);
    BOOST_TEST(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    BOOST_TEST(together.fault() == "");
    free_all(requests);
    Carpool_Request_free(&together.request);
}

BOOST_AUTO_TEST_CASE(requests_that_cannot_be_bundled_are_refused_on_all_ranks) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    const GridNeighborhood other(torus_of(1), von_neumann(1, 1));
    const auto backwards = world_backwards();
    const bool odd_one = world_rank() == world_size() - 1;
    std::vector<CheckedRequest> good{checked_request(grid.exchange(Operation::alltoall), grid.cart,
                                                     Form::persistent, MPI_INFO_NULL),
                                     checked_request(other.exchange(Operation::allgather),
                                                     other.cart, Form::persistent, MPI_INFO_NULL)};
    auto of_others = full_sum(backwards, MPI_INFO_NULL, true);
    Carpool_Request none = CARPOOL_REQUEST_NULL;
    Carpool_Request both[] = {good[0].request, good[1].request};
    const auto refused = [&](const char* what, const ExpectedError& expected_error, int n,
                             Carpool_Request* requests) {
        Carpool_Request result = CARPOOL_REQUEST_NULL;
        expect_refusal(what, grid.cart, expected_error, [&] {
            return Carpool_Bundle_init(n, requests, grid.cart, MPI_INFO_NULL, &result);
        });
        BOOST_TEST(result == CARPOOL_REQUEST_NULL, what);
    };
    refused("negative n", {MPI_ERR_COUNT, {"Carpool_Bundle_init", "n is -1"}}, odd_one ? -1 : 2,
            both);
    refused("no array", {MPI_ERR_ARG, {"requests is a null pointer", "2 requests"}}, 2,
            odd_one ? nullptr : both);
    Carpool_Request with_null[] = {both[0], odd_one ? none : both[1]};
    refused("a null request", {MPI_ERR_REQUEST, {"requests[1] is CARPOOL_REQUEST_NULL"}}, 2,
            with_null);
    if (world_size() > 1) {
        refused("one less", {MPI_ERR_ARG, {"n is", "rank"}}, odd_one ? 1 : 2, both);
        Carpool_Request turned[] = {both[odd_one ? 1 : 0], both[odd_one ? 0 : 1]};
        refused("another order", {MPI_ERR_ARG, {"requests[0]", "rank"}}, 2, turned);
        Carpool_Request elsewhere[] = {of_others.request};
        refused("other ranks", {MPI_ERR_REQUEST, {"requests[0]", "other ranks"}}, 1, elsewhere);
    }
    expect_refusal("no place", grid.cart, {MPI_ERR_REQUEST, {"bundle is a null pointer"}},
                   [&] { return Carpool_Bundle_init(2, both, grid.cart, MPI_INFO_NULL, nullptr); });
    good[0].prepare(1);
    BOOST_TEST(Carpool_Start(&both[0]) == MPI_SUCCESS);
    refused("an active one", {MPI_ERR_REQUEST, {"requests[0] is active"}}, 2, both);
    BOOST_TEST(Carpool_Wait(&both[0], MPI_STATUS_IGNORE) == MPI_SUCCESS);
    BOOST_TEST(good[0].fault() == "");
    free_all(good);
    Carpool_Request_free(&of_others.request);
}

BOOST_AUTO_TEST_CASE(another_function_on_one_rank_is_an_error_on_all_ranks) {
    if (world_size() == 1) return;
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    int sent = 0, received = 0;
    Carpool_Request result = CARPOOL_REQUEST_NULL;
    for (const bool barrier : {true, false})
        expect_refusal(
            "an init of something else", grid.cart,
            {MPI_ERR_ARG,
             {"collective operation", "a bundle", barrier ? "is barrier" : "is allreduce"}},
            [&] {
                if (world_rank() > 0)
                    return Carpool_Bundle_init(0, nullptr, grid.cart, MPI_INFO_NULL, &result);
                return barrier ? Carpool_Barrier_init(grid.cart, MPI_INFO_NULL, &result)
                               : Carpool_Allreduce_init(&sent, &received, 1, MPI_INT, MPI_SUM,
                                                        grid.cart, MPI_INFO_NULL, &result);
            });
}

BOOST_AUTO_TEST_CASE(equal_requests_on_two_duplicates_in_different_orders_are_refused) {
    if (world_size() == 1) return;
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    const auto one = duplicate_of(grid.cart), other = duplicate_of(grid.cart);
    std::vector<CheckedRequest> like{
        checked_request(grid.exchange(Operation::alltoall), one, Form::persistent, MPI_INFO_NULL),
        checked_request(grid.exchange(Operation::alltoall), other, Form::background,
                        MPI_INFO_NULL)};
    const bool turned = world_rank() == world_size() - 1;
    Carpool_Request both[] = {like[turned ? 1 : 0].request, like[turned ? 0 : 1].request};
    Carpool_Request result = CARPOOL_REQUEST_NULL;
    expect_refusal("turned", grid.cart, {MPI_ERR_ARG, {"requests[0]", "number", "rank"}},
                   [&] { return Carpool_Bundle_init(2, both, grid.cart, MPI_INFO_NULL, &result); });
    auto together = bundle(like, grid.cart, MPI_INFO_NULL);
    BOOST_TEST(started_once(together, 1) == "");
    free_all(like);
    Carpool_Request_free(&together.request);
}

BOOST_AUTO_TEST_CASE(a_bundle_of_a_request_whose_init_failed_is_refused) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    int sent[2] = {}, received[2] = {};
    const int count = world_rank() == 0 ? -1 : 1;
    Carpool_Request refused = CARPOOL_REQUEST_NULL;
    BOOST_TEST_REQUIRE(Carpool_Ineighbor_alltoall_init(sent, count, MPI_INT, received, count,
                                                       MPI_INT, grid.cart, MPI_INFO_NULL,
                                                       &refused) == MPI_SUCCESS);
    Carpool_Request result = CARPOOL_REQUEST_NULL;
    expect_refusal(
        "bundle", grid.cart, {MPI_ERR_COUNT, {"Carpool_Bundle_init", "count", "-1"}},
        [&] { return Carpool_Bundle_init(1, &refused, grid.cart, MPI_INFO_NULL, &result); });
    BOOST_TEST((result == CARPOOL_REQUEST_NULL));
    BOOST_TEST(Carpool_Request_free(&refused) == MPI_SUCCESS);
}

BOOST_AUTO_TEST_CASE(a_request_active_as_an_mpi_request_is_bundled_only_after_its_completion) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    std::vector<CheckedRequest> one{checked_request(grid.exchange(Operation::alltoall), grid.cart,
                                                    Form::persistent, MPI_INFO_NULL)};
    one[0].prepare(1);
    MPI_Request lent = MPI_REQUEST_NULL;
    BOOST_TEST(Carpool_Start(&one[0].request) == MPI_SUCCESS);
    BOOST_TEST(Carpool_Request_get_mpi(one[0].request, &lent) == MPI_SUCCESS);
    Carpool_Request result = CARPOOL_REQUEST_NULL;
    expect_refusal("lent", grid.cart, {MPI_ERR_REQUEST, {"requests[0] is active"}}, [&] {
        return Carpool_Bundle_init(1, &one[0].request, grid.cart, MPI_INFO_NULL, &result);
    });
    BOOST_TEST(MPI_Wait(&lent, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    BOOST_TEST(one[0].fault() == "");
    auto together = bundle(one, grid.cart, MPI_INFO_NULL);
    BOOST_TEST(started_once(together, 2) == "");
    free_all(one);
    Carpool_Request_free(&together.request);
}

BOOST_AUTO_TEST_CASE(a_persistent_sparse_exchange_may_be_bundled) {
    const auto comm = duplicate_of_world();
    const int next = (world_rank() + 1) % world_size();
    const int one = 1, zero = 0, word = world_rank();
    Carpool_Delivery delivery = nullptr;
    BOOST_REQUIRE(Carpool_Sparse_exchange(1, &next, &word, &one, &zero, MPI_INT, comm, &delivery) ==
                  MPI_SUCCESS);
    int answer = 0;
    Carpool_Request again = CARPOOL_REQUEST_NULL;
    BOOST_REQUIRE(Carpool_Sparse_exchange_init(delivery, &word, &answer, comm, MPI_INFO_NULL,
                                               &again) == MPI_SUCCESS);
    Carpool_Request bundle = CARPOOL_REQUEST_NULL;
    const int code = Carpool_Bundle_init(1, &again, comm, MPI_INFO_NULL, &bundle);
    BOOST_TEST(code == MPI_SUCCESS);
    BOOST_TEST(Carpool_Start(&bundle) == MPI_SUCCESS);
    BOOST_TEST(Carpool_Wait(&bundle, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    BOOST_TEST(answer == (world_rank() + world_size() - 1) % world_size());
    Carpool_Request_free(&bundle);
    Carpool_Request_free(&again);
    Carpool_Delivery_free(&delivery);
}

BOOST_AUTO_TEST_SUITE_END()
