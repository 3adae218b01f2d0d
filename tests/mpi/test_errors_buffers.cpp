// SPDX-License-Identifier: MIT
// ranks: 1 2 4
// sanitize-ranks: 2
//
// Buffers and handles that would lead to wrong results or a crash are refused.

#include <boost/test/unit_test.hpp>

#include "error_cases.hpp"
#include "grid_neighborhood.hpp"
#include "refusal.hpp"
#include "world.hpp"

#include <carpool/halo.h>
#include <carpool/sparse.h>

#include <array>
#include <functional>

BOOST_AUTO_TEST_SUITE(test_errors_buffers)

namespace {

using namespace carpool::tests;

}  // namespace

const ExpectedError shares{MPI_ERR_BUFFER, {"sendbuf", "recvbuf", "share memory"}};

BOOST_AUTO_TEST_CASE(overlapping_send_and_receive_buffers_are_refused) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    std::vector<int> s(static_cast<std::size_t>(2 * world_size() + 2));
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto comm = MPI_COMM_WORLD;
    const auto none = MPI_INFO_NULL;
    const auto last = s.data() + 1;
    expect_refusal("same buffer", comm, shares,
                   [&] { return allreduce_init(s.data(), s.data(), 2, MPI_SUM, none, &request); });
    expect_refusal("one int of two", comm, shares,
                   [&] { return allreduce_init(s.data(), last, 2, MPI_SUM, none, &request); });
    expect_refusal("allgather", comm, shares, [&] {
        return Carpool_Allgather_init(s.data() + world_rank(), 1, MPI_INT, s.data(), 1, MPI_INT,
                                      comm, none, &request);
    });
    expect_refusal("blocking alltoall", comm, shares, [&] {
        return Carpool_Alltoall(s.data(), 1, MPI_INT, s.data(), 1, MPI_INT, comm);
    });
    expect_refusal("neighbors", grid.cart, shares, [&] {
        return Carpool_Neighbor_alltoall_init(s.data(), 1, MPI_INT, last, 1, MPI_INT, grid.cart,
                                              none, &request);
    });
    expect_refusal("blocking neighbors", grid.cart, shares, [&] {
        return Carpool_Neighbor_alltoall(s.data(), 1, MPI_INT, s.data(), 1, MPI_INT, grid.cart);
    });
}

/// Every second column, and the columns between them.
BOOST_AUTO_TEST_CASE(interleaved_parts_of_one_array_are_legal) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    MPI_Datatype vector;
    MPI_Type_vector(4, 1, 4, MPI_INT, &vector);
    const auto column = committed(vector);
    std::array<int, 16> array{};
    for (std::size_t i = 0; i < array.size(); ++i) array[i] = static_cast<int>(i % 4);
    const std::array<int, 2> counts{1, 1};
    const std::array<MPI_Aint, 2> from{0, 2 * sizeof(int)}, to{sizeof(int), 3 * sizeof(int)};
    const std::array<MPI_Datatype, 2> types{column, column};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto init = [&](const std::array<MPI_Aint, 2>& received) {
        return Carpool_Neighbor_alltoallw_init(
            array.data(), counts.data(), from.data(), types.data(), array.data(), counts.data(),
            received.data(), types.data(), grid.cart, MPI_INFO_NULL, &request);
    };
    expect_refusal("a column of both", grid.cart, shares, [&] { return init(from); });
    BOOST_TEST(init(to) == MPI_SUCCESS);
    Carpool_Start(&request);
    Carpool_Wait(&request, MPI_STATUS_IGNORE);
    Carpool_Request_free(&request);
    for (std::size_t i = 0; i < array.size(); ++i)
        BOOST_TEST(array[i] == static_cast<int>(i % 4 / 2 * 2));
}

BOOST_AUTO_TEST_CASE(null_buffers_with_bytes_are_refused) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    std::array<int, 2> here{};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto init = [&](const void* send, void* recv, int count, MPI_Datatype type) {
        return Carpool_Neighbor_alltoall_init(send, count, type, recv, count, type, grid.cart,
                                              MPI_INFO_NULL, &request);
    };
    const ExpectedError sent{MPI_ERR_BUFFER, {"sendbuf is a null pointer", "expected a buffer"}};
    const ExpectedError received{MPI_ERR_BUFFER, {"recvbuf is a null pointer"}};
    expect_refusal("send", grid.cart, sent, [&] { return init(nullptr, here.data(), 1, MPI_INT); });
    expect_refusal("receive", grid.cart, received,
                   [&] { return init(here.data(), nullptr, 1, MPI_INT); });
    MPI_Datatype vector;
    MPI_Type_vector(2, 1, 2, MPI_CHAR, &vector);
    const auto low = committed(vector);
    expect_refusal("a type that begins at null", grid.cart, sent,
                   [&] { return init(nullptr, here.data(), 1, low); });
    int one = 1, sum = 0;
    expect_refusal("a sum", MPI_COMM_WORLD, received, [&] {
        return allreduce_init(&one, nullptr, 1, MPI_SUM, MPI_INFO_NULL, &request);
    });
    expect_refusal("a neighborhood's sum", grid.cart, received, [&] {
        return Carpool_Neighbor_reduce_init(&one, nullptr, 1, MPI_INT, MPI_SUM, grid.cart,
                                            MPI_INFO_NULL, &request);
    });
    expect_refusal("a sparse exchange", MPI_COMM_WORLD, sent, [&] {
        const int target = world_rank(), count = 1, at = 0;
        Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
        return Carpool_Sparse_exchange(1, &target, nullptr, &count, &at, MPI_INT, MPI_COMM_WORLD,
                                       &delivery);
    });
    BOOST_TEST(sum == 0);
    BOOST_TEST(init(nullptr, nullptr, 0, MPI_INT) == MPI_SUCCESS);
    BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS);
}

Type at_address(const void* address, int count) {
    MPI_Aint displacement;
    MPI_Get_address(address, &displacement);
    MPI_Datatype type;
    MPI_Type_create_hindexed(1, &count, &displacement, MPI_INT, &type);
    return committed(type);
}

BOOST_AUTO_TEST_CASE(mpi_bottom_with_absolute_addresses_is_legal) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    std::array<int, 2> out{7, 8}, in{};
    const auto sent = at_address(out.data(), 2), received = at_address(in.data(), 2);
    std::array<MPI_Aint, 2> from{}, to{};
    const std::array<int, 2> counts{1, 1};
    const std::array<MPI_Datatype, 2> ints{MPI_INT, MPI_INT};
    for (std::size_t i = 0; i < 2; ++i) {
        MPI_Get_address(&out[i], &from[i]);
        MPI_Get_address(&in[i], &to[i]);
    }
    BOOST_TEST(Carpool_Neighbor_alltoallw(MPI_BOTTOM, counts.data(), from.data(), ints.data(),
                                          MPI_BOTTOM, counts.data(), to.data(), ints.data(),
                                          grid.cart) == MPI_SUCCESS);
    BOOST_TEST((in == std::array<int, 2>{7, 8}));
    in = {};
    MPI_Comm self = MPI_COMM_SELF;
    BOOST_TEST(Carpool_Alltoall(MPI_BOTTOM, 1, sent, MPI_BOTTOM, 1, received, self) == MPI_SUCCESS);
    BOOST_TEST((in == std::array<int, 2>{7, 8}));
}

// ---- handles ----

BOOST_AUTO_TEST_CASE(null_pointers_to_results_are_refused) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    std::array<int, 2> sent{}, received{};
    Carpool_Request null = CARPOOL_REQUEST_NULL;
    int flag = 0;
    const ExpectedError request{MPI_ERR_REQUEST, {"request is a null pointer"}};
    const auto refused = [](const char* what, const ExpectedError& expected_error,
                            const std::function<int()>& call, MPI_Comm comm = MPI_COMM_SELF) {
        expect_refusal(what, comm, expected_error, call);
    };
    refused(
        "init", request,
        [&] {
            return Carpool_Neighbor_alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1,
                                                  MPI_INT, grid.cart, MPI_INFO_NULL, nullptr);
        },
        grid.cart);
    refused(
        "nonblocking", request,
        [&] {
            return Carpool_Ineighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT,
                                              grid.cart, nullptr);
        },
        grid.cart);
    refused("Start", request, [] { return Carpool_Start(nullptr); });
    refused("Wait", request, [] { return Carpool_Wait(nullptr, MPI_STATUS_IGNORE); });
    refused("Test", request, [&] { return Carpool_Test(nullptr, &flag, MPI_STATUS_IGNORE); });
    refused("free", request, [] { return Carpool_Request_free(nullptr); });
    refused("flag", {MPI_ERR_ARG, {"Carpool_Test: flag is a null pointer"}},
            [&] { return Carpool_Test(&null, nullptr, MPI_STATUS_IGNORE); });
    refused("index", {MPI_ERR_ARG, {"Carpool_Waitany: index is a null pointer"}},
            [&] { return Carpool_Waitany(1, &null, nullptr, MPI_STATUS_IGNORE); });
    refused(
        "delivery", {MPI_ERR_ARG, {"delivery is a null pointer"}},
        [&] {
            return Carpool_Sparse_exchange(0, nullptr, nullptr, nullptr, nullptr, MPI_INT,
                                           MPI_COMM_WORLD, nullptr);
        },
        MPI_COMM_WORLD);
}

BOOST_AUTO_TEST_CASE(freed_communicators_are_refused) {
    return_errors();
    for (const bool used : {false, true}) {
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        const MPI_Comm gone = comm;
        int one = 1, sum = 0;
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        const auto call = [&](MPI_Comm on) {
            return Carpool_Alltoall_init(&one, 0, MPI_INT, &sum, 0, MPI_INT, on, MPI_INFO_NULL,
                                         &request);
        };
        if (used) {
            BOOST_TEST(call(comm) == MPI_SUCCESS);
            Carpool_Request_free(&request);
        }
        MPI_Comm_free(&comm);
        const auto fault = mismatch({MPI_ERR_COMM, {"Carpool_Alltoall_init", "comm"}}, call(gone));
        BOOST_TEST(fault == "");
        BOOST_TEST(mismatch({MPI_ERR_COMM, {"MPI_COMM_NULL"}}, call(comm)) == "");
    }
}

BOOST_AUTO_TEST_SUITE_END()
