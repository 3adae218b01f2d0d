// SPDX-License-Identifier: MIT
// ranks: 1 2 4 6
// sanitize-ranks: none
//
// Bad topologies are refused: with the same error on all ranks, and without a communicator as the
// result.

#include <boost/test/unit_test.hpp>

#include "grid_neighborhood.hpp"
#include "refusal.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_errors_topology)

namespace {

using namespace carpool::tests;

/// The arguments of Carpool_Cart_neighborhood_create. Empty lists are passed as null.
struct Arguments {
    int d = 2;
    std::vector<int> dims = balanced_dims(world_size(), 2);
    std::vector<int> periods = {1, 1};
    int t = 3;
    std::vector<int> offsets = {0, 1, 1, 0, -1, -1};
    std::vector<int> weights = {5, 6, 7};
    const char* rule = "cartesian";

    int create(MPI_Comm comm, MPI_Comm* cart) const {
        const auto info = info_of({{"carpool_algorithm", rule}});
        return Carpool_Cart_neighborhood_create(comm, d, list(dims), list(periods), t,
                                                list(offsets), list(weights), info, 0, cart);
    }

private:
    static const int* list(const std::vector<int>& values) {
        return values.empty() ? nullptr : values.data();
    }
};

struct Fault {
    std::string name;
    std::function<void(Arguments&)> spoil;
    ExpectedError expected_error;
};

/// Mistakes that a single rank can notice.
std::vector<Fault> faults() {
    return {
        {"d = 0", [](auto& a) { a.d = 0; }, {MPI_ERR_DIMS, {"d is 0", "at least 1"}}},
        {"d < 0", [](auto& a) { a.d = -2; }, {MPI_ERR_DIMS, {"d is -2", "at least 1"}}},
        {"a dimension of 0", [](auto& a) { a.dims[1] = 0; }, {MPI_ERR_DIMS, {"dims[1]", "0"}}},
        {"a negative dimension",
         [](auto& a) { a.dims[0] = -4; },
         {MPI_ERR_DIMS, {"dims[0]", "-4"}}},
        {"a product too large",
         [](auto& a) { a.dims = {world_size(), 2}; },
         {MPI_ERR_DIMS, {"dims", std::to_string(2 * world_size())}}},
        {"a product that overflows",
         [](auto& a) { a.dims = {1 << 30, 1 << 30}; },
         {MPI_ERR_DIMS, {"dims", "1073741824"}}},
        {"null dims", [](auto& a) { a.dims.clear(); }, {MPI_ERR_ARG, {"dims", "null"}}},
        {"null periods", [](auto& a) { a.periods.clear(); }, {MPI_ERR_ARG, {"periods", "null"}}},
        {"t < 0", [](auto& a) { a.t = -1; }, {MPI_ERR_ARG, {"t is -1", "at least 0"}}},
        {"null offsets",
         [](auto& a) { a.offsets.clear(); },
         {MPI_ERR_ARG, {"targetrelative", "null"}}},
        {"null weights", [](auto& a) { a.weights.clear(); }, {MPI_ERR_ARG, {"weight", "null"}}},
        {"an unknown rule",
         [](auto& a) { a.rule = "teleport"; },
         {MPI_ERR_INFO_VALUE, {"carpool_algorithm", "teleport", "cartesian"}}},
    };
}

/// Arguments that differ from those of other ranks.
std::vector<Fault> differences() {
    return {
        {"another d",
         [](auto& a) { a = {1, {world_size()}, {1}, 3, {0, 1, 2}, {5, 6, 7}}; },
         {MPI_ERR_ARG, {"d is ", "1 on rank"}}},
        {"other periods", [](auto& a) { a.periods[1] = 0; }, {MPI_ERR_ARG, {"periods[1]"}}},
        {"other dims", [](auto& a) { a.dims = {1, world_size()}; }, {MPI_ERR_ARG, {"dims[0]"}}},
        {"a shorter list", [](auto& a) { a.t = 2; }, {MPI_ERR_ARG, {"t is ", "2 on rank"}}},
        {"another offset",
         [](auto& a) { a.offsets[3] = 9; },
         {MPI_ERR_ARG, {"targetrelative[3]", "9"}}},
        {"another order",
         [](auto& a) { a.offsets = {1, 0, 0, 1, -1, -1}; },
         {MPI_ERR_ARG, {"targetrelative[0]"}}},
        {"another weight", [](auto& a) { a.weights[2] = 70; }, {MPI_ERR_ARG, {"weight[2]", "70"}}},
        {"another rule", [](auto& a) { a.rule = "direct"; }, {MPI_ERR_ARG, {"algorithm"}}},
    };
}

Comm own_world() {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return Comm(comm);
}

void try_fault(const Fault& fault, bool here) {
    const auto comm = own_world();
    Arguments arguments;
    if (here) fault.spoil(arguments);
    MPI_Comm cart = MPI_COMM_NULL;
    expect_refusal(fault.name, comm, fault.expected_error,
                   [&] { return arguments.create(comm, &cart); });
    BOOST_TEST((cart == MPI_COMM_NULL), fault.name << ": there is a communicator");
    BOOST_TEST(Arguments{}.create(comm, &cart) == MPI_SUCCESS, "after " << fault.name);
    MPI_Comm_free(&cart);
}

bool i_am_last() { return world_rank() == world_size() - 1; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_mistake_of_all_ranks_is_refused) {
    for (const Fault& fault : faults()) try_fault(fault, true);
}

BOOST_AUTO_TEST_CASE(a_mistake_of_one_rank_is_refused_on_all) {
    for (const Fault& fault : faults()) try_fault(fault, i_am_last());
}

BOOST_AUTO_TEST_CASE(lists_that_differ_between_ranks_are_refused) {
    if (world_size() == 1) return;
    for (const Fault& fault : differences())
        if (fault.name != "other dims" || world_size() > 3) try_fault(fault, i_am_last());
}

BOOST_AUTO_TEST_CASE(weights_on_some_ranks_only_are_refused) {
    if (world_size() == 1) return;
    const auto comm = own_world();
    const int n = world_size(), periodic = 1, offset = 1, weight = 1;
    MPI_Comm cart = MPI_COMM_NULL;
    expect_refusal("weights", comm, {MPI_ERR_ARG, {"weight"}}, [&] {
        return Carpool_Cart_neighborhood_create(comm, 1, &n, &periodic, 1, &offset,
                                                i_am_last() ? MPI_UNWEIGHTED : &weight,
                                                MPI_INFO_NULL, 0, &cart);
    });
}

BOOST_AUTO_TEST_CASE(periods_are_compared_as_logical_values) {
    const int n = world_size(), periodic = 1 + world_rank(), offset = 1;
    const auto comm = own_world();
    MPI_Comm cart = MPI_COMM_NULL;
    BOOST_TEST(Carpool_Cart_neighborhood_create(comm, 1, &n, &periodic, 1, &offset, MPI_UNWEIGHTED,
                                                MPI_INFO_NULL, 0, &cart) == MPI_SUCCESS);
    MPI_Comm_free(&cart);
}

BOOST_AUTO_TEST_CASE(an_intercommunicator_is_refused) {
    if (world_size() == 1) return;
    MPI_Comm half, inter, cart = MPI_COMM_NULL;
    const bool low = world_rank() < world_size() / 2;
    MPI_Comm_split(MPI_COMM_WORLD, low, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? world_size() / 2 : 0, 0, &inter);
    const Comm owned_half(half), owned(inter);
    expect_refusal("intercommunicator", inter, {MPI_ERR_COMM, {"comm", "intercommunicator"}},
                   [&] { return Arguments{}.create(inter, &cart); });
    expect_refusal("intercommunicator", inter, {MPI_ERR_COMM, {"comm", "intercommunicator"}}, [&] {
        return Carpool_Neighbor_alltoall(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, inter);
    });
}

BOOST_AUTO_TEST_CASE(the_null_communicator_is_refused) {
    MPI_Comm cart = MPI_COMM_NULL;
    expect_refusal("null communicator", MPI_COMM_SELF, {MPI_ERR_COMM, {"comm", "MPI_COMM_NULL"}},
                   [&] { return Arguments{}.create(MPI_COMM_NULL, &cart); });
    expect_refusal("null communicator", MPI_COMM_SELF, {MPI_ERR_COMM, {"comm", "MPI_COMM_NULL"}},
                   [&] {
                       return Carpool_Neighbor_alltoall(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT,
                                                        MPI_COMM_NULL);
                   });
}

BOOST_AUTO_TEST_CASE(an_iso_neighborhood_needs_a_cartesian_communicator) {
    const auto comm = own_world();
    const int offset = 1;
    MPI_Comm iso = MPI_COMM_NULL;
    expect_refusal("no topology", comm, {MPI_ERR_TOPOLOGY, {"cartcomm", "Cartesian"}},
                   [&] { return Carpool_Iso_neighborhood_create(comm, 1, &offset, &iso); });
}

BOOST_AUTO_TEST_CASE(an_iso_neighborhood_refuses_negative_lengths_and_other_lists) {
    const int n = world_size(), periodic = 1, offset = i_am_last() ? 2 : 1;
    MPI_Comm plain, iso = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &periodic, 0, &plain);
    const Comm owned(plain);
    expect_refusal("s < 0", plain, {MPI_ERR_ARG, {"s is -1"}},
                   [&] { return Carpool_Iso_neighborhood_create(plain, -1, &offset, &iso); });
    expect_refusal("null list", plain, {MPI_ERR_ARG, {"relative_coordinates", "null"}},
                   [&] { return Carpool_Iso_neighborhood_create(plain, 1, nullptr, &iso); });
    if (world_size() == 1) return;
    expect_refusal("lists differ", plain, {MPI_ERR_ARG, {"relative_coordinates", "1", "2"}},
                   [&] { return Carpool_Iso_neighborhood_create(plain, 1, &offset, &iso); });
}

BOOST_AUTO_TEST_SUITE_END()
