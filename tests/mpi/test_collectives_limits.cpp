// SPDX-License-Identifier: MIT
// ranks: 1 2 5
// program: own
// sanitize-ranks: 2
//
// Scarce resources: tags, and memory for messages in transit.

#include <boost/test/unit_test.hpp>

#include "count_allocations.hpp"
#include "grid_neighborhood.hpp"
#include "handles.hpp"
#include "refusal.hpp"
#include "world.hpp"

#include <carpool/collectives.h>

#include <functional>
#include <vector>

namespace {

using namespace carpool::tests;

/// The smallest MPI_TAG_UB that MPI allows.
int few_tags = 32767;

/// An init for which rank 1 has no memory is refused on all ranks.
void refuse_for_memory(const char* what, MPI_Comm comm,
                       const std::function<int(Carpool_Request*)>& init) {
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal(what, comm, {MPI_ERR_NO_MEM, {"rank 1", "memory"}}, [&] {
        if (world_rank() == 1) largest_allocation = 1 << 20;
        const int code = init(&request);
        largest_allocation = any_size;
        return code;
    });
    BOOST_TEST((request == CARPOOL_REQUEST_NULL), what);
}

}  // namespace

int MPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* flag) {
    const int code = PMPI_Comm_get_attr(comm, key, value, flag);
    if (key == MPI_TAG_UB) *static_cast<int**>(value) = &few_tags;
    return code;
}

BOOST_AUTO_TEST_SUITE(test_collectives_limits)

BOOST_AUTO_TEST_CASE(more_requests_than_tags_are_refused) {
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    const Comm comm(made);
    const int most = (few_tags + 1) / 32 - 2;  // half of a tag block, less supersteps' tags
    std::vector<Carpool_Request> requests(static_cast<std::size_t>(most));
    const auto init = [&](Carpool_Request& request) {
        return Carpool_Barrier_init(made, MPI_INFO_NULL, &request);
    };
    for (auto& request : requests) BOOST_TEST_REQUIRE(init(request) == MPI_SUCCESS);
    Carpool_Request another = CARPOOL_REQUEST_NULL;
    expect_refusal("one more", made, {MPI_ERR_OTHER, {"tags", std::to_string(most)}},
                   [&] { return init(another); });
    BOOST_TEST(Carpool_Request_free(&requests[7]) == MPI_SUCCESS);
    BOOST_TEST(init(requests[7]) == MPI_SUCCESS);
    for (auto& request : requests) {
        BOOST_TEST(Carpool_Start(&request) == MPI_SUCCESS);
        BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        Carpool_Request_free(&request);
    }
}

BOOST_AUTO_TEST_CASE(collectives_are_refused_on_all_ranks_if_one_has_no_memory) {
    if (world_size() == 1) return;
    constexpr int count = 1 << 19;
    const std::vector<double> sent(count, 1);
    std::vector<double> received(sent.size() * static_cast<std::size_t>(world_size()));
    const auto* const from = sent.data();
    auto* const to = received.data();
    const auto refuse = [](const char* algorithm, auto init) {
        const auto info = info_of({{"carpool_algorithm", algorithm}, {"carpool_transfer", "pack"}});
        refuse_for_memory(algorithm, MPI_COMM_WORLD,
                          [&](Carpool_Request* request) { return init(info, request); });
    };
    refuse("spread", [&](MPI_Info info, Carpool_Request* request) {
        return Carpool_Allreduce_init(from, to, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, info,
                                      request);
    });
    MPI_Datatype made;
    MPI_Type_vector(count / 2, 1, 2, MPI_DOUBLE, &made);
    const auto every_other = committed(made);
    refuse("linear", [&](MPI_Info info, Carpool_Request* request) {
        return Carpool_Gather_init(from, 1, every_other, to, count / 2, MPI_DOUBLE, 0,
                                   MPI_COMM_WORLD, info, request);
    });
}

BOOST_AUTO_TEST_CASE(neighborhoods_bundles_and_halos_are_refused_too_if_one_rank_has_no_memory) {
    if (world_size() == 1) return;
    constexpr int count = 1 << 17;  // elements of 16 bytes with gaps: 2 MiB to be packed
    MPI_Datatype made;
    MPI_Type_vector(count, 2, 3, MPI_DOUBLE, &made);
    const auto gaps = committed(made);
    const GridNeighborhood grid(torus_of(1), von_neumann(1, 1));
    const auto room = 2 * 3 * static_cast<std::size_t>(count);
    std::vector<double> sent(room), received(room);
    const auto pack = info_of({{"carpool_transfer", "pack"}});
    const auto exchange = [&](Carpool_Request* request) {
        return Carpool_Neighbor_alltoall_init(sent.data(), 1, gaps, received.data(), 1, gaps,
                                              grid.cart, pack, request);
    };
    refuse_for_memory("alltoall", grid.cart, exchange);
    Carpool_Request one = CARPOOL_REQUEST_NULL;
    BOOST_TEST_REQUIRE(exchange(&one) == MPI_SUCCESS);
    refuse_for_memory("bundle", grid.cart, [&](Carpool_Request* request) {
        return Carpool_Bundle_init(1, &one, grid.cart, pack, request);
    });
    Carpool_Request_free(&one);
    void* const fields[] = {sent.data(), received.data()};
    const int shape = count, offsets[] = {-1, 1};  // the halo has the same width on both sides
    const Carpool_Halo halo{2, fields, &shape, &shape, &shape, MPI_ORDER_C, MPI_DOUBLE, 2, offsets};
    refuse_for_memory("halo", grid.cart, [&](Carpool_Request* request) {
        return Carpool_Halo_init(&halo, grid.cart, pack, request);
    });
}

BOOST_AUTO_TEST_CASE(counts_that_no_memory_holds_are_refused) {
    int number = 1, sum = 0;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    for (const bool alone : {false, true}) {
        const MPI_Count count = !alone || world_rank() == 0 ? MPI_Count{1} << 62 : 1;
        expect_refusal("sum", MPI_COMM_WORLD, {MPI_ERR_COUNT, {"count", "memory"}}, [&] {
            return Carpool_Allreduce_init_c(&number, &sum, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                            MPI_INFO_NULL, &request);
        });
    }
}

BOOST_AUTO_TEST_CASE(background_inits_that_no_rank_waits_for_do_not_accumulate) {
    for (int i = 0; i < 10000; ++i) {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        BOOST_TEST_REQUIRE(Carpool_Ibarrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request) ==
                           MPI_SUCCESS);
        BOOST_TEST_REQUIRE(Carpool_Request_free(&request) == MPI_SUCCESS);
    }
}

BOOST_AUTO_TEST_SUITE_END()
