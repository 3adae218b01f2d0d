// SPDX-License-Identifier: MIT
// ranks: 1 2 3
// sanitize-ranks: 2
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

#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_device_memory)

namespace {

using namespace carpool::tests;

/// Nothing waits for the device, and a driver that takes the kernel launches it so often.
void check_work(const FakeCudaCounts& before, int launches) {
    const auto after = counts();
    const bool has_kernel = std::getenv("CARPOOL_TEST_KERNEL") == nullptr;
    BOOST_TEST(after.launches - before.launches == (has_kernel ? launches : 0));
    BOOST_TEST((after.copies > before.copies) != has_kernel);
    BOOST_TEST(after.synchronizations == before.synchronizations);
}

int left_of(int rank) { return (rank + world_size() - 1) % world_size(); }

/// A ring, on which each rank sends to both neighbors.
auto ring() {
    const Torus torus{{world_size()}, {1}};
    return neighborhood(torus, von_neumann(1, 1));
}

/// A type that Carpool cannot read itself.
MPI_Datatype four_ints_in_a_darray() {
    const int sizes[] = {4};
    const int blocks[] = {MPI_DISTRIBUTE_BLOCK};
    const int defaults[] = {MPI_DISTRIBUTE_DFLT_DARG};
    const int ones[] = {1};
    MPI_Datatype darray = MPI_DATATYPE_NULL;
    MPI_Type_create_darray(1, 0, 1, sizes, blocks, defaults, ones, MPI_ORDER_C, MPI_INT, &darray);
    MPI_Type_commit(&darray);
    return darray;
}

/// Fields of 3 x 3 cells, of which a rank owns that in the middle.
struct PlaneHalo {
    explicit PlaneHalo(std::vector<void*> addresses) : fields(std::move(addresses)) {}

    std::vector<void*> fields;
    std::vector<int> ones{1, 1};
    std::vector<int> stencil{-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1};
    Carpool_Halo arguments{static_cast<int>(fields.size()),
                           fields.data(),
                           ones.data(),
                           ones.data(),
                           ones.data(),
                           MPI_ORDER_C,
                           MPI_DOUBLE,
                           8,
                           stencil.data()};
};

}  // namespace

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
    check_work(before, 10);
    BOOST_TEST(counts().pinned > 0);
    Carpool_Request_free(&request);
    BOOST_TEST(counts().pinned == 0);
}

BOOST_AUTO_TEST_CASE(one_call_may_have_buffers_on_host_and_device) {
    auto comm = ring();
    const bool on_device = world_rank() % 2 == 1;
    DeviceArray<int> there(2, world_rank());
    std::vector<int> here(2, world_rank());
    const void* const sent = on_device ? there.get() : here.data();
    const int right = (world_rank() + 1) % world_size();
    const int left = left_of(world_rank());
    const std::vector<int> expected{right, right, left, left};
    for (int call = 0; call < 3; ++call) {
        std::vector<int> received(4, -1);
        Carpool_Neighbor_allgather(sent, 2, MPI_INT, received.data(), 2, MPI_INT, comm);
        BOOST_TEST(received == expected, boost::test_tools::per_element());
    }
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

BOOST_AUTO_TEST_CASE(calls_may_alternate_between_buffers_on_host_and_device) {
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
    check_work(before, 2);
    const int right = (world_rank() + 1) % world_size();
    const int left = left_of(world_rank());
    const std::vector<int> expected{right, left, right, left};
    BOOST_TEST(received.values() == expected, boost::test_tools::per_element());
    for (auto* request : {&bundle, &members[0], &members[1]}) Carpool_Request_free(request);
    BOOST_TEST(counts().pinned == 0);
}

BOOST_AUTO_TEST_CASE(managed_memory_is_accessed_from_the_host) {
    auto comm = duplicate_of_world();
    int mine = 1;
    auto* const sum = static_cast<int*>(CARPOOL_DRIVER(fake_cuda_managed)());
    const auto before = counts();
    BOOST_TEST(Carpool_Allreduce(&mine, sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    BOOST_TEST(*sum == world_size());
    BOOST_TEST(counts().launches == before.launches);
}

// Ranks lie behind each other along the first dimension; along the second, each is its own
// neighbor.
BOOST_AUTO_TEST_CASE(a_halo_forwards_cells_that_it_has_received) {
    const Torus torus{{world_size(), 1}, {1, 1}};
    auto comm = neighborhood(torus, moore(2, 1));
    for (const char* const algorithm : {"cartesian", "direct"}) {
        DeviceArray<double> first(9);
        DeviceArray<double> second(9);
        PlaneHalo halo({first.get(), second.get()});
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        Carpool_Halo_init(&halo.arguments, comm, info_of({{"carpool_algorithm", algorithm}}),
                          &request);
        const auto before = counts();
        for (int start = 0; start < 3; ++start) {
            for (std::size_t i = 0; i < 9; ++i) first[i] = second[i] = -1;
            const auto value = [start](int rank) { return 10.0 * rank + start; };
            first[4] = value(world_rank());
            second[4] = 100 + value(world_rank());
            Carpool_Start(&request);
            Carpool_Wait(&request, MPI_STATUS_IGNORE);
            const auto left = value(left_of(world_rank()));
            const auto own = value(world_rank());
            const auto right = value((world_rank() + 1) % world_size());
            const std::vector<double> expected{left, left,  left,  own,  own,
                                               own,  right, right, right};
            BOOST_TEST(first.values() == expected, boost::test_tools::per_element());
            for (std::size_t i = 0; i < 9; ++i) BOOST_TEST(second[i] == 100 + expected[i]);
        }
        check_work(before, 6);
        Carpool_Request_free(&request);
        BOOST_TEST(counts().pinned == 0);
    }
}

BOOST_AUTO_TEST_CASE(a_halo_in_a_bundle_packs_with_the_other_members) {
    const Torus torus{{world_size(), 1}, {1, 1}};
    auto comm = neighborhood(torus, moore(2, 1));
    DeviceArray<double> field(9);
    PlaneHalo halo({field.get()});
    DeviceArray<double> sum(1);
    DeviceArray<double> mine(1, 1);
    Carpool_Request members[2] = {};
    Carpool_Halo_init(&halo.arguments, comm, info_of({{"carpool_algorithm", "cartesian"}}),
                      &members[0]);
    Carpool_Allreduce_init(mine.get(), sum.get(), 1, MPI_DOUBLE, MPI_SUM, comm, MPI_INFO_NULL,
                           &members[1]);
    Carpool_Request bundle = CARPOOL_REQUEST_NULL;
    Carpool_Bundle_init(2, members, comm, MPI_INFO_NULL, &bundle);
    field[4] = world_rank();
    const auto before = counts();
    Carpool_Start(&bundle);
    Carpool_Wait(&bundle, MPI_STATUS_IGNORE);
    check_work(before, 2);
    for (std::size_t i = 0; i < 3; ++i) {
        BOOST_TEST(field[i] == left_of(world_rank()));
        BOOST_TEST(field[3 + i] == world_rank());
        BOOST_TEST(field[6 + i] == (world_rank() + 1) % world_size());
    }
    BOOST_TEST(sum[0] == world_size());
    for (auto* request : {&bundle, &members[0], &members[1]}) Carpool_Request_free(request);
    BOOST_TEST(counts().pinned == 0);
}

BOOST_AUTO_TEST_CASE(fields_in_several_places_are_refused) {
    const Torus torus{{world_size(), 1}, {1, 1}};
    auto comm = neighborhood(torus, moore(2, 1));
    std::vector<double> host(9);
    DeviceArray<double> there(9);
    PlaneHalo halo({host.data(), there.get()});
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal(
        "halo", comm, {MPI_ERR_BUFFER, {"field[1] is memory of a GPU", "field[0] is elsewhere"}},
        [&] { return Carpool_Halo_init(&halo.arguments, comm, MPI_INFO_NULL, &request); });
}

BOOST_AUTO_TEST_CASE(cells_that_only_mpi_can_read_are_refused) {
    const Torus torus{{world_size(), 1}, {1, 1}};
    auto comm = neighborhood(torus, moore(2, 1));
    DeviceArray<int> there(36);
    PlaneHalo halo({there.get()});
    auto darray = four_ints_in_a_darray();
    halo.arguments.element = darray;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("halo", comm, {MPI_ERR_TYPE, {"field[0] is memory of a GPU", "MPI_Pack"}}, [&] {
        return Carpool_Halo_init(&halo.arguments, comm, MPI_INFO_NULL, &request);
    });
    MPI_Type_free(&darray);
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
    auto darray = four_ints_in_a_darray();
    DeviceArray<int> there(4);
    expect_refusal("call", comm, {MPI_ERR_TYPE, {"buffer is memory of a GPU"}},
                   [&] { return Carpool_Bcast(there.get(), 1, darray, 0, comm); });
    MPI_Type_free(&darray);
}

/// Along a list of the next rank, and back: in each form, and as a delivery that is repeated.
BOOST_AUTO_TEST_CASE(calls_along_lists_take_device_memory) {
    auto comm = duplicate_of_world();
    const int right[] = {(world_rank() + 1) % world_size()};
    const int left[] = {left_of(world_rank())};
    const int twos[] = {2};
    const int zeros[] = {0};
    DeviceArray<int> sent(2, world_rank());
    DeviceArray<int> received(3);
    const std::vector<int> expected{left[0], left[0], -1};
    const auto clear = [&] { received[0] = received[1] = received[2] = -1; };
    const auto check = [&] {
        BOOST_TEST(received.values() == expected, boost::test_tools::per_element());
    };
    for (int call = 0; call < 3; ++call) {
        clear();
        Carpool_Sparse_alltoallv(1, right, sent.get(), twos, zeros, MPI_INT, 1, left,
                                 received.get(), twos, zeros, MPI_INT, comm);
        check();
    }
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    Carpool_Sparse_alltoallv_init(1, right, sent.get(), twos, zeros, MPI_INT, 1, left,
                                  received.get(), twos, zeros, MPI_INT, comm, MPI_INFO_NULL,
                                  &request);
    const auto before = counts();
    clear();
    Carpool_Start(&request);
    Carpool_Wait(&request, MPI_STATUS_IGNORE);
    check();
    check_work(before, 2);
    Carpool_Request_free(&request);
    const std::vector<int> here(2, world_rank());
    Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
    Carpool_Sparse_exchange(1, right, here.data(), twos, zeros, MPI_INT, comm, &delivery);
    Carpool_Sparse_exchange_init(delivery, sent.get(), received.get(), comm, MPI_INFO_NULL,
                                 &request);
    Carpool_Delivery_free(&delivery);
    clear();
    Carpool_Start(&request);
    Carpool_Wait(&request, MPI_STATUS_IGNORE);
    check();
    Carpool_Request_free(&request);
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
