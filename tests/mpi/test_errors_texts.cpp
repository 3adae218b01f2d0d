// SPDX-License-Identifier: MIT
// ranks: 1 2 4
// sanitize-ranks: 2
//
// Mistakes of users: texts name the function that was called, the source of a value and the ranks
// that differ; operators that differ are refused.

#include <boost/test/unit_test.hpp>

#include "environment.hpp"
#include "error_cases.hpp"
#include "grid_neighborhood.hpp"
#include "operators.hpp"
#include "refusal.hpp"
#include "ring_calls.hpp"
#include "world.hpp"

#include <algorithm>
#include <array>
#include <numeric>

BOOST_AUTO_TEST_SUITE(test_errors_texts)

namespace {

using namespace carpool::tests;

}  // namespace

BOOST_AUTO_TEST_CASE(errors_name_the_function_whose_arguments_are_wrong) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    const std::array<int, 2> wrong{1, -1}, counts{1, 1}, displs{0, 1};
    std::array<int, 2> sent{}, received{};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto expected_error = [](const std::string& name) {
        return ExpectedError{MPI_ERR_COUNT,
                             {name + ": ", "sendcounts[1] is -1, expected at least 0"}};
    };
    expect_refusal("blocking", grid.cart, expected_error("Carpool_Neighbor_alltoallv"), [&] {
        return Carpool_Neighbor_alltoallv(sent.data(), wrong.data(), displs.data(), MPI_INT,
                                          received.data(), counts.data(), displs.data(), MPI_INT,
                                          grid.cart);
    });
    expect_refusal("nonblocking", grid.cart, expected_error("Carpool_Ineighbor_alltoallv"), [&] {
        MPI_Request once = MPI_REQUEST_NULL;
        const int code = Carpool_Ineighbor_alltoallv(sent.data(), wrong.data(), displs.data(),
                                                     MPI_INT, received.data(), counts.data(),
                                                     displs.data(), MPI_INT, grid.cart, &once);
        return code != MPI_SUCCESS ? code : MPI_Wait(&once, MPI_STATUS_IGNORE);
    });
    const auto name = "Carpool_Neighbor_alltoallv_init";
    expect_refusal("persistent", grid.cart, expected_error(name), [&] {
        return Carpool_Neighbor_alltoallv_init(sent.data(), wrong.data(), displs.data(), MPI_INT,
                                               received.data(), counts.data(), displs.data(),
                                               MPI_INT, grid.cart, MPI_INFO_NULL, &request);
    });
    expect_refusal("completion", MPI_COMM_SELF, {MPI_ERR_REQUEST, {"Carpool_Start: request"}},
                   [&] { return Carpool_Start(&request); });
}

BOOST_AUTO_TEST_CASE(errors_say_whether_a_setting_is_in_the_info_or_the_environment) {
    int one = 1, sum = 0;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto info = info_of({{"carpool_segment", "0"}});
    expect_refusal("info", MPI_COMM_WORLD,
                   {MPI_ERR_INFO_VALUE, {"carpool_segment in the info is '0', expected bytes"}},
                   [&] { return allreduce_init(&one, &sum, 1, MPI_SUM, info, &request); });
    const Environment environment("CARPOOL_SEGMENT", "wide");
    expect_refusal("environment", MPI_COMM_WORLD,
                   {MPI_ERR_INFO_VALUE,
                    {"carpool_segment in the environment (CARPOOL_SEGMENT) is 'wide', expected"}},
                   [&] { return allreduce_init(&one, &sum, 1, MPI_SUM, MPI_INFO_NULL, &request); });
}

BOOST_AUTO_TEST_CASE(an_init_names_a_rank_for_each_of_two_values) {
    if (world_size() == 1) return;
    std::array<int, 2> numbers{}, sums{};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("counts", MPI_COMM_WORLD, {MPI_ERR_ARG, {"is 4 on rank 0 and 8 " + last_rank()}},
                   [&] {
                       return allreduce_init(numbers.data(), sums.data(), i_am_last() ? 2 : 1,
                                             MPI_SUM, MPI_INFO_NULL, &request);
                   });
    const auto info = info_of({{"carpool_alpha", i_am_last() ? "0.25" : "0.5"},
                               {"carpool_beta", "0"},
                               {"carpool_sigma", "0"}});
    expect_refusal(
        "costs", MPI_COMM_WORLD,
        {MPI_ERR_ARG, {"carpool_alpha", "is 0.5 on rank 0 and 0.25 " + last_rank()}},
        [&] { return allreduce_init(numbers.data(), sums.data(), 1, MPI_SUM, info, &request); });
    const auto rule = info_of({{"carpool_algorithm", i_am_last() ? "ring" : "spread"}});
    expect_refusal(
        "rules", MPI_COMM_WORLD,
        {MPI_ERR_ARG, {"carpool_algorithm", "spread on rank 0 and ring " + last_rank()}},
        [&] { return allreduce_init(numbers.data(), sums.data(), 1, MPI_SUM, rule, &request); });
}

BOOST_AUTO_TEST_CASE(on_a_mesh_an_init_names_a_rank_for_each_size) {
    if (world_size() == 1) return;
    const GridNeighborhood line(mesh_of(1), moore(1, 1));
    std::array<int, 4> sent{}, received{};
    const int count = world_rank() == 0 ? 2 : 1;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("a mesh", line.cart, {MPI_ERR_ARG, {"size in bytes", "on rank 0", "on rank 1"}},
                   [&] {
                       return Carpool_Neighbor_alltoall_init(sent.data(), count, MPI_INT,
                                                             received.data(), count, MPI_INT,
                                                             line.cart, MPI_INFO_NULL, &request);
                   });
}

BOOST_AUTO_TEST_CASE(sizes_of_an_unevenly_divided_grid_are_refused_with_the_calls_that_take_them) {
    if (world_size() == 1) return;
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    const ExpectedError expected_error{
        MPI_ERR_ARG, {"expected the same", "Carpool_Halo_init", "MPI_Dist_graph_create_adjacent"}};
    std::array<int, 4> sent{}, received{};
    const int count = world_rank() == 0 ? 2 : 1;
    const std::array<int, 2> counts{count, count}, displs{0, 2};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("alltoallv", grid.cart, expected_error, [&] {
        return Carpool_Neighbor_alltoallv_init(sent.data(), counts.data(), displs.data(), MPI_INT,
                                               received.data(), counts.data(), displs.data(),
                                               MPI_INT, grid.cart, MPI_INFO_NULL, &request);
    });
    expect_refusal("allgather", grid.cart, expected_error, [&] {
        return Carpool_Neighbor_allgather_init(sent.data(), count, MPI_INT, received.data(), count,
                                               MPI_INT, grid.cart, MPI_INFO_NULL, &request);
    });
}

BOOST_AUTO_TEST_CASE(sizes_that_differ_on_one_rank_are_reported_in_bytes_with_counts_and_types) {
    const auto blocks = static_cast<std::size_t>(std::max(world_size(), 2));
    std::vector<int> out(2 * blocks), in(blocks);
    const ExpectedError expected_error{
        MPI_ERR_ARG,
        {"sendcount is 2 of MPI_INT (8 bytes) and recvcount is 1 of MPI_INT "
         "(4 bytes), expected as many bytes"}};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("alltoall", MPI_COMM_WORLD, expected_error, [&] {
        return Carpool_Alltoall_init(out.data(), 2, MPI_INT, in.data(), 1, MPI_INT, MPI_COMM_WORLD,
                                     MPI_INFO_NULL, &request);
    });
    const auto comm = declared_ring();
    for (auto* const init : {Carpool_Neighbor_alltoall_init, Carpool_Neighbor_allgather_init})
        expect_refusal("of neighbors", comm, expected_error, [&] {
            return init(out.data(), 2, MPI_INT, in.data(), 1, MPI_INT, comm, MPI_INFO_NULL,
                        &request);
        });
}

BOOST_AUTO_TEST_CASE(an_init_names_two_ranks_of_which_one_sends_what_the_other_does_not_expect) {
    if (world_size() == 1) return;
    const auto ranks = static_cast<std::size_t>(world_size());
    std::vector<int> out(2 * ranks), in(2 * ranks), ones(ranks, 1), displs(ranks);
    std::iota(displs.begin(), displs.end(), 0);
    auto counts = ones;
    if (i_am_last()) counts.front() = 2;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const ExpectedError expected_error{
        MPI_ERR_ARG,
        {"rank 0: rank " + std::to_string(world_size() - 1) +
         " sends 8 bytes to rank 0, which expects 1 of MPI_INT (4 bytes)"}};
    expect_refusal("alltoallv", MPI_COMM_WORLD, expected_error, [&] {
        return Carpool_Alltoallv_init(out.data(), counts.data(), displs.data(), MPI_INT, in.data(),
                                      ones.data(), displs.data(), MPI_INT, MPI_COMM_WORLD,
                                      MPI_INFO_NULL, &request);
    });
    expect_refusal("gatherv", MPI_COMM_WORLD, expected_error, [&] {
        return Carpool_Gatherv_init(out.data(), counts.front(), MPI_INT, in.data(), ones.data(),
                                    displs.data(), MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                                    &request);
    });
    const ExpectedError scattered{
        MPI_ERR_ARG,
        {": rank 0 sends 4 bytes to rank " + std::to_string(world_size() - 1) +
         ", which expects 2 of MPI_INT (8 bytes)"}};
    expect_refusal("scatterv", MPI_COMM_WORLD, scattered, [&] {
        return Carpool_Scatterv_init(out.data(), ones.data(), displs.data(), MPI_INT, in.data(),
                                     counts.front(), MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                                     &request);
    });
}

// ---- operators ----

BOOST_AUTO_TEST_CASE(operators_that_differ_between_ranks_are_refused) {
    if (world_size() == 1) return;
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    const auto own = op_of(add_spread, true);
    int one = 1, sum = 0;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    for (const MPI_Op there : {MPI_MAX, static_cast<MPI_Op>(own)}) {
        const auto op = i_am_last() ? there : MPI_SUM;
        const auto name = there == MPI_MAX ? "MPI_MAX" : "a user's operator that commutes";
        const ExpectedError expected_error{
            MPI_ERR_ARG, {"op is MPI_SUM on rank 0 and " + std::string(name) + ' ' + last_rank()}};
        expect_refusal("allreduce", MPI_COMM_WORLD, expected_error,
                       [&] { return allreduce_init(&one, &sum, 1, op, MPI_INFO_NULL, &request); });
        expect_refusal("neighbors", grid.cart, expected_error, [&] {
            return Carpool_Neighbor_reduce_init(&one, &sum, 1, MPI_INT, op, grid.cart,
                                                MPI_INFO_NULL, &request);
        });
    }
}

BOOST_AUTO_TEST_CASE(user_defined_operators_match_whatever_their_handles) {
    MPI_Op unused = MPI_OP_NULL;
    if (world_rank() == 0) MPI_Op_create(add_spread, 1, &unused);
    const auto op = op_of(add_spread, true);
    const auto type = [] {
        MPI_Datatype spread;
        MPI_Type_contiguous(spread_length, MPI_INT, &spread);
        return committed(spread);
    }();
    std::array<int, spread_length> one{1, 1, 1}, sum{};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    BOOST_TEST(Carpool_Allreduce_init(one.data(), sum.data(), 1, type, op, MPI_COMM_WORLD,
                                      MPI_INFO_NULL, &request) == MPI_SUCCESS);
    Carpool_Start(&request);
    Carpool_Wait(&request, MPI_STATUS_IGNORE);
    Carpool_Request_free(&request);
    BOOST_TEST(sum[0] == world_size());
    if (unused != MPI_OP_NULL) MPI_Op_free(&unused);
}

BOOST_AUTO_TEST_SUITE_END()
