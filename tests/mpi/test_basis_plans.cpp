// SPDX-License-Identifier: MIT
// ranks: 2 3 4 7 8 12 13
// sanitize-ranks: 4
// one-node: with_many_ports_all_messages_are_sent_in_one_phase (by node there)
//
// The plans of basis between few rounds and little volume: they deliver, sizes choose among them,
// and all ranks choose the same.

#include <boost/test/unit_test.hpp>

#include "environment.hpp"
#include "error_cases.hpp"
#include "grid_neighborhood.hpp"
#include "operators.hpp"
#include "reduction.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <cstdio>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_basis_plans)

namespace {

using namespace carpool::tests;

/// Names of plans, from the smallest basis to direct. If a neighborhood lacks one, the next one is
/// taken.
const char* const orders[] = {"basis:0", "basis:4", "basis:6", "basis:9/2", "basis:1000"};

std::vector<GridNeighborhood> stages() {
    std::vector<GridNeighborhood> all;
    for (const bool mesh : {false, true})
        for (const auto& pattern :
             {moore(1, 7), moore(2, 2), stencil(3, 3), shales(2, 1, 4), von_neumann(2, 3)})
            all.emplace_back(mesh ? mesh_of(pattern.d) : torus_of(pattern.d), pattern);
    return all;
}

std::string chosen(const CheckedExchange& exchange, MPI_Comm comm, MPI_Info info = MPI_INFO_NULL) {
    Carpool_Request request = init(exchange, comm, info);
    const auto algorithm = algorithm_of(request);
    Carpool_Request_free(&request);
    return algorithm;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_operation_is_right_by_every_plan) {
    for (const auto& grid : stages())
        for (const char* order : orders) {
            const auto info = info_of({{"carpool_algorithm", order}});
            for (const auto operation : operations) {
                auto exchange = grid.exchange(operation);
                for (const auto form : {Form::persistent, Form::nonblocking}) {
                    if (form != Form::persistent && operation != Operation::alltoallv) continue;
                    const auto fault = run_once(exchange, form, grid.cart, info);
                    BOOST_TEST(fault == "", grid.pattern.name << ' ' << order << ' '
                                                              << name_of(operation) << ": "
                                                              << fault);
                }
            }
        }
}

BOOST_AUTO_TEST_CASE(every_reduction_is_right_by_every_plan) {
    const Kinds kinds;
    const auto all = kinds.all();
    std::size_t next = 0;
    for (const auto& grid : stages())
        for (const char* order : orders)
            for (const bool scatters : {false, true}) {
                const Reduction r{grid.torus, grid.pattern, all[next++ % all.size()], scatters, 3};
                auto send = operands(r, world_rank(), 0);
                const auto expected = reduced_naively(r, send, MPI_COMM_WORLD);
                Elements recv(r.kind.type, r.count);
                Carpool_Request request = CARPOOL_REQUEST_NULL;
                const auto info = info_of({{"carpool_algorithm", order}});
                BOOST_TEST_REQUIRE(
                    make_call(r, send, recv, {Form::persistent, grid.cart, info, &request}) ==
                    MPI_SUCCESS);
                Carpool_Start(&request);
                Carpool_Wait(&request, MPI_STATUS_IGNORE);
                Carpool_Request_free(&request);
                BOOST_TEST((recv == expected), r.text() << ", " << order);
            }
}

BOOST_AUTO_TEST_CASE(nonpersistent_calls_follow_the_plan_in_the_environment) {
    for (const char* order : {"basis:4", "basis:9/2"}) {
        const Environment environment("CARPOOL_ALGORITHM", order);
        for (const bool mesh : {false, true}) {
            const GridNeighborhood grid(mesh ? mesh_of(2) : torus_of(2), moore(2, 2));
            for (const auto operation : operations) {
                auto exchange = grid.exchange(operation);
                for (int call = 0; call < 2; ++call)
                    BOOST_TEST(run_once(exchange, Form::blocking, grid.cart) == "", order);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(short_blocks_take_a_plan_of_few_rounds_and_long_ones_of_many) {
    const auto info =
        info_of({{"carpool_alpha", "1e-5"}, {"carpool_beta", "1e-9"}, {"carpool_sigma", "1e-6"}});
    const GridNeighborhood grid(mesh_of(1), moore(1, 7));
    if (world_size() < 8) return;
    MPI_Count rounds = 0;
    MPI_Count volume = 0;
    for (int count = 1; count <= 1 << 16; count *= 4) {
        std::vector<int> sent(static_cast<std::size_t>(14 * count));
        std::vector<int> received(sent.size());
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        BOOST_TEST_REQUIRE(
            Carpool_Neighbor_alltoall_init(sent.data(), count, MPI_INT, received.data(), count,
                                           MPI_INT, grid.cart, info, &request) == MPI_SUCCESS);
        const auto plan = plan_of(request);
        Carpool_Request_free(&request);
        BOOST_TEST(plan.rounds >= rounds);
        if (volume > 0) BOOST_TEST(plan.volume <= volume);
        if (count == 1) BOOST_TEST(plan.rounds == 2 * 3);  // 1, 2 and 4 of both signs
        rounds = plan.rounds;
        volume = plan.volume;
    }
    BOOST_TEST(rounds == 14);
}

BOOST_AUTO_TEST_CASE(a_plan_can_be_requested_by_the_name_that_it_reports) {
    const GridNeighborhood grid(mesh_of(1), moore(1, 7));
    const auto exchange = grid.exchange(Operation::alltoall);
    for (const char* order : orders) {
        const auto name = chosen(exchange, grid.cart, info_of({{"carpool_algorithm", order}}));
        BOOST_TEST(name.starts_with("basis:"), name);
        BOOST_TEST(chosen(exchange, grid.cart, info_of({{"carpool_algorithm", name.c_str()}})) ==
                   name);
        const auto plan = plan_of(exchange, grid.cart, order);
        int asked = 0;
        std::sscanf(order, "basis:%d", &asked);
        if (asked >= 6) BOOST_TEST(plan.rounds <= asked, order);
    }
}

BOOST_AUTO_TEST_CASE(with_many_ports_all_messages_are_sent_in_one_phase) {
    const GridNeighborhood grid(mesh_of(2), moore(2, 2));
    const auto exchange = grid.exchange(Operation::alltoall);
    const auto with = [&](const char* ports) {
        return chosen(exchange, grid.cart,
                      info_of({{"carpool_alpha", "1"},
                               {"carpool_beta", "0"},
                               {"carpool_sigma", "0"},
                               {"carpool_ports", ports}}));
    };
    BOOST_TEST(with("1") == "cartesian");
    BOOST_TEST(with("24") == "direct");
}

BOOST_AUTO_TEST_CASE(invalid_or_differing_ports_and_limits_are_refused) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    std::vector<int> sent(2), received(2);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto init_with = [&](MPI_Info info) {
        return Carpool_Neighbor_alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT,
                                              grid.cart, info, &request);
    };
    for (const char* ports : {"0", "-1", "many", "1.5"})
        expect_refusal("ports", grid.cart,
                       {MPI_ERR_INFO_VALUE,
                        {"carpool_ports in the info is '" + std::string(ports) + "', expected"}},
                       [&] { return init_with(info_of({{"carpool_ports", ports}})); });
    for (const char* rule : {"basis:", "basis:x", "cartesian:3", "basis:3/x"})
        expect_refusal("limits", grid.cart,
                       {MPI_ERR_INFO_VALUE,
                        {"carpool_algorithm in the info is '" + std::string(rule) + "', expected",
                         "basis:ROUNDS/PHASES"}},
                       [&] { return init_with(info_of({{"carpool_algorithm", rule}})); });
    if (world_size() == 1) return;
    const auto ports = info_of({{"carpool_ports", i_am_last() ? "4" : "2"}});
    expect_refusal("ports differ", grid.cart,
                   {MPI_ERR_ARG, {"carpool_ports", "2 on rank 0 and 4 " + last_rank()}},
                   [&] { return init_with(ports); });
    const auto limits = info_of({{"carpool_algorithm", i_am_last() ? "basis:4" : "basis:2"}});
    expect_refusal(
        "limits differ", grid.cart,
        {MPI_ERR_ARG, {"carpool_algorithm in rounds", "2 on rank 0 and 4 " + last_rank()}},
        [&] { return init_with(limits); });
    int one = 1;
    int sum = 0;
    expect_refusal("of a collective", MPI_COMM_WORLD,
                   {MPI_ERR_ARG, {"carpool_ports", "2 on rank 0 and 4 " + last_rank()}},
                   [&] { return allreduce_init(&one, &sum, 1, MPI_SUM, ports, &request); });
}

BOOST_AUTO_TEST_SUITE_END()
