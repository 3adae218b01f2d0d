// SPDX-License-Identifier: MIT
// ranks: 1 4 8
// environment: CARPOOL_CHOICE=model
// sanitize-ranks: none
// one-node: auto_combines_if_messages_are_expensive_and_not_if_bytes_are (by node there)
//
// The plan that a request reports: the figures of the papers, and which rule was chosen.

#include <boost/test/unit_test.hpp>

#include "environment.hpp"
#include "grid_neighborhood.hpp"
#include "refusal.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_plan)

namespace {

using namespace carpool::tests;

std::string chosen(const CheckedExchange& exchange, MPI_Comm comm, MPI_Info info = MPI_INFO_NULL) {
    Carpool_Request request = init(exchange, comm, info);
    const auto algorithm = algorithm_of(request);
    Carpool_Request_free(&request);
    return algorithm;
}

struct Row {
    int d, n;
    MPI_Count t, rounds, allgather_volume, alltoall_volume;
};

/// Paper 2, table 1; there t does not count the zero vector.
const Row table_1[] = {
    {2, 3, 8, 4, 8, 12},       {2, 4, 15, 6, 15, 24},        {2, 5, 24, 8, 24, 40},
    {3, 3, 26, 6, 26, 54},     {3, 4, 63, 9, 63, 144},       {3, 5, 124, 12, 124, 300},
    {4, 3, 80, 8, 80, 216},    {4, 4, 255, 12, 255, 768},    {4, 5, 624, 16, 624, 2000},
    {5, 3, 242, 10, 242, 810}, {5, 4, 1023, 15, 1023, 3840}, {5, 5, 3124, 20, 3124, 12500}};

}  // namespace

BOOST_AUTO_TEST_CASE(cartesian_has_the_rounds_and_volumes_of_table_1) {
    for (const Row& row : table_1) {
        const GridNeighborhood grid(mesh_of(row.d), stencil(row.d, row.n));
        BOOST_TEST_CONTEXT("d=" << row.d << " n=" << row.n) {
            const auto all = plan_of(grid.exchange(Operation::alltoall), grid.cart, "cartesian");
            BOOST_TEST(grid.pattern.t() == row.t + 1);
            BOOST_TEST(all.rounds == row.rounds);
            BOOST_TEST(all.volume == row.alltoall_volume);
            BOOST_TEST(all.phases == row.d);
            const auto gather =
                plan_of(grid.exchange(Operation::allgather), grid.cart, "cartesian");
            BOOST_TEST(gather.rounds == row.rounds);
            BOOST_TEST(gather.volume == row.allgather_volume);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_measured_init_takes_one_of_the_rules_and_moves_the_same_bytes) {
    const auto info = info_of({{"carpool_choice", "measure"}});
    for (const bool mesh : {false, true}) {
        const GridNeighborhood grid(mesh ? mesh_of(2) : torus_of(2), stencil(2, 4));
        for (const auto operation : operations) {
            auto exchange = grid.exchange(operation);
            const auto rule = chosen(exchange, grid.cart, info);
            BOOST_TEST((rule == "direct" || rule == "cartesian" || rule.starts_with("basis") ||
                        rule.starts_with("node")),
                       rule);
            BOOST_TEST(run_once(exchange, Form::persistent, grid.cart, info) == "");
            BOOST_TEST(run_once(exchange, Form::blocking, grid.cart) == "");
        }
    }
}

BOOST_AUTO_TEST_CASE(torus_equals_cartesian_where_coordinates_are_at_most_one) {
    const GridNeighborhood grid(mesh_of(3), stencil(3, 3));
    const auto all = plan_of(grid.exchange(Operation::alltoall), grid.cart, "torus");
    BOOST_TEST(all.rounds == 6);
    BOOST_TEST(all.volume == 6 * 1 + 12 * 2 + 8 * 3);  // faces, edges, corners
    const auto gather = plan_of(grid.exchange(Operation::allgather), grid.cart, "torus");
    BOOST_TEST(gather.rounds == 6);
    BOOST_TEST(gather.volume == 26);
}

BOOST_AUTO_TEST_CASE(torus_takes_one_round_per_unit_of_the_longest_way) {
    const GridNeighborhood grid(mesh_of(1), {"far", 1, {3, -2, 1}});
    const auto all = plan_of(grid.exchange(Operation::alltoall), grid.cart, "torus");
    BOOST_TEST(all.rounds == 3 + 2);
    BOOST_TEST(all.volume == 3 + 2 + 1);
    const auto gather = plan_of(grid.exchange(Operation::allgather), grid.cart, "torus");
    BOOST_TEST(gather.volume == 3 + 2 + 1);  // 1 is on the way to 3, but has an edge of its own
}

BOOST_AUTO_TEST_CASE(direct_sends_each_block_once) {
    const GridNeighborhood grid(mesh_of(2), moore(2, 1));
    const auto plan = plan_of(grid.exchange(Operation::alltoall), grid.cart, "direct");
    BOOST_TEST(plan.phases == 1);
    BOOST_TEST(plan.rounds == 8);
    BOOST_TEST(plan.volume == 8);
}

BOOST_AUTO_TEST_CASE(the_zero_vector_alone_needs_no_round) {
    const GridNeighborhood grid(torus_of(1), {"zero", 1, {0, 0}});
    for (const char* rule : {"direct", "torus", "cartesian", "basis"}) {
        const auto plan = plan_of(grid.exchange(Operation::alltoall), grid.cart, rule);
        BOOST_TEST(plan.rounds == 0, rule);
        BOOST_TEST(plan.messages == 0, rule);
        BOOST_TEST(plan.bytes == 0, rule);
    }
}

BOOST_AUTO_TEST_CASE(bytes_are_volume_times_block_where_no_hop_ends_at_its_start) {
    if (world_size() != 4 && world_size() != 8) return;
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    for (const char* rule : {"direct", "torus", "cartesian", "basis"}) {
        const auto plan = plan_of(grid.exchange(Operation::alltoall), grid.cart, rule);
        BOOST_TEST(plan.bytes == plan.volume * 3 * 4, rule);  // blocks of 3 ints
        BOOST_TEST(plan.messages == plan.rounds, rule);
        BOOST_TEST(std::string(plan.algorithm) == rule);
    }
}

BOOST_AUTO_TEST_CASE(ranks_at_the_border_of_a_mesh_send_fewer_messages) {
    const GridNeighborhood grid(mesh_of(1), {"right", 1, {1}});
    const auto plan = plan_of(grid.exchange(Operation::alltoall), grid.cart, "cartesian");
    BOOST_TEST(plan.rounds == 1);
    BOOST_TEST(plan.messages == (world_rank() == world_size() - 1 ? 0 : 1));
    BOOST_TEST(plan.bytes == plan.messages * 12);
}

BOOST_AUTO_TEST_CASE(the_info_of_the_init_wins_over_the_communicators_over_the_environment) {
    const auto info = info_of({{"carpool_algorithm", "torus"}});
    const Environment variable("CARPOOL_ALGORITHM", "direct");
    const GridNeighborhood plain(torus_of(2), stencil(2, 4));
    const GridNeighborhood told(torus_of(2), stencil(2, 4), info);
    const auto exchange = plain.exchange(Operation::alltoall);
    BOOST_TEST(chosen(exchange, plain.cart) == "direct");
    BOOST_TEST(chosen(exchange, told.cart) == "torus");
    BOOST_TEST(chosen(exchange, told.cart, info_of({{"carpool_algorithm", "cartesian"}})) ==
               "cartesian");
}

BOOST_AUTO_TEST_CASE(auto_combines_if_messages_are_expensive_and_not_if_bytes_are) {
    const GridNeighborhood grid(mesh_of(3), stencil(3, 5));
    const auto exchange = grid.exchange(Operation::alltoall);
    const auto dear_message =
        info_of({{"carpool_algorithm", "auto"}, {"carpool_alpha", "1"}, {"carpool_beta", "1e-12"}});
    const auto dear_byte =
        info_of({{"carpool_algorithm", "auto"}, {"carpool_alpha", "1e-12"}, {"carpool_beta", "1"}});
    BOOST_TEST(chosen(exchange, grid.cart, dear_message) == "basis");
    BOOST_TEST(chosen(exchange, grid.cart, dear_byte) == "direct");
}

BOOST_AUTO_TEST_CASE(the_cost_of_a_message_can_come_from_the_environment) {
    const Environment alpha("CARPOOL_ALPHA", "1e-12"), beta("CARPOOL_BETA", "1");
    const GridNeighborhood grid(mesh_of(3), stencil(3, 5));
    BOOST_TEST(chosen(grid.exchange(Operation::alltoall), grid.cart) == "direct");
}

BOOST_AUTO_TEST_CASE(a_plan_is_the_same_while_the_request_is_active) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    auto exchange = grid.exchange(Operation::alltoallw);
    exchange.prepare(0);
    Carpool_Request request = init(exchange, grid.cart);
    const auto before = plan_of(request);
    Carpool_Start(&request);
    BOOST_TEST(plan_of(request).bytes == before.bytes);
    Carpool_Wait(&request, MPI_STATUS_IGNORE);
    BOOST_TEST(exchange.fault() == "");
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(the_plan_of_nonpersistent_calls_can_be_queried) {
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    const Comm comm(made);
    Carpool_Plan plan;
    const auto ask = [&](const char* operation) {
        return Carpool_Comm_get_plan(comm, operation, &plan);
    };
    expect_refusal("before", comm, {MPI_ERR_ARG, {"operation is 'allreduce'", "not been called"}},
                   [&] { return ask("allreduce"); });
    expect_refusal("no such", comm, {MPI_ERR_ARG, {"'sum'", "allreduce", "neighbor_alltoallv"}},
                   [&] { return ask("sum"); });
    const Environment spread("CARPOOL_ALLREDUCE", "spread");
    const int mine = world_rank();
    int sum = 0;
    Carpool_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    BOOST_TEST(ask("allreduce") == MPI_SUCCESS);
    BOOST_TEST(std::string(plan.algorithm) == "spread");
    BOOST_TEST(plan.messages == world_size() - 1);
    std::vector<int> all(static_cast<std::size_t>(world_size()));
    MPI_Request request;
    Carpool_Iallgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    BOOST_TEST(ask("allgather") == MPI_SUCCESS);
    BOOST_TEST(plan.bytes >= (world_size() > 1 ? 4 : 0));
}

BOOST_AUTO_TEST_CASE(the_plan_of_nonpersistent_neighborhood_calls_can_be_queried) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    auto exchange = grid.exchange(Operation::alltoallw);
    exchange.prepare(0);
    BOOST_TEST(exchange.make_call({Form::blocking, grid.cart}) == MPI_SUCCESS);
    BOOST_TEST(exchange.fault() == "");
    Carpool_Plan plan;
    BOOST_TEST(Carpool_Comm_get_plan(grid.cart, "neighbor_alltoallw", &plan) == MPI_SUCCESS);
    Carpool_Request request = init(exchange, grid.cart);
    const auto planned = plan_of(request);
    BOOST_TEST(std::string(plan.algorithm) == planned.algorithm);
    BOOST_TEST(plan.messages >= planned.messages);  // a request leaves out those without bytes
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_SUITE_END()
