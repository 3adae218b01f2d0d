// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4 6 7 8
// nightly-ranks: 12
// sanitize-ranks: 1 4 6
//
// The halo call compared with a serial array: random shapes, widths, orders, periods, stencils,
// rules.

#include <boost/test/unit_test.hpp>

#include "environment.hpp"
#include "grid_cases.hpp"
#include "halo_array.hpp"
#include "random_halo.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <algorithm>
#include <utility>

BOOST_AUTO_TEST_SUITE(test_halo)

namespace {

using namespace carpool::tests;

/// Compares all cells after each of three starts with changed contents.
void check(const HaloCase& halo, MPI_Comm cart, MPI_Info info) {
    HaloArrays arrays(halo, world_rank(), 0, HaloArrays::Filled::owned);
    HaloCall call(halo, arrays.addresses());
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    BOOST_REQUIRE(Carpool_Halo_init(&call.arguments, cart, info, &request) == MPI_SUCCESS);
    call.element.release();
    for (int start = 0; start < 3; ++start) {
        HaloArrays fresh(halo, world_rank(), start, HaloArrays::Filled::owned);
        const HaloArrays wanted(halo, world_rank(), start, HaloArrays::Filled::all);
        arrays.take(fresh);
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
        BOOST_TEST((arrays == wanted), halo.text() << ", start " << start);
    }
    Carpool_Request_free(&request);
}

/// Takes every second cell of a row and every third row of a larger array: the halo is the same as
/// in a dense array, and nothing else is written.
void check_strided(const HaloCase& halo, MPI_Comm cart) {
    HaloArrays arrays(halo, world_rank(), 0, HaloArrays::Filled::owned);
    const HaloArrays wanted(halo, world_rank(), 0, HaloArrays::Filled::all);
    HaloCall call(halo, arrays.addresses());
    using Cell = std::int64_t;
    const auto length = [&](std::size_t k) {
        return static_cast<std::size_t>(call.lower[k] + call.shape[k] + call.upper[k]);
    };
    const std::size_t across = 2 * length(1);
    const std::size_t cells = length(0) * length(1);
    std::vector<Cell> larger(3 * length(0) * across, HaloArrays::poison);
    const auto place = [&](std::size_t i) {  // the last rows first
        const bool is_c = halo.order == MPI_ORDER_C;
        const auto y = is_c ? i / length(1) : i % length(0);
        const auto x = is_c ? i % length(1) : i / length(0);
        return 3 * (length(0) - 1 - y) * across + 2 * x;
    };
    auto* const dense = static_cast<Cell*>(call.field[0]);
    for (std::size_t i = 0; i < cells; ++i) larger[place(i)] = dense[i];
    void* first = larger.data() + place(0);
    call.arguments.field = &first;
    const MPI_Aint strides[] = {-3 * static_cast<MPI_Aint>(across * sizeof(Cell)),
                                2 * sizeof(Cell)};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    BOOST_REQUIRE(Carpool_Halo_init_strided(&call.arguments, strides, cart, MPI_INFO_NULL,
                                            &request) == MPI_SUCCESS);
    Carpool_Start(&request);
    Carpool_Wait(&request, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < cells; ++i)
        dense[i] = std::exchange(larger[place(i)], HaloArrays::poison);
    BOOST_TEST((arrays == wanted), halo.text() << ", strided");
    BOOST_TEST(std::count(larger.begin(), larger.end(), HaloArrays::poison) ==
               static_cast<std::ptrdiff_t>(larger.size()));
    Carpool_Request_free(&request);
}

HaloCase cube(int d, int cells, int width, Pattern stencil) {
    HaloCase halo;
    const auto n = static_cast<std::size_t>(d);
    halo.torus = {balanced_dims(world_size(), d), std::vector<int>(n, 1)};
    for (const int ranks : halo.torus.dims)
        halo.extents.emplace_back(static_cast<std::size_t>(ranks), cells);
    halo.lower = halo.upper = std::vector<int>(n, width);
    halo.stencil = std::move(stencil);
    return halo;
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_halos_hold_what_a_serial_array_holds) {
    auto rng = seeded();
    for (int n = 0; n < 60; ++n) {
        const auto halo = random_halo(rng);
        const auto cart = cartesian(halo.torus);
        const char* algorithm = std::vector{"auto", "direct", "cartesian"}[rng() % 3];
        const char* transfer = std::vector{"auto", "pack", "types"}[rng() % 3];
        check(halo, cart,
              info_of({{"carpool_algorithm", algorithm}, {"carpool_transfer", transfer}}));
    }
}

BOOST_AUTO_TEST_CASE(sections_of_larger_arrays_get_halos_and_nothing_else_is_written) {
    for (const int order : {MPI_ORDER_C, MPI_ORDER_FORTRAN}) {
        auto halo = cube(2, 4, 2, moore(2, 1));
        halo.order = order;
        check_strided(halo, cartesian(halo.torus));
    }
}

BOOST_AUTO_TEST_CASE(other_rules_apply_where_they_carry_the_halo) {
    const auto halo = cube(2, 3, 1, moore(2, 1));
    check(halo, cartesian(halo.torus), info_of({{"carpool_algorithm", "torus"}}));
    if (world_size() < 3) return;  // both sides lead to the same rank, by the same hop
    const auto sides = cube(1, 3, 1, moore(1, 1));
    check(sides, cartesian(sides.torus), info_of({{"carpool_algorithm", "basis"}}));
}

BOOST_AUTO_TEST_CASE(limits_in_the_environment_are_a_preference_that_does_not_apply) {
    const Environment environment("CARPOOL_ALGORITHM", "basis:10/2");
    const auto halo = cube(2, 3, 1, moore(2, 1));
    const auto cart = cartesian(halo.torus);
    check(halo, cart, MPI_INFO_NULL);
}

BOOST_AUTO_TEST_CASE(a_measured_halo_is_right_too) {
    for (const int cells : {1, 6}) {
        const auto halo = cube(2, cells, 1, moore(2, 1));
        const auto cart = cartesian(halo.torus);
        check(halo, cart, info_of({{"carpool_choice", "measure"}}));
    }
}

BOOST_AUTO_TEST_CASE(a_neighborhood_can_carry_halos_of_several_shapes_at_once) {
    const auto small = cube(2, 3, 1, moore(2, 1));
    const auto large = cube(2, 7, 2, von_neumann(2, 1));
    const auto comm = neighborhood(small.torus, moore(2, 1));
    check(small, comm, MPI_INFO_NULL);
    check(large, comm, MPI_INFO_NULL);
}

BOOST_AUTO_TEST_CASE(a_halo_outlives_its_communicator) {
    const auto halo = cube(2, 3, 1, moore(2, 1));
    HaloArrays arrays(halo, world_rank(), 0, HaloArrays::Filled::owned);
    HaloCall call(halo, arrays.addresses());
    Carpool_Request requests[2];
    {
        const auto cart = cartesian(halo.torus);
        for (auto& request : requests)
            Carpool_Halo_init(&call.arguments, cart, MPI_INFO_NULL, &request);
    }
    for (auto& request : requests) {
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
        Carpool_Request_free(&request);
    }
    BOOST_TEST((arrays == HaloArrays(halo, world_rank(), 0, HaloArrays::Filled::all)));
}

BOOST_AUTO_TEST_CASE(halos_may_be_started_in_different_orders_on_different_ranks) {
    const auto first = cube(2, 3, 1, moore(2, 1));
    const auto second = cube(2, 3, 2, von_neumann(2, 1));
    const auto cart = cartesian(first.torus);
    HaloArrays a(first, world_rank(), 0, HaloArrays::Filled::owned);
    HaloArrays b(second, world_rank(), 0, HaloArrays::Filled::owned);
    HaloCall call_a(first, a.addresses()), call_b(second, b.addresses());
    Carpool_Request requests[2];
    Carpool_Halo_init(&call_a.arguments, cart, MPI_INFO_NULL, &requests[0]);
    Carpool_Halo_init(&call_b.arguments, cart, MPI_INFO_NULL, &requests[1]);
    for (int start = 0; start < 20; ++start) {
        const int one = (world_rank() + start) % 2;
        Carpool_Start(&requests[one]);
        Carpool_Start(&requests[1 - one]);
        Carpool_Wait(&requests[one], MPI_STATUS_IGNORE);
        Carpool_Wait(&requests[1 - one], MPI_STATUS_IGNORE);
    }
    for (auto& request : requests) Carpool_Request_free(&request);
    BOOST_TEST((a == HaloArrays(first, world_rank(), 0, HaloArrays::Filled::all)));
    BOOST_TEST((b == HaloArrays(second, world_rank(), 0, HaloArrays::Filled::all)));
}

BOOST_AUTO_TEST_CASE(a_27_point_halo_takes_a_message_per_neighbor_and_dimension) {
    const auto halo = cube(3, 4, 2, moore(3, 1));
    int messages = 0;  // both sides share a message on 2 ranks, and need none on 1
    for (const int ranks : halo.torus.dims) messages += std::min(ranks - 1, 2);
    HaloArrays arrays(halo, world_rank(), 0, HaloArrays::Filled::owned);
    HaloCall call(halo, arrays.addresses());
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    Carpool_Halo_init(&call.arguments, cartesian(halo.torus),
                      info_of({{"carpool_algorithm", "cartesian"}}), &request);
    Carpool_Plan plan;
    Carpool_Request_get_plan(request, &plan);
    BOOST_TEST(plan.rounds == 6);
    BOOST_TEST(plan.messages == messages);
    const bool all_sent = *std::min_element(halo.torus.dims.begin(), halo.torus.dims.end()) > 1;
    if (all_sent) BOOST_TEST(plan.bytes == (8 * 8 * 8 - 4 * 4 * 4) * 8);
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(invalid_halos_are_refused_on_all_ranks) {
    const auto good = cube(2, 3, 1, moore(2, 1));
    const auto cart = cartesian(good.torus);
    HaloArrays arrays(good, world_rank(), 0, HaloArrays::Filled::owned);
    const HaloArrays before = arrays;
    struct Fault {
        const char* name;
        std::function<void(HaloCall&)> spoil;
        ExpectedError expected_error;
    };
    const bool last = world_rank() == world_size() - 1;
    const Fault faults[] = {
        {"negative width", [](auto& c) { c.lower[1] = -1; }, {MPI_ERR_ARG, {"lower[1] is -1"}}},
        {"negative on one rank",
         [last](auto& c) {
             if (last) c.upper[0] = -4;
         },
         {MPI_ERR_ARG, {"upper[0] is -4"}}},
        {"too wide",
         [](auto& c) { c.upper[0] = 1000; },
         {MPI_ERR_ARG, {"upper[0] is 1000", "periodic"}}},
        {"stencil beyond the halo",
         [](auto& c) { c.offsets[0] = -3; },
         {MPI_ERR_ARG, {"stencil[0] is -3", "-1"}}},
        {"negative shape",
         [last](auto& c) {
             if (last) c.shape[0] = -2;
         },
         {MPI_ERR_DIMS, {"shape[0] is -2"}}},
        {"null field",
         [last](auto& c) {
             if (last) c.field[0] = nullptr;
         },
         {MPI_ERR_ARG, {"field[0]", "null"}}},
        {"null stencil",
         [](auto& c) { c.arguments.stencil = nullptr; },
         {MPI_ERR_ARG, {"stencil", "null"}}},
        {"null type",
         [](auto& c) { c.arguments.element = MPI_DATATYPE_NULL; },
         {MPI_ERR_TYPE, {"element"}}},
        {"odd order", [](auto& c) { c.arguments.order = 99; }, {MPI_ERR_ARG, {"order is 99"}}},
        {"negative fields",
         [](auto& c) { c.arguments.fields = -1; },
         {MPI_ERR_ARG, {"fields is -1"}}}};
    for (const auto& fault : faults)
        expect_refusal(fault.name, cart, fault.expected_error, [&] {
            HaloCall call(good, arrays.addresses());
            fault.spoil(call);
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            return Carpool_Halo_init(&call.arguments, cart, MPI_INFO_NULL, &request);
        });
    const ExpectedError differ[] = {{MPI_ERR_ARG, {"lower"}}, {MPI_ERR_DIMS, {"shape[1]"}}};
    for (const auto& expected_error : differ) {
        if (world_size() == 1) break;
        expect_refusal("differing " + expected_error.words[0], cart, expected_error, [&] {
            HaloCall call(good, arrays.addresses());
            if (last) (expected_error.words[0] == "lower" ? call.lower : call.shape)[1] += 1;
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            return Carpool_Halo_init(&call.arguments, cart, MPI_INFO_NULL, &request);
        });
    }
    expect_refusal("no rule", cart, {MPI_ERR_INFO_VALUE, {"carpool_algorithm", "nonsense"}}, [&] {
        HaloCall call(good, arrays.addresses());
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        return Carpool_Halo_init(&call.arguments, cart,
                                 info_of({{"carpool_algorithm", "nonsense"}}), &request);
    });
    expect_refusal("limits", cart, {MPI_ERR_INFO_VALUE, {"carpool_algorithm", "basis:10/2"}}, [&] {
        HaloCall call(good, arrays.addresses());
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        return Carpool_Halo_init(&call.arguments, cart,
                                 info_of({{"carpool_algorithm", "basis:10/2"}}), &request);
    });
    expect_refusal("no argument", cart, {MPI_ERR_ARG, {"null"}}, [&] {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        return Carpool_Halo_init(nullptr, cart, MPI_INFO_NULL, &request);
    });
    BOOST_TEST((arrays == before));
}

BOOST_AUTO_TEST_SUITE_END()
