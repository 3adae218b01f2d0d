// SPDX-License-Identifier: MIT
// ranks: 1 3 4
//
// Mistakes in calls for ghosts: an error of the right class and text, on all ranks where a map or a
// request is made, on the rank that sees it elsewhere.

#include <boost/test/unit_test.hpp>

#include "ghost_arrays.hpp"
#include "handles.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <carpool/ghosts.h>

#include <limits>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_errors_ghosts)

namespace {

using namespace carpool::tests;

/// What each rank gives for a map: three entries, and two ghosts of the next rank.
struct Given {
    MPI_Count owned = 3;
    MPI_Count ghosts = 2;
    std::vector<int> owners = std::vector<int>(2, (world_rank() + 1) % world_size());
    std::vector<MPI_Count> indices{0, 2};

    int create(MPI_Comm comm, MPI_Info info = MPI_INFO_NULL) const {
        Carpool_Ghosts map = CARPOOL_GHOSTS_NULL;
        return Carpool_Ghosts_create(comm, owned, ghosts, owners.data(), indices.data(), info,
                                     &map);
    }
};

bool is_last() { return world_rank() == world_size() - 1; }
std::string last_rank() { return "rank " + std::to_string(world_size() - 1) + ": "; }

/// Expects a refusal on all ranks where the last one makes a mistake.
template <typename Spoil>
void expect_refused_map(const std::string& what, const ExpectedError& expected_error,
                        const Spoil& spoil) {
    const auto comm = duplicate_of_world();
    auto said = expected_error;
    said.words.push_back(last_rank());
    said.words.emplace_back("Carpool_Ghosts_create");
    expect_refusal(what, comm, said, [&] {
        Given given;
        if (is_last()) spoil(given);
        return given.create(comm);
    });
}

/// A map, and arrays that suit it.
struct Exchange {
    Exchange() : comm(duplicate_of_world()) {
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        const Given given;
        BOOST_TEST_REQUIRE(Carpool_Ghosts_create(comm, given.owned, given.ghosts,
                                                 given.owners.data(), given.indices.data(),
                                                 MPI_INFO_NULL, &map) == MPI_SUCCESS);
    }
    ~Exchange() { Carpool_Ghosts_free(&map); }

    int init(const void* from, void* to, MPI_Count count, MPI_Datatype type,
             MPI_Info info = MPI_INFO_NULL) {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        return Carpool_Ghosts_update_init(from, to, count, type, map, info, &request);
    }
    int reduce_init(MPI_Datatype type, MPI_Op op) {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        return Carpool_Ghosts_reduce_init(ghosts, owned, 1, type, op, map, MPI_INFO_NULL, &request);
    }

    Comm comm;
    Carpool_Ghosts map = CARPOOL_GHOSTS_NULL;
    double owned[3] = {1, 2, 3};
    double ghosts[2] = {};
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_map_of_ranks_or_entries_that_do_not_exist_is_refused_on_all_ranks) {
    const auto ranks = std::to_string(world_size());
    expect_refused_map("an owner that is no rank",
                       {MPI_ERR_RANK, {"owners[1] is " + ranks, "less than " + ranks}},
                       [](Given& given) { given.owners[1] = world_size(); });
    expect_refused_map("a negative owner", {MPI_ERR_RANK, {"owners[0] is -1"}},
                       [](Given& given) { given.owners[0] = -1; });
    expect_refused_map("a negative index", {MPI_ERR_ARG, {"indices[1] is -5", "at least 0"}},
                       [](Given& given) { given.indices[1] = -5; });
    expect_refused_map("an index that its owner does not have",
                       {MPI_ERR_ARG, {"indices[1] is 3", "less than 3", "rank 0 owns"}},
                       [](Given& given) { given.indices[1] = 3; });
    expect_refused_map("a huge index", {MPI_ERR_ARG, {"indices[0] is 4611686018427387904"}},
                       [](Given& given) { given.indices[0] = MPI_Count{1} << 62; });
    expect_refused_map("a negative number of entries", {MPI_ERR_COUNT, {"owned is -1"}},
                       [](Given& given) { given.owned = -1; });
    expect_refused_map("a negative number of ghosts", {MPI_ERR_COUNT, {"ghosts is -2"}},
                       [](Given& given) { given.ghosts = -2; });
}

BOOST_AUTO_TEST_CASE(null_pointers_are_refused) {
    const auto comm = duplicate_of_world();
    const Given given;
    Carpool_Ghosts map = CARPOOL_GHOSTS_NULL;
    expect_refusal("no owners", comm, {MPI_ERR_ARG, {"owners is a null pointer", "array of 2"}},
                   [&] {
                       return Carpool_Ghosts_create(comm, 3, 2, nullptr, given.indices.data(),
                                                    MPI_INFO_NULL, &map);
                   });
    expect_refusal("no indices", comm, {MPI_ERR_ARG, {"indices is a null pointer"}}, [&] {
        return Carpool_Ghosts_create(comm, 3, 2, given.owners.data(), nullptr, MPI_INFO_NULL, &map);
    });
    expect_refusal("no map", comm, {MPI_ERR_ARG, {"map is a null pointer"}}, [&] {
        return Carpool_Ghosts_create(comm, 0, 0, nullptr, nullptr, MPI_INFO_NULL, nullptr);
    });
    BOOST_TEST(Carpool_Ghosts_create(comm, 0, 0, nullptr, nullptr, MPI_INFO_NULL, &map) ==
               MPI_SUCCESS);
    BOOST_TEST(Carpool_Ghosts_update(nullptr, nullptr, 1, MPI_INT, map) == MPI_SUCCESS);
    BOOST_TEST(Carpool_Ghosts_reduce(nullptr, nullptr, 1, MPI_INT, MPI_SUM, map) == MPI_SUCCESS);
    Carpool_Ghosts_free(&map);
}

BOOST_AUTO_TEST_CASE(ranges_that_descend_or_differ_are_refused) {
    const auto comm = duplicate_of_world();
    Carpool_Ghosts map = CARPOOL_GHOSTS_NULL;
    std::vector<MPI_Count> ranges;
    for (int rank = 0; rank <= world_size(); ++rank) ranges.push_back(10 * rank);
    const auto create = [&](const std::vector<MPI_Count>& given, MPI_Count number) {
        return Carpool_Ghosts_create_ranges(comm, given.data(), 1, &number, MPI_INFO_NULL, &map);
    };
    auto falling = ranges;
    falling.back() = falling[falling.size() - 2] - 1;
    expect_refusal("ranges that descend", comm,
                   {MPI_ERR_ARG, {"ranges[" + std::to_string(world_size()) + "] is "}},
                   [&] { return create(falling, 0); });
    expect_refusal("a number that nobody owns", comm,
                   {MPI_ERR_ARG, {"numbers[0] is " + std::to_string(ranges.back())}},
                   [&] { return create(ranges, ranges.back()); });
    expect_refusal("a negative number", comm, {MPI_ERR_ARG, {"numbers[0] is -1"}},
                   [&] { return create(ranges, -1); });
    auto huge = ranges;
    huge.front() = std::numeric_limits<MPI_Count>::min();
    expect_refusal("more entries than an MPI_Count can say", comm,
                   {MPI_ERR_ARG, {"ranges[" + std::to_string(world_size()) + "] is ", "MPI_Count"}},
                   [&] { return create(huge, 0); });
    if (world_size() == 1) return;
    auto other = ranges;
    if (is_last()) ++other.back();
    expect_refusal("ranges that differ", comm, {MPI_ERR_ARG, {"ranges"}},
                   [&] { return create(other, 0); });
}

BOOST_AUTO_TEST_CASE(rules_for_grids_are_refused) {
    const auto comm = duplicate_of_world();
    const auto info = info_of({{"carpool_algorithm", "torus"}});
    expect_refusal("a rule for grids", comm,
                   {MPI_ERR_INFO_VALUE, {"carpool_algorithm in the info is 'torus'"}},
                   [&] { return Given().create(comm, info); });
}

BOOST_AUTO_TEST_CASE(a_request_with_mistaken_arguments_is_refused_on_all_ranks) {
    Exchange exchange;
    const auto comm = static_cast<MPI_Comm>(exchange.comm);
    auto* const owned = exchange.owned;
    auto* const ghosts = exchange.ghosts;
    expect_refusal("a negative count", comm, {MPI_ERR_COUNT, {"count is -1"}},
                   [&] { return exchange.init(owned, ghosts, is_last() ? -1 : 1, MPI_DOUBLE); });
    expect_refusal("no type", comm, {MPI_ERR_TYPE, {"type is MPI_DATATYPE_NULL"}}, [&] {
        return exchange.init(owned, ghosts, 1, is_last() ? MPI_DATATYPE_NULL : MPI_DOUBLE);
    });
    const auto uncommitted = uncommitted_type();
    expect_refusal("a type that is not committed", comm, {MPI_ERR_TYPE, {"type is not committed"}},
                   [&] { return exchange.init(owned, ghosts, 1, uncommitted); });
    MPI_Datatype nothing;
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    const auto empty = committed(nothing);
    expect_refusal("a type without bytes", comm, {MPI_ERR_TYPE, {"type has no bytes"}},
                   [&] { return exchange.init(owned, ghosts, 1, empty); });
    expect_refusal("a null array", comm, {MPI_ERR_BUFFER, {"owned_values is a null pointer"}}, [&] {
        return exchange.init(is_last() ? nullptr : owned, ghosts, 1, MPI_DOUBLE);
    });
    expect_refusal("in place", comm, {MPI_ERR_BUFFER, {"ghost_values is MPI_IN_PLACE"}},
                   [&] { return exchange.init(owned, MPI_IN_PLACE, 1, MPI_DOUBLE); });
    expect_refusal("arrays that overlap", comm, {MPI_ERR_BUFFER, {"owned_values", "ghost_values"}},
                   [&] { return exchange.init(owned, owned + 2, 1, MPI_DOUBLE); });
    expect_refusal("no operator", comm, {MPI_ERR_OP, {"op is MPI_OP_NULL"}},
                   [&] { return exchange.reduce_init(MPI_DOUBLE, MPI_OP_NULL); });
    expect_refusal("an operator that is not defined", comm, {MPI_ERR_OP, {"op does not reduce"}},
                   [&] { return exchange.reduce_init(MPI_DOUBLE, MPI_BAND); });
    const auto info = info_of({{"carpool_algorithm", "hypercube"}});
    expect_refusal("a rule that was not planned", comm,
                   {MPI_ERR_INFO_VALUE, {"'hypercube'", "planned when the map was made"}},
                   [&] { return exchange.init(owned, ghosts, 1, MPI_DOUBLE, info); });
    BOOST_TEST(Carpool_Ghosts_update(owned, ghosts, 1, MPI_DOUBLE, exchange.map) == MPI_SUCCESS);
}

BOOST_AUTO_TEST_CASE(entries_of_different_sizes_are_refused) {
    if (world_size() == 1) return;
    Exchange exchange;
    expect_refusal("entries of different sizes", exchange.comm,
                   {MPI_ERR_ARG, {"size in bytes of an entry"}}, [&] {
                       return exchange.init(exchange.owned, exchange.ghosts, 1,
                                            is_last() ? MPI_FLOAT : MPI_DOUBLE);
                   });
}

BOOST_AUTO_TEST_CASE(numbers_of_different_kinds_are_refused) {
    if (world_size() == 1) return;
    Exchange exchange;
    expect_refusal(
        "numbers of different kinds", exchange.comm, {MPI_ERR_ARG, {"datatype is one of"}},
        [&] { return exchange.reduce_init(is_last() ? MPI_INT64_T : MPI_DOUBLE, MPI_SUM); });
}

BOOST_AUTO_TEST_CASE(fields_that_differ_between_ranks_are_refused) {
    if (world_size() == 1) return;
    Exchange exchange;
    double more_owned[3] = {};
    double more_ghosts[2] = {};
    const void* const ghosts[] = {exchange.ghosts, more_ghosts};
    void* const owned[] = {exchange.owned, more_owned};
    const MPI_Count counts[] = {1, 1};
    const auto init = [&](int fields, MPI_Datatype second) {
        const MPI_Datatype types[] = {MPI_DOUBLE, second};
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        return Carpool_Ghosts_reduce_fields_init(fields, ghosts, owned, counts, types, MPI_SUM,
                                                 exchange.map, MPI_INFO_NULL, &request);
    };
    expect_refusal("numbers of different kinds in the second field", exchange.comm,
                   {MPI_ERR_ARG, {"datatype of field 1 is one of"}},
                   [&] { return init(2, is_last() ? MPI_INT64_T : MPI_DOUBLE); });
    expect_refusal("different numbers of fields", exchange.comm,
                   {MPI_ERR_ARG, {"number of fields is "}},
                   [&] { return init(is_last() ? 1 : 2, MPI_DOUBLE); });
}

BOOST_AUTO_TEST_CASE(a_blocking_call_is_refused_by_the_rank_that_sees_it) {
    Exchange exchange;
    const auto refused =
        Carpool_Ghosts_update(exchange.owned, exchange.ghosts, -1, MPI_DOUBLE, exchange.map);
    BOOST_TEST(mismatch({MPI_ERR_COUNT, {"Carpool_Ghosts_update", "count is -1"}}, refused) == "");
    const void* owned[] = {exchange.owned, nullptr};
    void* ghosts[] = {exchange.ghosts, exchange.ghosts};
    const MPI_Count counts[] = {1, 1};
    const MPI_Datatype types[] = {MPI_DOUBLE, MPI_DOUBLE};
    const int code = Carpool_Ghosts_update_fields(2, owned, ghosts, counts, types, exchange.map);
    BOOST_TEST(mismatch({MPI_ERR_BUFFER, {"owned_values[1] is a null pointer"}}, code) == "");
    const int negative =
        Carpool_Ghosts_update_fields(-1, owned, ghosts, counts, types, exchange.map);
    BOOST_TEST(mismatch({MPI_ERR_ARG, {"fields is -1"}}, negative) == "");
    const int unlisted =
        Carpool_Ghosts_update_fields(2, owned, ghosts, nullptr, types, exchange.map);
    BOOST_TEST(mismatch({MPI_ERR_ARG, {"counts is a null pointer"}}, unlisted) == "");
    BOOST_TEST(Carpool_Ghosts_update(exchange.owned, exchange.ghosts, 1, MPI_DOUBLE,
                                     exchange.map) == MPI_SUCCESS);
}

BOOST_AUTO_TEST_CASE(fields_that_write_the_same_memory_are_refused) {
    Exchange exchange;
    const void* owned[] = {exchange.owned, exchange.owned};
    void* ghosts[] = {exchange.ghosts, exchange.ghosts};
    void* others[] = {exchange.owned, exchange.owned};
    const MPI_Count counts[] = {1, 1};
    const MPI_Datatype types[] = {MPI_DOUBLE, MPI_DOUBLE};
    expect_refusal("an update", exchange.comm,
                   {MPI_ERR_BUFFER, {"ghost_values[0] and ghost_values[1] share memory"}}, [&] {
                       return Carpool_Ghosts_update_fields(2, owned, ghosts, counts, types,
                                                           exchange.map);
                   });
    expect_refusal("a reduction", exchange.comm,
                   {MPI_ERR_BUFFER, {"owned_values[0] and owned_values[1] share memory"}}, [&] {
                       return Carpool_Ghosts_reduce_fields(2, ghosts, others, counts, types,
                                                           MPI_SUM, exchange.map);
                   });
    double more[2];
    ghosts[1] = more;
    BOOST_TEST(Carpool_Ghosts_update_fields(2, owned, ghosts, counts, types, exchange.map) ==
               MPI_SUCCESS);
}

BOOST_AUTO_TEST_CASE(an_invalid_map_handle_is_refused) {
    const auto self_returns = [] { MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); };
    self_returns();
    double value = 0;
    const auto update = [&](Carpool_Ghosts map) {
        return Carpool_Ghosts_update(&value, &value, 1, MPI_DOUBLE, map);
    };
    BOOST_TEST(
        mismatch({MPI_ERR_ARG, {"map is CARPOOL_GHOSTS_NULL"}}, update(CARPOOL_GHOSTS_NULL)) == "");
    Carpool_Ghosts freed = CARPOOL_GHOSTS_NULL;
    {
        const Exchange exchange;
        freed = exchange.map;
    }
    BOOST_TEST(mismatch({MPI_ERR_ARG, {"map is no Carpool_Ghosts, or has been freed"}},
                        update(freed)) == "");
    BOOST_TEST(mismatch({MPI_ERR_ARG, {"map is no Carpool_Ghosts"}}, Carpool_Ghosts_free(&freed)) ==
               "");
    MPI_Count count = 0;
    int rank = 0;
    const Exchange exchange;
    BOOST_TEST(mismatch({MPI_ERR_ARG, {"index is 1", "less than 1"}},
                        Carpool_Ghosts_get_target(exchange.map, 1, &rank, &count, 0, nullptr)) ==
               "");
    BOOST_TEST(mismatch({MPI_ERR_ARG, {"maxindices is -1"}},
                        Carpool_Ghosts_get_source(exchange.map, 0, &rank, &count, -1, nullptr)) ==
               "");
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

BOOST_AUTO_TEST_CASE(a_map_whose_communicator_has_been_freed_is_refused) {
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    Carpool_Ghosts map = CARPOOL_GHOSTS_NULL;
    {
        const auto comm = duplicate_of_world();
        BOOST_TEST_REQUIRE(Carpool_Ghosts_create(comm, 0, 0, nullptr, nullptr, MPI_INFO_NULL,
                                                 &map) == MPI_SUCCESS);
    }
    BOOST_TEST(mismatch({MPI_ERR_COMM, {"the communicator of map has been freed"}},
                        Carpool_Ghosts_update(nullptr, nullptr, 1, MPI_INT, map)) == "");
    BOOST_TEST(Carpool_Ghosts_free(&map) == MPI_SUCCESS);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

BOOST_AUTO_TEST_SUITE_END()
