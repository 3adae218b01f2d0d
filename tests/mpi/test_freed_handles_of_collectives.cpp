// SPDX-License-Identifier: MIT
// ranks: 1 2 3
// nightly-ranks: 4 6
// sanitize-ranks: 4
//
// Requests outlive handles that are freed, and coexist on several communicators.

#include <boost/test/unit_test.hpp>

#include "grid_neighborhood.hpp"
#include "requests_of_all_collectives.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <map>
#include <optional>

BOOST_AUTO_TEST_SUITE(test_freed_handles_of_collectives)

namespace {

using namespace carpool::tests;

Comm duplicate(MPI_Comm comm = MPI_COMM_WORLD) {
    MPI_Comm copy;
    MPI_Comm_dup(comm, &copy);
    return Comm(copy);
}

Comm split(int color, int key) {
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, color, key, &part);
    return Comm(part);
}

/// The collective with its contents computed in advance, since its types will be freed.
CollectiveCase remembered(CollectiveCase one_case, int starts) {
    std::map<int, Contents> before, after;
    for (int start = 0; start < starts; ++start) {
        before[start] = one_case.before(start);
        after[start] = one_case.after(start);
    }
    one_case.before = [before](int start) { return before.at(start); };
    one_case.after = [after](int start) { return after.at(start); };
    one_case.blur = [](Contents&) {};
    return one_case;
}

}  // namespace

BOOST_AUTO_TEST_CASE(types_may_be_freed_as_soon_as_an_init_returns) {
    constexpr int starts = 3;
    for (const auto what : all_collectives)
        for (const auto form : inits)
            for (const char* transfer : {"pack", "types"}) {
                if (reduces(what)) continue;
                std::optional<TypeFamily> family(families::six_integers());
                const auto seed = static_cast<unsigned>(form) + 5;
                CheckedCollective collective(remembered(
                    moving({what, world_size(), 0, false, false, 3, &*family, seed}, world_rank()),
                    starts));
                Carpool_Request request = CARPOOL_REQUEST_NULL;
                CollectiveVariant variant;
                variant.transfer = transfer;
                const auto info = variant.info();
                BOOST_TEST(collective.init({form, MPI_COMM_WORLD, info}, &request) == MPI_SUCCESS);
                family.reset();
                const auto other = families::structures();  // may reuse the freed handles
                for (int start = 0; start < starts; ++start) {
                    collective.prepare(start);
                    BOOST_TEST(started_and_completed(request, start) == MPI_SUCCESS);
                    BOOST_TEST(collective.fault() == "", name_of(what) << ", " << name_of(form));
                }
                Carpool_Request_free(&request);
            }
}

BOOST_AUTO_TEST_CASE(the_type_of_a_reduction_may_be_freed_as_soon_as_an_init_returns) {
    const auto op = op_of(compose_far, false);
    for (const auto what : all_collectives)
        for (const auto form : inits) {
            if (!reduces(what)) continue;
            auto type = committed(FarAffine::type());
            CheckedCollective collective(
                remembered(summing({what,
                                    world_size(),
                                    0,
                                    false,
                                    false,
                                    3,
                                    {"far", type, op, false, write_far_affine},
                                    1},
                                   world_rank()),
                           3));
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            BOOST_TEST(collective.init({form, MPI_COMM_WORLD}, &request) == MPI_SUCCESS);
            type.release();
            const auto other = families::structures();
            for (int start = 0; start < 3; ++start) {
                collective.prepare(start);
                BOOST_TEST(started_and_completed(request, start) == MPI_SUCCESS);
                BOOST_TEST(collective.fault() == "", name_of(what) << ", " << name_of(form));
            }
            Carpool_Request_free(&request);
        }
}

BOOST_AUTO_TEST_CASE(requests_outlive_their_communicator) {
    auto shared = seeded();
    auto own = own_generator(shared);
    const RandomCollectives samples;
    for (const bool at_once : {false, true}) {
        auto comm = duplicate();
        RequestsOfAllCollectives all(samples, comm, shared,
                                     {at_once ? Init::narrow_at_once : Init::narrow});
        if (at_once) BOOST_TEST(all.run(5, own) == "");  // planned only now
        comm.release();
        const auto another = duplicate();  // may reuse the handle
        for (int start = 0; start < 3; ++start) BOOST_TEST(all.run(start, own) == "");
    }
}

BOOST_AUTO_TEST_CASE(requests_that_are_active_outlive_their_communicator) {
    auto shared = seeded();
    auto own = own_generator(shared);
    const RandomCollectives samples;
    auto comm = duplicate();
    RequestsOfAllCollectives all(samples, comm, shared, {Init::narrow, Init::large});
    all.prepare(0);
    all.start_shuffled(own);
    comm.release();
    BOOST_TEST(Carpool_Waitall(all.size(), all.requests.data(), MPI_STATUSES_IGNORE) ==
               MPI_SUCCESS);
    BOOST_TEST(all.fault() == "");
}

BOOST_AUTO_TEST_CASE(collectives_run_at_once_on_a_communicator_its_duplicate_and_its_parts) {
    auto shared = seeded();
    auto own = own_generator(shared);
    const RandomCollectives samples;
    const auto copy = duplicate();
    const auto halves = split(world_rank() % 2, 0);
    const auto reversed = split(0, -world_rank());
    RequestsOfAllCollectives on_world(samples, MPI_COMM_WORLD, shared),
        on_copy(samples, copy, shared), on_halves(samples, halves, shared),
        on_reversed(samples, reversed, shared), on_self(samples, MPI_COMM_SELF, shared);
    std::vector<RequestsOfAllCollectives*> on_each{&on_world, &on_copy, &on_halves, &on_reversed,
                                                   &on_self};
    for (int start = 0; start < 3; ++start) {
        for (auto* one : on_each) one->prepare(start);
        std::shuffle(on_each.begin(), on_each.end(), own);
        for (auto* one : on_each) one->start_shuffled(own);
        std::shuffle(on_each.begin(), on_each.end(), own);
        for (auto* one : on_each)
            for (const auto i : one->shuffled(own))
                BOOST_TEST(Carpool_Wait(&one->requests[i], MPI_STATUS_IGNORE) == MPI_SUCCESS);
        for (auto* one : on_each) BOOST_TEST(one->fault() == "");
    }
}

BOOST_AUTO_TEST_CASE(ordinary_and_neighborhood_collectives_run_at_once_on_one_communicator) {
    auto shared = seeded();
    auto own = own_generator(shared);
    const RandomCollectives samples;
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    auto exchange = grid.exchange(Operation::alltoallw);
    Carpool_Request neighbors = init(exchange, grid.cart);
    RequestsOfAllCollectives all(samples, grid.cart, shared);
    for (int start = 0; start < 4; ++start) {
        exchange.prepare(start);
        const bool first = own() % 2 == 0;
        if (first) Carpool_Start(&neighbors);
        all.prepare(start);
        all.start_shuffled(own);
        if (!first) Carpool_Start(&neighbors);
        auto once = grid.exchange(Operation::allgather);
        if (start == 0) once.prepare(0);
        BOOST_TEST(Carpool_Wait(&neighbors, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        BOOST_TEST(Carpool_Waitall(all.size(), all.requests.data(), MPI_STATUSES_IGNORE) ==
                   MPI_SUCCESS);
        BOOST_TEST(exchange.fault() == "");
        BOOST_TEST(all.fault() == "");
    }
    Carpool_Request_free(&neighbors);
}

BOOST_AUTO_TEST_CASE(very_many_inits_and_frees_leak_nothing) {
    const auto comm = duplicate();
    int value = 0, sum = 0;
    std::string fault;
    for (int i = 0; i < 1500 && fault.empty(); ++i) {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        const auto init = i % 2 ? Carpool_Allreduce_init : Carpool_Iallreduce_init;
        value = i;
        if (init(&value, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request) != MPI_SUCCESS)
            fault = "init " + std::to_string(i);
        started_and_completed(request, i);
        if (sum != i * world_size()) fault = "sum " + std::to_string(i);
        Carpool_Request_free(&request);
    }
    BOOST_TEST(fault == "");
}

BOOST_AUTO_TEST_CASE(freed_communicators_leak_nothing) {
    std::string fault;
    for (int i = 0; i < (world_size() <= 2 ? 2500 : 200) && fault.empty(); ++i) {
        const auto comm = duplicate();
        int value = i, sum = 0;
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        Carpool_Iallreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
        if (i % 3 != 0) started_and_completed(request, i);
        if (i % 3 != 0 && sum != i * world_size()) fault = "sum " + std::to_string(i);
        Carpool_Request_free(&request);
    }
    BOOST_TEST(fault == "");
}

BOOST_AUTO_TEST_SUITE_END()
