// SPDX-License-Identifier: MIT
// ranks: 1 2
//
// Invalid handles cause an error of the function that takes them, and nothing else.

#include <boost/test/unit_test.hpp>

#include "refusal.hpp"
#include "world.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_errors_handles)

namespace {

using namespace carpool::tests;

/// Values that a program may pass by mistake for a handle of C.
template <typename Handle>
std::vector<std::pair<std::string, Handle>> strangers() {
    static double memory[64] = {};
    static MPI_Request request = MPI_REQUEST_NULL;
    Handle of_mpi{};
    std::memcpy(&of_mpi, &request, sizeof request);
    std::vector<std::pair<std::string, Handle>> all{
        {"an address", reinterpret_cast<Handle>(memory)},
        {"an address between words", reinterpret_cast<Handle>(reinterpret_cast<char*>(memory) + 3)},
        {"that of an MPI_Request", reinterpret_cast<Handle>(&request)}};
    if (of_mpi != Handle{}) all.emplace_back("an MPI_Request", of_mpi);
    for (const std::uintptr_t number : {0x1UL, 0x400UL, 0x1234567UL, ~0UL, 0xca80'ffffff'000000UL,
                                        0xca81'ffffff'000000UL, 0xca80'000000'ffffffUL})
        all.emplace_back("the number " + std::to_string(number), reinterpret_cast<Handle>(number));
    return all;
}

Carpool_Request barrier() {
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    BOOST_TEST_REQUIRE(Carpool_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request) ==
                       MPI_SUCCESS);
    return request;
}

/// A delivery of one number that each rank has sent to itself.
Carpool_Delivery delivery_of(int number) {
    const int me = world_rank(), one = 1, zero = 0;
    Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
    BOOST_TEST_REQUIRE(Carpool_Sparse_exchange(1, &me, &number, &one, &zero, MPI_INT,
                                               MPI_COMM_WORLD, &delivery) == MPI_SUCCESS);
    return delivery;
}

std::vector<std::pair<std::string, Carpool_Request>> no_requests() {
    auto all = strangers<Carpool_Request>();
    auto request = barrier();
    all.emplace_back("a copy of one that has been freed", request);
    Carpool_Request_free(&request);
    auto delivery = delivery_of(0);
    all.emplace_back("a delivery", reinterpret_cast<Carpool_Request>(delivery));
    Carpool_Delivery_free(&delivery);
    return all;
}

std::vector<std::pair<std::string, Carpool_Delivery>> no_deliveries() {
    auto all = strangers<Carpool_Delivery>();
    auto delivery = delivery_of(0);
    all.emplace_back("a copy of one that has been freed", delivery);
    Carpool_Delivery_free(&delivery);
    auto request = barrier();
    all.emplace_back("a request", reinterpret_cast<Carpool_Delivery>(request));
    Carpool_Request_free(&request);
    return all;
}

/// The expected error: the function's name at its beginning, and its text.
ExpectedError about(const std::string& function, const std::string& name = "request") {
    return {MPI_ERR_REQUEST,
            {"Carpool_" + function + ": " + name +
             " is no Carpool_Request, or has been freed, expected a persistent request"}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(functions_of_one_request_refuse_an_invalid_handle) {
    for (auto [what, request] : no_requests()) {
        const auto before = request;
        const auto refused = [&, &what = what](const std::string& function,
                                               const std::function<int()>& call) {
            expect_refusal_here(function + " of " + what, MPI_COMM_SELF, about(function), call);
            BOOST_TEST((request == before));
        };
        int flag = 0;
        Carpool_Plan plan{};
        MPI_Request mpi_request = MPI_REQUEST_NULL;
        refused("Start", [&] { return Carpool_Start(&request); });
        refused("Wait", [&] { return Carpool_Wait(&request, MPI_STATUS_IGNORE); });
        refused("Test", [&] { return Carpool_Test(&request, &flag, MPI_STATUS_IGNORE); });
        BOOST_TEST(flag == 1);
        refused("Request_get_mpi", [&] { return Carpool_Request_get_mpi(request, &mpi_request); });
        refused("Request_get_plan", [&] { return Carpool_Request_get_plan(request, &plan); });
        refused("Request_free", [&] { return Carpool_Request_free(&request); });
    }
}

BOOST_AUTO_TEST_CASE(startall_refuses_an_invalid_handle_and_starts_none) {
    auto good = barrier();
    for (const auto& [what, request] : no_requests())
        for (const int at : {0, 1}) {
            Carpool_Request both[2] = {good, good};
            both[at] = request;
            expect_refusal_here("Startall of " + what, at == 0 ? MPI_COMM_SELF : MPI_COMM_WORLD,
                                about("Startall", "requests[" + std::to_string(at) + "]"),
                                [&] { return Carpool_Startall(2, both); });
        }
    BOOST_TEST(Carpool_Request_free(&good) == MPI_SUCCESS);  // still inactive
}

BOOST_AUTO_TEST_CASE(startall_refuses_the_second_start_of_a_request) {
    auto request = barrier();
    Carpool_Request twice[2] = {request, request};
    const CountingHandler handler(MPI_COMM_WORLD);
    const int code = Carpool_Startall(2, twice);
    BOOST_TEST(mismatch({MPI_ERR_REQUEST, {"Carpool_Startall: requests[1] is active"}}, code) ==
               "");
    BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(waitall_completes_all_but_invalid_handles) {
    for (const auto& [what, request] : no_requests()) {
        const CountingHandler handler(MPI_COMM_SELF);
        Carpool_Request three[3] = {barrier(), request, barrier()};
        Carpool_Start(&three[0]);
        Carpool_Start(&three[2]);
        MPI_Status statuses[3];
        BOOST_TEST(class_of(Carpool_Waitall(3, three, statuses)) == MPI_ERR_IN_STATUS);
        BOOST_TEST(statuses[0].MPI_ERROR == MPI_SUCCESS);
        BOOST_TEST(mismatch(about("Waitall", "requests[1]"), statuses[1].MPI_ERROR) == "", what);
        BOOST_TEST(statuses[2].MPI_ERROR == MPI_SUCCESS);
        BOOST_TEST(CountingHandler::calls == 1);
        BOOST_TEST(Carpool_Request_free(&three[0]) == MPI_SUCCESS);
        BOOST_TEST(Carpool_Request_free(&three[2]) == MPI_SUCCESS);
    }
}

BOOST_AUTO_TEST_CASE(waitany_and_testany_report_an_invalid_handle) {
    for (const auto& [what, request] : no_requests()) {
        const CountingHandler handler(MPI_COMM_SELF);
        Carpool_Request two[2] = {CARPOOL_REQUEST_NULL, request};
        int index = -1, flag = 0, number = 0, indices[2];
        MPI_Status statuses[2];
        const auto expected_error = [](const std::string& function) {
            return about(function, "requests[1]");
        };
        BOOST_TEST(mismatch(expected_error("Waitany"),
                            Carpool_Waitany(2, two, &index, MPI_STATUS_IGNORE)) == "",
                   what);
        BOOST_TEST(index == 1);
        index = -1;
        BOOST_TEST(mismatch(expected_error("Testany"),
                            Carpool_Testany(2, two, &index, &flag, MPI_STATUS_IGNORE)) == "");
        BOOST_TEST((index == 1 && flag == 1));
        BOOST_TEST(mismatch(expected_error("Testall"),
                            Carpool_Testall(2, two, &flag, MPI_STATUSES_IGNORE)) == "");
        BOOST_TEST(class_of(Carpool_Waitsome(2, two, &number, indices, statuses)) ==
                   MPI_ERR_IN_STATUS);
        BOOST_TEST((number == 1 && indices[0] == 1));
        BOOST_TEST(mismatch(expected_error("Waitsome"), statuses[0].MPI_ERROR) == "");
        BOOST_TEST(class_of(Carpool_Testsome(2, two, &number, indices, statuses)) ==
                   MPI_ERR_IN_STATUS);
        BOOST_TEST(mismatch(expected_error("Testsome"), statuses[0].MPI_ERROR) == "");
    }
}

BOOST_AUTO_TEST_CASE(a_bundle_of_an_invalid_handle_is_an_error_on_all_ranks) {
    auto good = barrier();
    for (const auto& [what, request] : no_requests()) {
        Carpool_Request two[2] = {good, world_rank() == 0 ? request : good};
        Carpool_Request bundle = CARPOOL_REQUEST_NULL;
        expect_refusal(
            "bundle of " + what, MPI_COMM_WORLD,
            {MPI_ERR_REQUEST,
             {"Carpool_Bundle_init: rank 0: requests[1] is no Carpool_Request, or has "
              "been freed, expected a persistent request"}},
            [&] { return Carpool_Bundle_init(2, two, MPI_COMM_WORLD, MPI_INFO_NULL, &bundle); });
    }
    Carpool_Request_free(&good);
}

BOOST_AUTO_TEST_CASE(functions_of_a_delivery_refuse_an_invalid_handle) {
    const ExpectedError expected_error{
        MPI_ERR_ARG,
        {"delivery is no Carpool_Delivery, or has been freed, expected a "
         "delivery that a sparse exchange has returned"}};
    for (auto [what, delivery] : no_deliveries()) {
        int number = 0;
        MPI_Count bytes = 0;
        const void* memory = nullptr;
        const auto refused = [&, &what = what](const std::string& function,
                                               const std::function<int()>& call) {
            expect_refusal_here(function + " of " + what, MPI_COMM_SELF, expected_error, call);
        };
        refused("count",
                [&, &delivery = delivery] { return Carpool_Delivery_count(delivery, &number); });
        refused("get", [&, &delivery = delivery] {
            return Carpool_Delivery_get(delivery, 0, &number, &bytes, &memory);
        });
        refused("free", [&, &delivery = delivery] { return Carpool_Delivery_free(&delivery); });
    }
}

BOOST_AUTO_TEST_CASE(an_invalid_delivery_in_an_init_is_an_error_on_all_ranks) {
    const int word = 1;
    int answer = 0;
    auto good = delivery_of(word);
    for (const auto& [what, delivery] : no_deliveries()) {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        expect_refusal("repeated " + what, MPI_COMM_WORLD,
                       {MPI_ERR_ARG, {"rank 0: delivery is no Carpool_Delivery"}}, [&] {
                           return Carpool_Sparse_exchange_init(world_rank() == 0 ? delivery : good,
                                                               &word, &answer, MPI_COMM_WORLD,
                                                               MPI_INFO_NULL, &request);
                       });
    }
    Carpool_Delivery_free(&good);
}

BOOST_AUTO_TEST_CASE(a_copied_handle_is_invalid_once_its_request_is_freed) {
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    auto request = barrier();
    auto copy = request;
    BOOST_TEST(Carpool_Start(&copy) == MPI_SUCCESS);
    BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    Carpool_Request_free(&request);
    for (int i = 0; i < 200; ++i) {
        auto next = barrier();
        BOOST_TEST(class_of(Carpool_Start(&copy)) == MPI_ERR_REQUEST);
        Carpool_Request_free(&next);
    }
}

BOOST_AUTO_TEST_SUITE_END()
