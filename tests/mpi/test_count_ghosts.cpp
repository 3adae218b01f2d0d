// SPDX-License-Identifier: MIT
// ranks: 8
// nightly-ranks: 16
// environment: CARPOOL_TEST_NODES=4 CARPOOL_CHOICE=model
// program: own
// sanitize-ranks: none
// one-node: all (has nodes of its own)
//
// Counts what an exchange of ghosts sends between nodes: by MPI, since the ranks of a node share
// memory. A start allocates nothing and makes no datatype.

#include <boost/test/unit_test.hpp>

#include "count_allocations.hpp"
#include "count_calls.hpp"
#include "current_step.hpp"
#include "ghost_arrays.hpp"
#include "ghost_calls.hpp"
#include "handles.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace carpool::tests;

constexpr int per_node = 4;

int node_of(int rank) { return rank / per_node; }

/// The sum over all ranks.
long long sum_of(long long own) {
    long long sum = 0;
    PMPI_Allreduce(&own, &sum, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/// What crosses between nodes at least, or by direct messages.
struct Crossing {
    std::set<std::tuple<int, std::int64_t, int>> entries;  // owner, index, node or rank
    std::set<std::pair<int, int>> pairs;                   // of nodes, or of ranks
};

Crossing crossing(const GhostSets& sets, bool by_node) {
    Crossing all;
    for (int rank = 0; rank < sets.ranks(); ++rank) {
        const auto r = static_cast<std::size_t>(rank);
        for (std::size_t i = 0; i < sets.owners[r].size(); ++i) {
            const int owner = sets.owners[r][i];
            if (node_of(owner) == node_of(rank)) continue;
            all.entries.emplace(owner, sets.indices[r][i], by_node ? node_of(rank) : rank);
            all.pairs.emplace(by_node ? node_of(owner) : owner, by_node ? node_of(rank) : rank);
        }
    }
    return all;
}

/// Starts a request, and returns what this rank sends by MPI.
CallCounts tally_of_start(GhostRequest& request) {
    PMPI_Barrier(MPI_COMM_WORLD);
    call_counts = {};
    request.start();
    request.wait();
    return call_counts;
}

/// Checks the messages and bytes of all ranks between nodes.
void check_crossing(const CallCounts& mine, const Crossing& expected, int entry_bytes,
                    const std::string& what) {
    BOOST_TEST(sum_of(mine.messages) == std::ssize(expected.pairs), what);
    BOOST_TEST(sum_of(mine.bytes) == std::ssize(expected.entries) * entry_bytes, what);
    BOOST_TEST(mine.types_created == 0, what);
    BOOST_TEST(mine.collectives == 0, what);
}

std::string algorithm_of(Carpool_Request request) {
    Carpool_Plan plan;
    Carpool_Request_get_plan(request, &plan);
    return plan.algorithm;
}

/// Ghosts of which all ranks of a node have the same: every entry of the rank at this rank's place
/// on the next node.
GhostSets much_alike(int entries) {
    const auto ranks = static_cast<std::size_t>(world_size());
    GhostSets sets{"alike", std::vector<std::int64_t>(ranks, entries),
                   std::vector<std::vector<int>>(ranks),
                   std::vector<std::vector<std::int64_t>>(ranks)};
    for (int rank = 0; rank < world_size(); ++rank)
        for (int index = 0; index < entries; ++index)
            sets.add(rank, (node_of(rank) * per_node + per_node) % world_size(), index);
    return sets;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_count_ghosts)

BOOST_AUTO_TEST_CASE(an_entry_is_sent_once_per_node_by_node_and_once_per_rank_by_direct) {
    const auto comm = duplicate_of_world();
    auto rng = seeded();
    for (const auto& shape : ghost_shapes())
        for (const char* rule : {"direct", "node:1"}) {
            const auto what = shape + ", " + rule;
            note_step(what);
            const auto sets = random_ghosts(shape, rng);
            const auto info =
                info_of({{"carpool_algorithm", rule}, {"carpool_requests", "immediate"}});
            const GhostMap map(sets, comm, info);
            GhostArrays<double> arrays(sets, {{0}, 1}, 1);
            GhostFields fields;
            fields.add(arrays.owned(), arrays.ghosts(), 1, MPI_DOUBLE);
            const auto expected = crossing(sets, std::string(rule) != "direct");
            GhostRequest update;
            BOOST_TEST_REQUIRE(begin_update(Form::persistent, fields, map, update) == MPI_SUCCESS);
            arrays.prepare_update(0);
            check_crossing(tally_of_start(update), expected, sizeof(double), what);
            BOOST_TEST(arrays.fault_after_update() == "", what);
            update.free();
            GhostRequest reduction;
            BOOST_TEST_REQUIRE(begin_reduction(Form::persistent, fields, MPI_SUM, map, reduction) ==
                               MPI_SUCCESS);
            arrays.prepare_reduction(0);
            check_crossing(tally_of_start(reduction), expected, sizeof(double), what + ", sums");
            BOOST_TEST(arrays.fault_after_reduction([](double a, double b) { return a + b; }) == "",
                       what);
            reduction.free();
        }
}

BOOST_AUTO_TEST_CASE(fields_share_messages) {
    const auto comm = duplicate_of_world();
    auto rng = seeded();
    const auto sets = random_ghosts("random", rng);
    const auto info = info_of({{"carpool_algorithm", "node:1"}, {"carpool_requests", "immediate"}});
    const GhostMap map(sets, comm, info);
    GhostArrays<double> first(sets, {{0}, 1}, 1);
    GhostArrays<int> second(sets, {{0}, 1}, 1);
    GhostFields fields;
    fields.add(first.owned(), first.ghosts(), 1, MPI_DOUBLE);
    fields.add(second.owned(), second.ghosts(), 1, MPI_INT);
    GhostRequest request;
    BOOST_TEST_REQUIRE(begin_update(Form::persistent, fields, map, request) == MPI_SUCCESS);
    check_crossing(tally_of_start(request), crossing(sets, true), sizeof(double) + sizeof(int),
                   "two fields");
    request.free();
}

/// Starts a request and waits; expects no allocation.
void expect_no_allocation(GhostRequest& request, const std::string& what) {
    const auto before = allocations;
    const int codes = request.start() + request.wait();
    const auto made = allocations - before;
    BOOST_TEST(codes == MPI_SUCCESS, what);
    BOOST_TEST(made == 0, what);
}

BOOST_AUTO_TEST_CASE(a_start_allocates_nothing) {
    const auto comm = duplicate_of_world();
    auto rng = seeded();
    for (const char* rule : {"direct", "node"}) {
        const auto sets = random_ghosts("random", rng);
        const GhostMap map(sets, comm, info_of({{"carpool_algorithm", rule}}));
        GhostArrays<double> arrays(sets, {{0}, 1}, 1);
        arrays.prepare_reduction(0);
        GhostFields fields;
        fields.add(arrays.owned(), arrays.ghosts(), 1, MPI_DOUBLE);
        GhostRequest update;
        GhostRequest reduction;
        BOOST_TEST_REQUIRE(begin_update(Form::persistent, fields, map, update) == MPI_SUCCESS);
        BOOST_TEST_REQUIRE(begin_reduction(Form::persistent, fields, MPI_SUM, map, reduction) ==
                           MPI_SUCCESS);
        for (int warm_up = 0; warm_up < 3; ++warm_up)
            for (auto* request : {&update, &reduction}) {
                request->start();
                request->wait();
            }
        expect_no_allocation(update, std::string(rule) + ", update");
        expect_no_allocation(reduction, std::string(rule) + ", reduction");
        update.free();
        reduction.free();
    }
}

BOOST_AUTO_TEST_CASE(a_blocking_call_with_the_same_arrays_allocates_nothing) {
    const auto comm = duplicate_of_world();
    auto rng = seeded();
    for (const char* rule : {"direct", "node"}) {
        const auto sets = random_ghosts("random", rng);
        const GhostMap map(sets, comm, info_of({{"carpool_algorithm", rule}}));
        GhostArrays<double> arrays(sets, {{0}, 1}, 1);
        arrays.prepare_reduction(0);
        const auto update = [&] {
            return Carpool_Ghosts_update(arrays.owned(), arrays.ghosts(), 1, MPI_DOUBLE, map);
        };
        const auto reduce = [&] {
            return Carpool_Ghosts_reduce(arrays.ghosts(), arrays.owned(), 1, MPI_DOUBLE, MPI_SUM,
                                         map);
        };
        for (int warm_up = 0; warm_up < 3; ++warm_up) {
            update();
            reduce();
        }
        const auto before = allocations;
        const int codes = update() + reduce() + update() + reduce();
        const auto made = allocations - before;
        BOOST_TEST(codes == MPI_SUCCESS);
        BOOST_TEST(made == 0, rule);
    }
}

BOOST_AUTO_TEST_CASE(a_call_with_new_arrays_is_not_bound_again) {
    constexpr std::uint64_t few = 8;  // to read its arguments; binding takes hundreds
    const auto comm = duplicate_of_world();
    const auto sets = much_alike(500);
    const GhostMap map(sets, comm);
    std::vector<std::unique_ptr<GhostArrays<double>>> arrays;
    for (int call = 0; call < 12; ++call)
        arrays.push_back(std::make_unique<GhostArrays<double>>(sets, EntryShape{{0}, 1}, 1));
    for (std::size_t call = 0; call < arrays.size(); ++call) {
        auto& used = *arrays[call];
        used.prepare_reduction(0);
        const auto before = allocations;
        const int code =
            Carpool_Ghosts_update(used.owned(), used.ghosts(), 1, MPI_DOUBLE, map) +
            Carpool_Ghosts_reduce(used.ghosts(), used.owned(), 1, MPI_DOUBLE, MPI_SUM, map);
        const auto made = allocations - before;
        BOOST_TEST(code == MPI_SUCCESS);
        if (call >= 8) BOOST_TEST(made <= 2 * few, "call " << call);
    }
}

BOOST_AUTO_TEST_CASE(ghosts_shared_by_a_node_take_rule_node_and_few_others_do_not) {
    const auto comm = duplicate_of_world();
    const auto chosen = [&](const GhostSets& sets) {
        const GhostMap map(sets, comm);
        GhostArrays<double> arrays(sets, {{0}, 1}, 1);
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        BOOST_TEST_REQUIRE(Carpool_Ghosts_update_init(arrays.owned(), arrays.ghosts(), 1,
                                                      MPI_DOUBLE, map, MPI_INFO_NULL,
                                                      &request) == MPI_SUCCESS);
        const auto algorithm = algorithm_of(request);
        Carpool_Request_free(&request);
        return algorithm;
    };
    BOOST_TEST(chosen(much_alike(100000)).starts_with("node"));
    GhostSets few = much_alike(1);
    for (auto& owners : few.owners)
        for (auto& owner : owners) owner = (owner + 1) % world_size();
    for (std::size_t rank = 1; rank < few.owners.size(); ++rank) {
        few.owners[rank].clear();
        few.indices[rank].clear();
    }
    BOOST_TEST(chosen(few) == "direct");
}

BOOST_AUTO_TEST_SUITE_END()
