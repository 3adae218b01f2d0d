// SPDX-License-Identifier: MIT
// ranks: 1 2 3 5 8
// nightly-ranks: 13 29 40 63 64 65
// sanitize-ranks: 4
//
// Many-to-many exchanges whose receivers do not know their sources: nothing is lost, duplicated or
// mixed up.

#include <boost/test/unit_test.hpp>

#include "current_step.hpp"
#include "environment.hpp"
#include "handles.hpp"
#include "parcels.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "traffic.hpp"
#include "world.hpp"

#include <carpool/sparse.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_sparse_exchange)

namespace {

using namespace carpool::tests;

Comm duplicate() {
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    return Comm(made);
}

int rounds() {
    const char* text = std::getenv("CARPOOL_TEST_ROUNDS");
    return text != nullptr ? std::atoi(text) : 100;
}

}  // namespace

/// @param way  the algorithm set in the environment
void check_way_taken(MPI_Comm comm, const std::string& way) {
    Carpool_Plan plan;
    BOOST_TEST(Carpool_Comm_get_plan(comm, "sparse_exchange", &plan) == MPI_SUCCESS);
    const std::string taken = plan.algorithm;
    BOOST_TEST(taken != "");
    BOOST_TEST((way == "auto" || taken.starts_with(way)), taken << ", asked for " << way);
}

BOOST_AUTO_TEST_CASE(traffic_of_every_shape_arrives_by_every_strategy) {
    auto rng = seeded();
    for (const char* way : {"direct", "digits", "star", "auto"})
        for (const int digits : {1, 2, 3}) {
            if (digits > 1 && *way != 'd') continue;
            const Environment exchange("CARPOOL_SPARSE_EXCHANGE", way);
            const Environment number("CARPOOL_DIGITS", std::to_string(digits));
            const auto comm = duplicate();
            int round = 0;
            for (const auto& name : traffic_names()) {
                const auto what = name + " by " + way + " " + std::to_string(digits);
                note_step(what);
                const Parcels parcels(traffic_of(name, world_size(), rng), round++, rng);
                Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
                const int code = parcels.exchange(comm, &delivery);
                BOOST_TEST_REQUIRE(code == MPI_SUCCESS, what << ": " << text_of(code));
                const auto fault = parcels.fault(delivery);
                BOOST_TEST(fault == "", what << ": " << fault);
                BOOST_TEST(Carpool_Delivery_free(&delivery) == MPI_SUCCESS);
                BOOST_TEST(delivery == CARPOOL_DELIVERY_NULL);
            }
            if (world_size() > 1) check_way_taken(comm, way);
        }
}

// Ranks start and test at random times; up to three exchanges of a rank are in progress.
BOOST_AUTO_TEST_CASE(no_message_is_lost_over_many_rounds_with_random_delays) {
    for (const char* way : {"direct", "digits", "star", "auto"}) {
        const Environment exchange("CARPOOL_SPARSE_EXCHANGE", way);
        auto rng = seeded();
        std::mt19937 own(static_cast<unsigned>(world_rank()));
        const auto comm = duplicate();
        struct Open {
            Parcels parcels;
            Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
            MPI_Request request = MPI_REQUEST_NULL;
        };
        std::vector<std::unique_ptr<Open>> open;
        int faults = 0;
        const auto close = [&] {
            const auto at = own() % open.size();
            auto& one = *open[at];
            faults += MPI_Wait(&one.request, MPI_STATUS_IGNORE) != MPI_SUCCESS;
            faults += one.parcels.fault(one.delivery) != "";
            Carpool_Delivery_free(&one.delivery);
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
        };
        for (int round = 0; round < rounds(); ++round) {
            note_step(std::string(way) + ", round " + std::to_string(round));
            const auto& name = traffic_names()[round % 50 == 0  ? 4
                                               : rng() % 8 == 4 ? 7
                                                                : rng() % 4];
            open.push_back(std::make_unique<Open>(
                Open{Parcels(traffic_of(name, world_size(), rng), round, rng)}));
            auto& one = *open.back();
            faults += one.parcels.begin(comm, &one.delivery, &one.request) != MPI_SUCCESS;
            if (own() % 20 == 0)
                std::this_thread::sleep_for(std::chrono::microseconds(own() % 500));
            while (open.size() > own() % 7) close();
        }
        while (!open.empty()) close();
        BOOST_TEST(faults == 0, way);
    }
}

BOOST_AUTO_TEST_CASE(derived_types_are_sent_packed_and_proc_null_gets_nothing) {
    MPI_Datatype made;
    MPI_Type_vector(2, 1, 2, MPI_INT, &made);
    const auto gaps = committed(made);
    const int next = (world_rank() + 1) % world_size();
    const int sent[] = {10 * world_rank(), -1, 10 * world_rank() + 1};
    const int to[] = {next, MPI_PROC_NULL}, counts[] = {1, 1}, displs[] = {0, 0};
    Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
    BOOST_TEST_REQUIRE(Carpool_Sparse_exchange(2, to, sent, counts, displs, gaps, MPI_COMM_WORLD,
                                               &delivery) == MPI_SUCCESS);
    int count = 0, source = -1;
    MPI_Count bytes = 0;
    const void* data = nullptr;
    Carpool_Delivery_count(delivery, &count);
    BOOST_TEST_REQUIRE(count == 1);
    Carpool_Delivery_get(delivery, 0, &source, &bytes, &data);
    BOOST_TEST((source + 1) % world_size() == world_rank());
    BOOST_TEST_REQUIRE(bytes == 8);
    BOOST_TEST(static_cast<const int*>(data)[0] == 10 * source);
    BOOST_TEST(static_cast<const int*>(data)[1] == 10 * source + 1);
    const auto outside = [&](int index) {
        return [&, index] { return Carpool_Delivery_get(delivery, index, &source, &bytes, &data); };
    };
    expect_refusal_here("index", MPI_COMM_SELF, {MPI_ERR_ARG, {"index", "1"}}, outside(1));
    expect_refusal_here("index", MPI_COMM_SELF, {MPI_ERR_ARG, {"index", "-1"}}, outside(-1));
    Carpool_Delivery_free(&delivery);
    expect_refusal_here("null", MPI_COMM_SELF, {MPI_ERR_ARG, {"CARPOOL_DELIVERY_NULL"}},
                        [&] { return Carpool_Delivery_free(&delivery); });
}

BOOST_AUTO_TEST_CASE(an_exchange_seen_once_becomes_a_persistent_request) {
    auto rng = seeded();
    for (const auto& name : traffic_names()) {
        note_step(name);
        const auto traffic = traffic_of(name, world_size(), rng);
        const Parcels first(traffic, 3, rng);
        Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
        BOOST_TEST_REQUIRE(first.exchange(MPI_COMM_WORLD, &delivery) == MPI_SUCCESS);
        std::vector<std::byte> sent(first.memory.size()), received, expected;
        for (int source = 0; source < traffic.ranks; ++source)
            for (int i = 0; i < traffic(source, world_rank()); ++i)
                expected.push_back(content(source, world_rank(), i, 6));
        received.assign(expected.size() + 1, std::byte{0x5a});
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        BOOST_TEST_REQUIRE(Carpool_Sparse_exchange_init(delivery, sent.data(), received.data(),
                                                        MPI_COMM_WORLD, MPI_INFO_NULL,
                                                        &request) == MPI_SUCCESS);
        Carpool_Delivery_free(&delivery);
        for (std::size_t k = 0; k < first.targets.size(); ++k)
            for (int i = 0; i < first.counts[k]; ++i)
                sent[static_cast<std::size_t>(first.displs[k] + i)] =
                    content(world_rank(), first.targets[k], i, 6);
        for (int start = 0; start < 2; ++start) {
            Carpool_Start(&request);
            BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
            BOOST_TEST(std::equal(expected.begin(), expected.end(), received.begin()), name);
            BOOST_TEST((received.back() == std::byte{0x5a}));
        }
        Carpool_Request_free(&request);
    }
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("a null delivery", MPI_COMM_WORLD, {MPI_ERR_ARG, {"CARPOOL_DELIVERY_NULL"}},
                   [&] {
                       return Carpool_Sparse_exchange_init(CARPOOL_DELIVERY_NULL, nullptr, nullptr,
                                                           MPI_COMM_WORLD, MPI_INFO_NULL, &request);
                   });
}

BOOST_AUTO_TEST_CASE(proc_null_gets_nothing_in_a_persistent_exchange) {
    const int next = (world_rank() + 1) % world_size();
    const int last = (world_rank() + world_size() - 1) % world_size();
    const int to[] = {MPI_PROC_NULL, next, MPI_PROC_NULL}, counts[] = {1, 1, 0};
    const int displs[] = {0, 1, 2}, own[] = {-1, world_rank(), -1};
    Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
    BOOST_TEST_REQUIRE(Carpool_Sparse_exchange(3, to, own, counts, displs, MPI_INT, MPI_COMM_WORLD,
                                               &delivery) == MPI_SUCCESS);
    int heard = -1;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    BOOST_TEST_REQUIRE(Carpool_Sparse_exchange_init(delivery, own, &heard, MPI_COMM_WORLD,
                                                    MPI_INFO_NULL, &request) == MPI_SUCCESS);
    Carpool_Delivery_free(&delivery);
    Carpool_Start(&request);
    BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    BOOST_TEST(heard == last);
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(mistakes_are_refused_on_all_ranks_and_the_next_exchange_is_right) {
    for (const char* way : {"direct", "digits", "star"}) {
        const Environment exchange("CARPOOL_SPARSE_EXCHANGE", way);
        auto rng = seeded();
        const auto comm = duplicate();
        const Parcels right(traffic_of("complete with large ones", world_size(), rng, 1 << 20), 1,
                            rng);
        const auto refuse = [&](const char* what, const ExpectedError& expected_error, auto spoil) {
            auto wrong = right;
            if (world_rank() == world_size() / 2) spoil(wrong);
            Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
            expect_refusal(what, comm, expected_error,
                           [&] { return wrong.exchange(comm, &delivery); });
            BOOST_TEST(delivery == CARPOOL_DELIVERY_NULL);
            BOOST_TEST_REQUIRE(right.exchange(comm, &delivery) == MPI_SUCCESS);
            BOOST_TEST(right.fault(delivery) == "");
            Carpool_Delivery_free(&delivery);
        };
        const auto rank = "rank " + std::to_string(world_size() / 2);
        refuse("a destination out of range", {MPI_ERR_RANK, {rank, "destinations[0]"}},
               [](Parcels& p) { p.targets[0] = world_size(); });
        refuse("a negative count", {MPI_ERR_COUNT, {rank, "sendcounts[0]", "-1"}},
               [](Parcels& p) { p.counts[0] = -1; });
    }
}

BOOST_AUTO_TEST_CASE(an_invalid_environment_is_refused_in_every_exchange) {
    const auto comm = duplicate();
    const int none = 0;
    Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
    const auto call = [&] {
        return Carpool_Sparse_exchange(0, &none, nullptr, &none, &none, MPI_INT, comm, &delivery);
    };
    const ExpectedError expected_error{MPI_ERR_INFO_VALUE,
                                       {"carpool_sparse_exchange", "roundabout"}};
    {
        const Environment exchange("CARPOOL_SPARSE_EXCHANGE", "roundabout");
        expect_refusal("first", comm, expected_error, call);
    }
    expect_refusal("later", comm, expected_error, call);
}

// Freeing the communicator must not wait for ranks that are already in the next call of MPI.
BOOST_AUTO_TEST_CASE(the_communicator_may_be_freed_while_an_exchange_is_open) {
    const int to = (world_rank() + 1) % world_size(), one = 1, zero = 0, mine = world_rank();
    const int from = (world_rank() + world_size() - 1) % world_size();
    for (const char* way : {"direct", "digits", "star", "auto"})
        for (int round = 0; round < 10; ++round) {
            note_step(std::string(way) + ", round " + std::to_string(round));
            const Environment exchange("CARPOOL_SPARSE_EXCHANGE", way);
            MPI_Comm comm = MPI_COMM_NULL, next = MPI_COMM_NULL;
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
            Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
            MPI_Request request = MPI_REQUEST_NULL;
            Carpool_Isparse_exchange(1, &to, &mine, &one, &zero, MPI_INT, comm, &delivery,
                                     &request);
            MPI_Comm_free(&comm);
            MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &next);
            BOOST_TEST(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
            int source = -1;
            MPI_Count bytes = -1;
            const void* data = nullptr;
            Carpool_Delivery_get(delivery, 0, &source, &bytes, &data);
            BOOST_TEST(source == from);
            BOOST_TEST((bytes == sizeof from && *static_cast<const int*>(data) == from));
            Carpool_Delivery_free(&delivery);
            MPI_Comm_free(&next);
        }
}

/// So many calls that there is no free ring entry for the messages of an exchange.
BOOST_AUTO_TEST_CASE(exchanges_complete_among_many_other_calls) {
    const int mine = world_rank(), one = 1, zero = 0;
    const int to = (mine + 1) % world_size(), from = (mine + world_size() - 1) % world_size();
    for (const char* way : {"star", "digits", "direct"}) {
        note_step(way);
        const Environment strategy("CARPOOL_SPARSE_EXCHANGE", way);
        const auto comm = duplicate_of_world();
        for (int round = 0; round < 3; ++round) {
            constexpr std::size_t calls = 40;
            std::vector<MPI_Request> requests(calls, MPI_REQUEST_NULL);
            std::vector<Carpool_Delivery> deliveries(calls, CARPOOL_DELIVERY_NULL);
            std::vector<int> heard(calls, -1);
            for (std::size_t i = 0; i < calls; ++i)
                if (i % 10 == 9)
                    Carpool_Isparse_exchange(1, &to, &mine, &one, &zero, MPI_INT, comm,
                                             &deliveries[i], &requests[i]);
                else
                    Carpool_Isparse_alltoallv(1, &to, &mine, &one, &zero, MPI_INT, 1, &from,
                                              &heard[i], &one, &zero, MPI_INT, comm, &requests[i]);
            for (std::size_t i = 0; i < calls; ++i) {
                BOOST_TEST(MPI_Wait(&requests[i], MPI_STATUS_IGNORE) == MPI_SUCCESS);
                if (deliveries[i] == CARPOOL_DELIVERY_NULL)
                    BOOST_TEST(heard[i] == from);
                else
                    Carpool_Delivery_free(&deliveries[i]);
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
