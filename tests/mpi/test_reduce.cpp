// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4 7
// nightly-ranks: 6 8 12
// sanitize-ranks: 2 4
//
// Both neighborhood reductions, in all forms and by every rule, compared with the oracle.

#include <boost/test/unit_test.hpp>

#include "environment.hpp"
#include "grid_cases.hpp"
#include "operators.hpp"
#include "reduction.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_reduce)

namespace {

using namespace carpool::tests;

constexpr const char* algorithms[] = {"direct", "torus", "cartesian", "basis", "node", "auto"};

/// A rank without sources or with zero elements does not write its buffer.
Elements reduced_by_carpool(const Reduction& r, Elements& send, const CallForm& form) {
    Elements recv(r.kind.type, r.count);
    BOOST_TEST(make_call(r, send, recv, form) == MPI_SUCCESS);
    if (is_nonblocking(form.form)) MPI_Wait(form.once, MPI_STATUS_IGNORE);
    return recv;
}

void check_persistent(const Reduction& r, const CallForm& form) {
    Elements send = operands(r, world_rank(), 0);
    Elements recv(r.kind.type, r.count);
    BOOST_TEST(make_call(r, send, recv, form) == MPI_SUCCESS);
    for (int start = 0; start < 3; ++start) {
        const auto fresh = operands(r, world_rank(), start);
        const auto expected = reduced_naively(r, fresh, MPI_COMM_WORLD);
        send = fresh;
        Carpool_Start(form.request);
        Carpool_Wait(form.request, MPI_STATUS_IGNORE);
        BOOST_TEST((recv == expected), r.text() << ", start " << start);
        BOOST_TEST((send == fresh), r.text() << ": the send buffer has changed");
    }
    Carpool_Request_free(form.request);
}

void check(const Reduction& r, const CallForm& form) {
    if (is_persistent(form.form)) return check_persistent(r, form);
    auto send = operands(r, world_rank(), 0);
    const auto expected = reduced_naively(r, send, MPI_COMM_WORLD);
    BOOST_TEST((reduced_by_carpool(r, send, form) == expected), r.text()
                                                                    << ", " << name_of(form.form));
}

/// Runs every form by some rule, with some count.
void check_forms(Reduction r, std::mt19937& rng) {
    const auto* algorithm = algorithms[rng() % std::size(algorithms)];
    const auto info = info_of({{"carpool_algorithm", algorithm}});
    const auto comm = neighborhood(r.torus, r.pattern, info);
    r.count = std::vector{0, 1, 3, 40}[rng() % 4];
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    MPI_Request once = MPI_REQUEST_NULL;
    BOOST_TEST_CONTEXT(algorithm) {
        check(r, {forms[rng() % std::size(forms)], comm, MPI_INFO_NULL, &request, &once});
    }
}

Torus ring() { return {{world_size()}, {1}}; }

MPI_Datatype expected_handle = MPI_DATATYPE_NULL;
int other_handles = 0;

void add_pairs_and_look_at_the_handle(void* in, void* inout, int* count, MPI_Datatype* type) {
    if (*type != expected_handle) ++other_handles;
    for (int i = 0; i < 2 * *count; ++i)
        static_cast<int*>(inout)[i] += static_cast<const int*>(in)[i];
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_operator_and_form_gives_what_the_oracle_gives) {
    auto rng = seeded();
    const Kinds kinds;
    for (const auto& place : grid_cases(world_size(), rng))
        for (const bool scatters : {false, true}) {
            const auto all = kinds.all();
            for (int n = 0; n < 2; ++n)
                check_forms({place.torus, place.pattern, all[rng() % all.size()], scatters, 1},
                            rng);
        }
}

BOOST_AUTO_TEST_CASE(every_rule_form_and_kind_works_on_a_small_neighborhood) {
    const Kinds kinds;
    const Pattern pattern{"a few", 1, {1, -1, 0, 1, 2}};
    for (const auto* algorithm : algorithms) {
        const auto info = info_of({{"carpool_algorithm", algorithm}});
        const auto comm = neighborhood(ring(), pattern, info);
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        MPI_Request once = MPI_REQUEST_NULL;
        for (const auto& kind : kinds.all())
            for (const bool scatters : {false, true})
                for (const auto form : forms)
                    check({ring(), pattern, kind, scatters, 2},
                          {form, comm, MPI_INFO_NULL, &request, &once});
    }
}

// A small torus has fewer neighbors than offsets, so figures of the papers are checked on a mesh.
BOOST_AUTO_TEST_CASE(a_reduction_takes_the_rounds_of_allgather_and_no_more_volume) {
    for (const int period : {0, 1}) {
        const auto pattern = moore(2, 1);
        const Torus grid{balanced_dims(world_size(), 2), {period, period}};
        const auto info = info_of({{"carpool_algorithm", "cartesian"}});
        const auto comm = neighborhood(grid, pattern, info);
        std::vector<int> send(8), recv(8);
        const auto plan_of = [](Carpool_Request request) {
            Carpool_Plan plan;
            Carpool_Request_get_plan(request, &plan);
            Carpool_Request_free(&request);
            return plan;
        };
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        Carpool_Neighbor_allgather_init(send.data(), 1, MPI_INT, recv.data(), 1, MPI_INT, comm,
                                        MPI_INFO_NULL, &request);
        const auto allgather = plan_of(request);
        Carpool_Neighbor_reduce_scatter_block_init(send.data(), recv.data(), 1, MPI_INT, MPI_SUM,
                                                   comm, MPI_INFO_NULL, &request);
        const auto scattered = plan_of(request);
        Carpool_Neighbor_reduce_init(send.data(), recv.data(), 1, MPI_INT, MPI_SUM, comm,
                                     MPI_INFO_NULL, &request);
        const auto reduced = plan_of(request);
        for (const auto& plan : {scattered, reduced}) BOOST_TEST(plan.rounds == allgather.rounds);
        BOOST_TEST(scattered.volume == allgather.volume);
        BOOST_TEST(reduced.volume <= allgather.volume);
        if (period != 0) {
            BOOST_TEST(scattered.bytes == allgather.bytes);
        } else {
            BOOST_TEST(allgather.volume == 8);
            BOOST_TEST(reduced.volume == 4);
        }
    }
}

BOOST_AUTO_TEST_CASE(an_operator_that_does_not_commute_takes_rule_direct) {
    const Kinds kinds;
    const auto comm = neighborhood(ring(), {"both sides", 1, {-1, 1}},
                                   info_of({{"carpool_algorithm", "cartesian"}}));
    Reduction r{ring(), {"both sides", 1, {-1, 1}}, kinds.all().back(), false, 1};
    auto send = operands(r, world_rank(), 0);
    Elements recv(r.kind.type, r.count);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    make_call(r, send, recv, {Form::persistent, comm, MPI_INFO_NULL, &request});
    Carpool_Plan plan;
    Carpool_Request_get_plan(request, &plan);
    BOOST_TEST(std::string(plan.algorithm) == "direct");
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(operators_that_cannot_reduce_are_refused_on_all_ranks) {
    const Kinds kinds;
    const Pattern pattern{"both sides", 1, {-1, 1}};
    const auto comm = neighborhood(ring(), pattern);
    const auto affine = kinds.all().back().type;
    struct Fault {
        const char* name;
        MPI_Datatype type;
        MPI_Op op;
        ExpectedError expected_error;
    };
    const Fault faults[] = {
        {"null", MPI_INT, MPI_OP_NULL, {MPI_ERR_OP, {"op", "MPI_OP_NULL"}}},
        {"replace", MPI_INT, MPI_REPLACE, {MPI_ERR_OP, {"op", "MPI_REPLACE"}}},
        {"no-op", MPI_INT, MPI_NO_OP, {MPI_ERR_OP, {"op", "MPI_NO_OP"}}},
        {"and of doubles", MPI_DOUBLE, MPI_BAND, {MPI_ERR_OP, {"op", "MPI_DOUBLE"}}},
        {"minloc of ints", MPI_INT, MPI_MINLOC, {MPI_ERR_OP, {"op", "MPI_INT"}}},
        {"sum of a derived type", affine, MPI_SUM, {MPI_ERR_OP, {"op", "derived"}}},
        {"null type", MPI_DATATYPE_NULL, MPI_SUM, {MPI_ERR_TYPE, {"datatype"}}}};
    for (const auto& fault : faults)
        for (const bool scatters : {false, true})
            for (const auto form : {Form::blocking, Form::persistent})
                expect_refusal(fault.name, comm, fault.expected_error, [&] {
                    Reduction r{
                        ring(), pattern, {"", MPI_DOUBLE_INT, fault.op, true, {}}, scatters, 1};
                    Elements send(MPI_DOUBLE_INT, 4), recv(MPI_DOUBLE_INT, 4);
                    const auto untouched = recv;
                    r.kind.type = fault.type;
                    Carpool_Request request = CARPOOL_REQUEST_NULL;
                    const int code =
                        make_call(r, send, recv, {form, comm, MPI_INFO_NULL, &request});
                    BOOST_TEST((recv == untouched));
                    return code;
                });
}

BOOST_AUTO_TEST_CASE(a_mistake_of_one_rank_is_refused_on_all) {
    const Environment careful("CARPOOL_CHECK", "all");
    const Pattern pattern{"both sides", 1, {-1, 1}};
    const auto comm = neighborhood(ring(), pattern);
    const bool mistaken = world_rank() == world_size() - 1;
    int send[2] = {1, 2}, recv[2] = {3, 4};
    expect_refusal("negative count", comm, {MPI_ERR_COUNT, {"count", "-2"}}, [&] {
        return Carpool_Neighbor_reduce(send, recv, mistaken ? -2 : 1, MPI_INT, MPI_SUM, comm);
    });
    expect_refusal("negative recvcount", comm, {MPI_ERR_COUNT, {"recvcount", "-2"}}, [&] {
        return Carpool_Neighbor_reduce_scatter_block(send, recv, mistaken ? -2 : 1, MPI_INT,
                                                     MPI_SUM, comm);
    });
    expect_refusal("in place", comm, {MPI_ERR_BUFFER, {"sendbuf", "MPI_IN_PLACE"}}, [&] {
        return Carpool_Neighbor_reduce(mistaken ? MPI_IN_PLACE : send, recv, 1, MPI_INT, MPI_SUM,
                                       comm);
    });
    if (world_size() > 1)
        expect_refusal("sizes that differ", comm, {MPI_ERR_ARG, {"size in bytes"}}, [&] {
            return Carpool_Neighbor_reduce(send, recv, mistaken ? 2 : 1, MPI_INT, MPI_SUM, comm);
        });
    BOOST_TEST(recv[0] == 3);
}

BOOST_AUTO_TEST_CASE(an_operator_sees_the_datatype_of_the_call_also_when_it_has_been_freed) {
    const auto comm = neighborhood(ring(), {"both sides and itself", 1, {-1, 0, 1}});
    const auto op = op_of(add_pairs_and_look_at_the_handle, true);
    const int send[2] = {1, 2};
    int recv[2];
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    expected_handle = pair;
    other_handles = 0;
    BOOST_TEST(Carpool_Neighbor_reduce(send, recv, 1, pair, op, comm) == MPI_SUCCESS);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    Carpool_Neighbor_reduce_init(send, recv, 1, pair, op, comm, MPI_INFO_NULL, &request);
    MPI_Type_free(&pair);
    std::vector<Type> others;  // may reuse the handle that was freed
    for (int i = 0; i < 20; ++i) {
        MPI_Type_contiguous(3, MPI_DOUBLE, &pair);
        others.push_back(committed(pair));
    }
    for (int start = 0; start < 3; ++start) {
        recv[0] = recv[1] = -1;
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
        BOOST_TEST(recv[0] == 3);
        BOOST_TEST(recv[1] == 6);
    }
    Carpool_Request_free(&request);
    BOOST_TEST(other_handles == 0);
}

BOOST_AUTO_TEST_SUITE_END()
