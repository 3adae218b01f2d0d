// SPDX-License-Identifier: MIT
// ranks: 1 2 3
// sanitize-ranks: none
//
// Buffers in memory of a GPU: what is packed and unpacked, how often, what is left over, and what
// is refused. The driver that the test loads lets no CPU read the memory of its device
// (device/fake_cuda.cpp).

#include <boost/test/unit_test.hpp>

#include "handles.hpp"
#include "patterns.hpp"
#include "refusal.hpp"
#include "world.hpp"

#include <carpool/carpool.h>
#include <carpool/collectives.h>
#include <carpool/sparse.h>

#include "device_array.hpp"

#include <numeric>
#include <vector>

namespace {

using namespace carpool::tests;

int left_of(int rank) { return (rank + world_size() - 1) % world_size(); }

/// A ring, on which each rank sends to both neighbors.
auto ring() {
    const Torus torus{{world_size()}, {1}};
    return neighborhood(torus, von_neumann(1, 1));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_device_memory)

BOOST_AUTO_TEST_CASE(a_persistent_exchange_packs_and_unpacks_once_per_start) {
    auto comm = ring();
    DeviceArray<int> sent(2);
    DeviceArray<int> received(4, -1);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    Carpool_Neighbor_alltoall_init(sent.get(), 1, MPI_INT, received.get(), 1, MPI_INT, comm,
                                   MPI_INFO_NULL, &request);
    const auto before = counts();
    for (int start = 0; start < 5; ++start) {
        sent[0] = 10 * world_rank() + start;
        sent[1] = 1000 + sent[0];
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
        const int right = (world_rank() + 1) % world_size();
        const std::vector<int> expected{10 * right + start,
                                        1000 + 10 * left_of(world_rank()) + start, -1, -1};
        BOOST_TEST(received.values() == expected, boost::test_tools::per_element());
    }
    const auto after = counts();
    BOOST_TEST(after.launches - before.launches == 10);
    BOOST_TEST(after.synchronizations == before.synchronizations);
    BOOST_TEST(after.pinned > 0);
    Carpool_Request_free(&request);
    BOOST_TEST(counts().pinned == 0);
}

BOOST_AUTO_TEST_CASE(host_and_device_meet_in_one_call) {
    auto comm = ring();
    const bool on_device = world_rank() % 2 == 1;
    DeviceArray<int> there(2, world_rank());
    std::vector<int> here(2, world_rank());
    std::vector<int> received(2, -1);
    const void* const sent = on_device ? there.get() : here.data();
    for (int call = 0; call < 3; ++call)
        Carpool_Neighbor_allgather(sent, 2, MPI_INT, received.data(), 2, MPI_INT, comm);
}

BOOST_AUTO_TEST_CASE(a_sum_is_added_on_the_host) {
    auto comm = duplicate_of_world();
    DeviceArray<int> mine(3, world_rank() + 1);
    DeviceArray<int> sum(4, -1);
    const int all = world_size() * (world_size() + 1) / 2;
    for (int call = 0; call < 3; ++call) {
        sum[0] = sum[1] = sum[2] = -1;
        Carpool_Allreduce(mine.get(), sum.get(), 3, MPI_INT, MPI_SUM, comm);
        const std::vector<int> expected{all, all, all, -1};
        BOOST_TEST(sum.values() == expected, boost::test_tools::per_element());
    }
    Carpool_Allreduce(MPI_IN_PLACE, mine.get(), 3, MPI_INT, MPI_SUM, comm);
    const std::vector<int> expected{all, all, all};
    BOOST_TEST(mine.values() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(calls_come_and_go_between_host_and_device) {
    auto comm = duplicate_of_world();
    DeviceArray<int> there(1, world_rank());
    const int here = world_rank();
    std::vector<int> all(static_cast<std::size_t>(world_size()));
    std::vector<int> expected = all;
    std::iota(expected.begin(), expected.end(), 0);
    for (int call = 0; call < 8; ++call) {
        std::fill(all.begin(), all.end(), -1);
        const void* const sent = call % 3 == 1 ? there.get() : &here;
        Carpool_Allgather(sent, 1, MPI_INT, all.data(), 1, MPI_INT, comm);
        BOOST_TEST(all == expected, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(columns_of_a_matrix_are_packed_where_they_lie) {
    auto comm = ring();
    constexpr int rows = 100;
    constexpr int columns = 50;
    MPI_Datatype column = MPI_DATATYPE_NULL;
    MPI_Type_vector(rows, 1, columns, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    DeviceArray<double> matrix(rows * columns);
    for (std::size_t i = 0; i < rows * columns; ++i)
        matrix[i] = world_rank() * 10000 + static_cast<double>(i);
    // the second column goes left, the last but one goes right; the outer ones are received
    const int ones[] = {1, 1};
    const MPI_Aint sent[] = {sizeof(double), (columns - 2) * sizeof(double)};
    const MPI_Aint received[] = {(columns - 1) * sizeof(double), 0};
    const MPI_Datatype types[] = {column, column};
    Carpool_Neighbor_alltoallw(matrix.get(), ones, sent, types, matrix.get(), ones, received, types,
                               comm);
    const int right = (world_rank() + 1) % world_size();
    for (int row = 0; row < rows; ++row) {
        const auto at = static_cast<std::size_t>(row * columns);
        BOOST_TEST(matrix[at] == left_of(world_rank()) * 10000 + row * columns + columns - 2);
        BOOST_TEST(matrix[at + columns - 1] == right * 10000 + row * columns + 1);
        BOOST_TEST(matrix[at + 7] == world_rank() * 10000 + row * columns + 7);
    }
    MPI_Type_free(&column);
}

BOOST_AUTO_TEST_CASE(a_bundle_packs_once) {
    auto comm = ring();
    DeviceArray<int> sent(4, world_rank());
    DeviceArray<int> received(4, -1);
    Carpool_Request members[2] = {};
    for (int i = 0; i < 2; ++i)
        Carpool_Neighbor_alltoall_init(static_cast<int*>(sent.get()) + 2 * i, 1, MPI_INT,
                                       static_cast<int*>(received.get()) + 2 * i, 1, MPI_INT, comm,
                                       MPI_INFO_NULL, &members[i]);
    Carpool_Request bundle = CARPOOL_REQUEST_NULL;
    Carpool_Bundle_init(2, members, comm, MPI_INFO_NULL, &bundle);
    const auto before = counts();
    Carpool_Start(&bundle);
    Carpool_Wait(&bundle, MPI_STATUS_IGNORE);
    BOOST_TEST(counts().launches - before.launches == 2);
    const int right = (world_rank() + 1) % world_size();
    const int left = left_of(world_rank());
    const std::vector<int> expected{right, left, right, left};
    BOOST_TEST(received.values() == expected, boost::test_tools::per_element());
    for (auto* request : {&bundle, &members[0], &members[1]}) Carpool_Request_free(request);
    BOOST_TEST(counts().pinned == 0);
}

BOOST_AUTO_TEST_CASE(managed_memory_is_the_hosts_too) {
    auto comm = duplicate_of_world();
    int mine = 1;
    auto* const sum = static_cast<int*>(CARPOOL_DRIVER(fake_cuda_managed)());
    const auto before = counts();
    BOOST_TEST(Carpool_Allreduce(&mine, sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    BOOST_TEST(*sum == world_size());
    BOOST_TEST(counts().launches == before.launches);
}

BOOST_AUTO_TEST_CASE(a_halo_names_the_field) {
    const Torus torus{{world_size(), 1}, {1, 1}};
    auto comm = neighborhood(torus, moore(2, 1));
    std::vector<double> host(8);
    DeviceArray<double> there(8);
    void* fields[] = {host.data(), there.get()};
    const int ones[] = {1, 1};
    const int none[] = {0, 0};
    Carpool_Halo halo = {};
    halo.fields = 2;
    halo.field = fields;
    halo.shape = halo.lower = ones;
    halo.upper = none;
    halo.order = MPI_ORDER_C;
    halo.element = MPI_DOUBLE;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("halo", comm, {MPI_ERR_BUFFER, {"field[1] is memory of a GPU"}},
                   [&] { return Carpool_Halo_init(&halo, comm, MPI_INFO_NULL, &request); });
}

BOOST_AUTO_TEST_CASE(blocks_in_several_places_are_refused) {
    auto comm = ring();
    DeviceArray<int> there(1);
    int here = 0;
    std::vector<int> received(2);
    const int ones[] = {1, 1};
    const MPI_Datatype ints[] = {MPI_INT, MPI_INT};
    MPI_Aint places[2] = {0, 0};
    MPI_Get_address(&here, &places[0]);
    MPI_Get_address(there.get(), &places[1]);
    const MPI_Aint dense[] = {0, sizeof(int)};
    expect_refusal("call", comm, {MPI_ERR_BUFFER, {"blocks of sendbuf", "partly"}}, [&] {
        return Carpool_Neighbor_alltoallw(MPI_BOTTOM, ones, places, ints, received.data(), ones,
                                          dense, ints, comm);
    });
}

BOOST_AUTO_TEST_CASE(a_type_that_only_mpi_can_read_is_refused) {
    auto comm = duplicate_of_world();
    const int sizes[] = {4};
    const int blocks[] = {MPI_DISTRIBUTE_BLOCK};
    const int defaults[] = {MPI_DISTRIBUTE_DFLT_DARG};
    const int ones[] = {1};
    MPI_Datatype darray = MPI_DATATYPE_NULL;
    MPI_Type_create_darray(1, 0, 1, sizes, blocks, defaults, ones, MPI_ORDER_C, MPI_INT, &darray);
    MPI_Type_commit(&darray);
    DeviceArray<int> there(4);
    expect_refusal("call", comm, {MPI_ERR_TYPE, {"buffer is memory of a GPU"}},
                   [&] { return Carpool_Bcast(there.get(), 1, darray, 0, comm); });
    MPI_Type_free(&darray);
}

BOOST_AUTO_TEST_CASE(a_sparse_exchange_takes_no_device_memory) {
    auto comm = duplicate_of_world();
    DeviceArray<int> there(1);
    const int self[] = {world_rank()};
    const int ones[] = {1};
    const int zeros[] = {0};
    Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
    expect_refusal("call", comm, {MPI_ERR_BUFFER, {"sendbuf is memory of a GPU"}}, [&] {
        return Carpool_Sparse_exchange(1, self, there.get(), ones, zeros, MPI_INT, comm, &delivery);
    });
}

BOOST_AUTO_TEST_SUITE_END()
