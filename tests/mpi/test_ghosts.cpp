// SPDX-License-Identifier: MIT
// ranks: 1 2 3 5 8
// nightly-ranks: 13 16
// sanitize-ranks: 4
//
// Exchanges of ghosts against a serial oracle: every ghost gets the value of its entry, every ghost
// is added to its entry once, and nothing else is touched.

#include <boost/test/unit_test.hpp>

#include "current_step.hpp"
#include "environment.hpp"
#include "ghost_arrays.hpp"
#include "ghost_calls.hpp"
#include "handles.hpp"
#include "operators.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "user_operators.hpp"
#include "world.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_ghosts)

namespace {

using namespace carpool::tests;

constexpr int starts = 2;

/// A datatype of an entry, and where its numbers lie.
struct EntryType {
    MPI_Datatype type;
    EntryShape shape;
};

/// Numbers 0 and 2 of every 4, in this order or the other one.
Type with_holes(MPI_Datatype number, int bytes, bool turned) {
    const int first[] = {0, 2};
    const int last[] = {2, 0};
    MPI_Datatype inner;
    MPI_Datatype type;
    MPI_Type_create_indexed_block(2, 1, turned ? last : first, number, &inner);
    MPI_Type_create_resized(inner, 0, 4 * bytes, &type);
    MPI_Type_free(&inner);
    return committed(type);
}

/// Runs an exchange in one form, several times with other values.
/// @param begin    begins it
/// @param prepare  sets the values for a start
/// @param fault    says what is wrong after it
void check_exchange(Form form, const std::string& what,
                    const std::function<int(GhostRequest&)>& begin,
                    const std::function<void(int)>& prepare,
                    const std::function<std::string()>& fault) {
    GhostRequest request;
    if (is_persistent(form)) BOOST_TEST_REQUIRE(begin(request) == MPI_SUCCESS, what);
    for (int start = 0; start < starts; ++start) {
        prepare(start);
        if (!is_persistent(form)) BOOST_TEST_REQUIRE(begin(request) == MPI_SUCCESS, what);
        BOOST_TEST_REQUIRE(request.start() == MPI_SUCCESS, what);
        BOOST_TEST_REQUIRE(request.wait() == MPI_SUCCESS, what);
        const auto found = fault();
        BOOST_TEST(found == "", what << ", start " << start << ": " << found);
    }
    request.free();
}

template <typename Number>
void check_update(Form form, const GhostSets& sets, const EntryType& entry, int count,
                  Carpool_Ghosts map, const std::string& what) {
    auto shape = entry.shape;
    for (int i = 1; i < count; ++i)
        for (const int place : entry.shape.places)
            shape.places.push_back(i * entry.shape.extent + place);
    shape.extent *= count;
    GhostArrays<Number> arrays(sets, shape, 1);
    GhostFields fields;
    fields.add(arrays.owned(), arrays.ghosts(), count, entry.type);
    check_exchange(
        form, what, [&](GhostRequest& request) { return begin_update(form, fields, map, request); },
        [&](int start) { arrays.prepare_update(start); },
        [&] { return arrays.fault_after_update(); });
}

template <typename Number, typename Combine>
void check_reduction(Form form, const GhostSets& sets, MPI_Datatype type, MPI_Op op,
                     const Combine& combine, Carpool_Ghosts map, const std::string& what) {
    GhostArrays<Number> arrays(sets, {{0}, 1}, 1);
    GhostFields fields;
    fields.add(arrays.owned(), arrays.ghosts(), 1, type);
    check_exchange(
        form, what,
        [&](GhostRequest& request) { return begin_reduction(form, fields, op, map, request); },
        [&](int start) { arrays.prepare_reduction(start); },
        [&] { return arrays.fault_after_reduction(combine); });
}

/// Calls check(sets, map, what) for ghosts of every shape.
template <typename Check>
void on_every_shape(MPI_Comm comm, int rounds, const Check& check) {
    auto rng = seeded();
    for (int round = 0; round < rounds; ++round)
        for (const auto& shape : ghost_shapes()) {
            const auto what = shape + ", round " + std::to_string(round);
            note_step(what);
            const auto sets = random_ghosts(shape, rng);
            const GhostMap map(sets, comm);
            BOOST_TEST_REQUIRE(map.code() == MPI_SUCCESS, what << ": " << text_of(map.code()));
            check(sets, map, what);
        }
}

template <typename Number>
Number added(Number a, Number b) {
    return a + b;
}

/// The arrays of three fields.
struct FieldArrays {
    explicit FieldArrays(const GhostSets& sets)
        : first(sets, {{0, 1}, 2}, 1), second(sets, {{0}, 1}, 2), third(sets, {{0}, 1}, 3) {
        fields.add(first.owned(), first.ghosts(), 2, MPI_DOUBLE);
        fields.add(second.owned(), second.ghosts(), 1, MPI_INT);
        fields.add(third.owned(), third.ghosts(), 1, MPI_DOUBLE);
    }

    GhostArrays<double> first;
    GhostArrays<int> second;
    GhostArrays<double> third;
    GhostFields fields;
};

void check_update(FieldArrays& arrays, Form form, Carpool_Ghosts map, const std::string& what) {
    check_exchange(
        form, what + ", update",
        [&](GhostRequest& request) { return begin_update(form, arrays.fields, map, request); },
        [&](int start) {
            arrays.first.prepare_update(start);
            arrays.second.prepare_update(start);
            arrays.third.prepare_update(start);
        },
        [&] {
            return arrays.first.fault_after_update() + arrays.second.fault_after_update() +
                   arrays.third.fault_after_update();
        });
}

void check_reduction(FieldArrays& arrays, Form form, Carpool_Ghosts map, const std::string& what) {
    check_exchange(
        form, what + ", reduction",
        [&](GhostRequest& request) {
            return begin_reduction(form, arrays.fields, MPI_SUM, map, request);
        },
        [&](int start) {
            arrays.first.prepare_reduction(start);
            arrays.second.prepare_reduction(start);
            arrays.third.prepare_reduction(start);
        },
        [&] {
            return arrays.first.fault_after_reduction(added<double>) +
                   arrays.second.fault_after_reduction(added<int>) +
                   arrays.third.fault_after_reduction(added<double>);
        });
}

void check_both_ways(FieldArrays& arrays, Form form, Carpool_Ghosts map, const std::string& what) {
    check_update(arrays, form, map, what);
    check_reduction(arrays, form, map, what);
}

int misaligned = 0;

/// Adds doubles, and leaves characters as they are.
void add_aligned(void* in, void* inout, int* count, MPI_Datatype* type) {
    if (*type != MPI_DOUBLE) return;
    for (const auto* operand : {in, inout})
        if (reinterpret_cast<std::uintptr_t>(operand) % alignof(double) != 0) ++misaligned;
    add_doubles(in, inout, count, type);
}

}  // namespace

/// Two entries per rank, and a ghost of the rank's own entry 1.
GhostSets own_ghosts() {
    const auto ranks = static_cast<std::size_t>(world_size());
    GhostSets sets{"own", std::vector<std::int64_t>(ranks, 2), std::vector<std::vector<int>>(ranks),
                   std::vector<std::vector<std::int64_t>>(ranks)};
    for (int rank = 0; rank < world_size(); ++rank) sets.add(rank, rank, 1);
    return sets;
}

BOOST_AUTO_TEST_CASE(the_oracle_notices_every_wrong_number) {
    const auto sets = own_ghosts();
    GhostArrays<int> arrays(sets, {{0}, 2}, 1);  // a gap behind each entry
    int* const owned = arrays.owned();
    int* const ghosts = arrays.ghosts();
    const auto fault_with = [](int& number, const auto& fault) {
        ++number;
        const auto found = fault();
        --number;
        return found.substr(0, found.find(" (extent"));
    };
    arrays.prepare_update(0);
    ghosts[0] = owned[2];
    const auto after_update = [&] { return arrays.fault_after_update(); };
    BOOST_TEST(after_update() == "");
    BOOST_TEST(fault_with(ghosts[0], after_update) == "ghost at number 0");
    BOOST_TEST(fault_with(ghosts[1], after_update) == "ghost at number 1");
    BOOST_TEST(fault_with(ghosts[-1], after_update) == "ghost at number -1");
    BOOST_TEST(fault_with(owned[2], after_update) == "owned values have changed");
    arrays.prepare_reduction(0);
    owned[2] += ghosts[0];
    const auto after_sum = [&] { return arrays.fault_after_reduction(added<int>); };
    BOOST_TEST(after_sum() == "");
    BOOST_TEST(fault_with(owned[0], after_sum) == "entry at number 0");
    BOOST_TEST(fault_with(owned[2], after_sum) == "entry at number 2");
    BOOST_TEST(fault_with(owned[3], after_sum) == "entry at number 3");
    BOOST_TEST(fault_with(ghosts[0], after_sum) == "ghosts have changed");
}

BOOST_AUTO_TEST_CASE(every_ghost_gets_the_value_of_its_entry_in_every_form) {
    const auto comm = duplicate_of_world();
    const auto holes = with_holes(MPI_INT, sizeof(int), false);
    const auto turned = with_holes(MPI_INT, sizeof(int), true);
    const EntryType entries[] = {{MPI_INT, {{0}, 1}}, {holes, {{0, 2}, 4}}, {turned, {{0, 2}, 4}}};
    int exchanges = 0;
    on_every_shape(comm, operations_or(1), [&](const auto& sets, auto& map, const auto& what) {
        for (const auto form : ghost_forms)
            for (const auto& entry : entries) {
                const int count = exchanges++ % 2 == 0 ? 1 : 3;
                check_update<int>(form, sets, entry, count, map,
                                  what + ", " + name_of(form) + ", count " + std::to_string(count));
            }
    });
}

BOOST_AUTO_TEST_CASE(every_ghost_is_added_to_its_entry_once_in_every_form) {
    const auto comm = duplicate_of_world();
    on_every_shape(comm, operations_or(1), [&](const auto& sets, auto& map, const auto& what) {
        for (const auto form : ghost_forms) {
            const auto which = what + ", " + name_of(form);
            check_reduction<std::int64_t>(form, sets, MPI_INT64_T, MPI_SUM, added<std::int64_t>,
                                          map, which + ", integers");
            check_reduction<double>(form, sets, MPI_DOUBLE, MPI_SUM, added<double>, map,
                                    which + ", doubles");
            check_reduction<int>(
                form, sets, MPI_INT, MPI_MAX, [](int a, int b) { return std::max(a, b); }, map,
                which + ", maximum");
        }
    });
}

BOOST_AUTO_TEST_CASE(several_fields_are_exchanged_together) {
    const auto comm = duplicate_of_world();
    on_every_shape(comm, operations_or(1), [&](const auto& sets, auto& map, const auto& what) {
        for (const auto form : ghost_forms) {
            FieldArrays arrays(sets);
            check_both_ways(arrays, form, map, what + ", " + name_of(form));
        }
    });
}

/// Calls with new arrays each time take over what earlier ones were bound to.
BOOST_AUTO_TEST_CASE(calls_may_have_other_arrays_each_time) {
    const auto comm = duplicate_of_world();
    auto rng = seeded();
    for (const char* rule : {"direct", "node"})
        for (const auto& shape : ghost_shapes()) {
            const auto sets = random_ghosts(shape, rng);
            const GhostMap map(sets, comm, info_of({{"carpool_algorithm", rule}}));
            std::vector<std::unique_ptr<FieldArrays>> used;  // so that no two lie in one place
            for (int call = 0; call < 7; ++call) {
                used.push_back(std::make_unique<FieldArrays>(sets));
                const auto form = call % 3 == 2 ? Form::nonblocking : Form::blocking;
                const auto what = std::string(rule) + ", " + shape + ", call " +
                                  std::to_string(call) + ", " + name_of(form);
                note_step(what);
                check_both_ways(*used.back(), form, map, what);
            }
        }
}

BOOST_AUTO_TEST_CASE(operators_get_operands_that_are_aligned) {
    const auto comm = duplicate_of_world();
    const auto op = op_of(add_aligned, true);
    misaligned = 0;
    on_every_shape(comm, 1, [&](const auto& sets, auto& map, const auto& what) {
        GhostArrays<char> first(sets, {{0}, 1}, 1);
        GhostArrays<double> second(sets, {{0}, 1}, 2);
        GhostFields fields;
        fields.add(first.owned(), first.ghosts(), 1, MPI_CHAR);
        fields.add(second.owned(), second.ghosts(), 1, MPI_DOUBLE);
        check_exchange(
            Form::blocking, what,
            [&](GhostRequest& request) {
                return begin_reduction(Form::blocking, fields, op, map, request);
            },
            [&](int start) {
                first.prepare_reduction(start);
                second.prepare_reduction(start);
            },
            [&] { return second.fault_after_reduction(added<double>); });
    });
    BOOST_TEST(misaligned == 0);
}

BOOST_AUTO_TEST_CASE(an_exchange_of_no_fields_is_allowed) {
    const auto comm = duplicate_of_world();
    auto rng = seeded();
    const auto sets = random_ghosts("random", rng);
    const GhostMap map(sets, comm);
    BOOST_TEST(Carpool_Ghosts_update_fields(0, nullptr, nullptr, nullptr, nullptr, map) ==
               MPI_SUCCESS);
    BOOST_TEST(Carpool_Ghosts_reduce_fields(0, nullptr, nullptr, nullptr, nullptr, MPI_SUM, map) ==
               MPI_SUCCESS);
}

BOOST_AUTO_TEST_CASE(global_numbers_and_ranges_make_the_same_map) {
    const auto comm = duplicate_of_world();
    auto rng = seeded();
    for (const auto& shape : ghost_shapes()) {
        const auto sets = random_ghosts(shape, rng);
        std::vector<MPI_Count> ranges{100};
        for (const auto owned : sets.owned) ranges.push_back(ranges.back() + owned);
        const auto rank = static_cast<std::size_t>(world_rank());
        std::vector<MPI_Count> numbers;
        for (std::size_t i = 0; i < sets.owners[rank].size(); ++i)
            numbers.push_back(ranges[static_cast<std::size_t>(sets.owners[rank][i])] +
                              sets.indices[rank][i]);
        Carpool_Ghosts map = CARPOOL_GHOSTS_NULL;
        BOOST_TEST_REQUIRE(Carpool_Ghosts_create_ranges(comm, ranges.data(), std::ssize(numbers),
                                                        numbers.data(), MPI_INFO_NULL,
                                                        &map) == MPI_SUCCESS);
        check_update<int>(Form::blocking, sets, {MPI_INT, {{0}, 1}}, 1, map, shape);
        BOOST_TEST(Carpool_Ghosts_free(&map) == MPI_SUCCESS);
        BOOST_TEST((map == CARPOOL_GHOSTS_NULL));
    }
}

/// A rank's neighbors, with the indices or positions of each.
using Neighbors = std::map<int, std::vector<MPI_Count>>;

/// The neighbors that a map tells. @param get  Carpool_Ghosts_get_target or _get_source
template <typename Get>
Neighbors neighbors_of(Carpool_Ghosts map, int number, const Get& get) {
    Neighbors all;
    for (int i = 0; i < number; ++i) {
        int rank = -1;
        MPI_Count count = -1;
        BOOST_TEST(get(map, i, &rank, &count, 0, nullptr) == MPI_SUCCESS);
        BOOST_TEST((all.empty() || all.rbegin()->first < rank), "neighbors are not ascending");
        auto& indices = all[rank];
        indices.resize(static_cast<std::size_t>(count));
        BOOST_TEST(get(map, i, &rank, &count, count, indices.data()) == MPI_SUCCESS);
    }
    return all;
}

Neighbors expected_targets(const GhostSets& sets) {
    Neighbors all;
    for (int rank = 0; rank < sets.ranks(); ++rank) {
        const auto r = static_cast<std::size_t>(rank);
        std::set<MPI_Count> indices;
        for (std::size_t i = 0; i < sets.owners[r].size(); ++i)
            if (sets.owners[r][i] == world_rank()) indices.insert(sets.indices[r][i]);
        if (!indices.empty()) all[rank].assign(indices.begin(), indices.end());
    }
    return all;
}

Neighbors expected_sources(const GhostSets& sets) {
    Neighbors all;
    const auto& owners = sets.owners[static_cast<std::size_t>(world_rank())];
    for (std::size_t i = 0; i < owners.size(); ++i)
        all[owners[i]].push_back(static_cast<MPI_Count>(i));
    return all;
}

BOOST_AUTO_TEST_CASE(a_map_tells_its_sizes_and_neighbors) {
    const auto comm = duplicate_of_world();
    on_every_shape(comm, 1, [&](const auto& sets, auto& map, const auto& what) {
        const auto rank = static_cast<std::size_t>(world_rank());
        MPI_Count owned = -1;
        MPI_Count ghosts = -1;
        int targets = -1;
        int sources = -1;
        BOOST_TEST(Carpool_Ghosts_get(map, &owned, &ghosts, &targets, &sources) == MPI_SUCCESS);
        BOOST_TEST(owned == sets.owned[rank], what);
        BOOST_TEST(ghosts == std::ssize(sets.owners[rank]), what);
        BOOST_TEST(
            (neighbors_of(map, targets, Carpool_Ghosts_get_target) == expected_targets(sets)),
            what);
        BOOST_TEST(
            (neighbors_of(map, sources, Carpool_Ghosts_get_source) == expected_sources(sets)),
            what);
    });
}

BOOST_AUTO_TEST_CASE(calls_overlap_and_outlive_their_map) {
    const auto comm = duplicate_of_world();
    auto rng = seeded();
    const auto sets = random_ghosts("random", rng);
    GhostArrays<int> arrays(sets, {{0}, 1}, 1);
    GhostArrays<int> others(sets, {{0}, 1}, 2);
    GhostRequest first;
    GhostRequest second;
    Carpool_Request persistent = CARPOOL_REQUEST_NULL;
    {
        const GhostMap map(sets, comm);
        GhostFields fields;
        fields.add(arrays.owned(), arrays.ghosts(), 1, MPI_INT);
        GhostFields other_fields;
        other_fields.add(others.owned(), others.ghosts(), 1, MPI_INT);
        arrays.prepare_update(0);
        others.prepare_update(0);
        BOOST_TEST(begin_update(Form::nonblocking, fields, map, first) == MPI_SUCCESS);
        BOOST_TEST(begin_update(Form::nonblocking, other_fields, map, second) == MPI_SUCCESS);
        BOOST_TEST(Carpool_Ghosts_update_init(arrays.owned(), arrays.ghosts(), 1, MPI_INT, map,
                                              MPI_INFO_NULL, &persistent) == MPI_SUCCESS);
    }
    BOOST_TEST(second.wait() == MPI_SUCCESS);
    BOOST_TEST(first.wait() == MPI_SUCCESS);
    BOOST_TEST(arrays.fault_after_update() == "");
    BOOST_TEST(others.fault_after_update() == "");
    arrays.prepare_update(1);
    BOOST_TEST(Carpool_Start(&persistent) == MPI_SUCCESS);
    BOOST_TEST(Carpool_Wait(&persistent, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    BOOST_TEST(arrays.fault_after_update() == "");
    Carpool_Request_free(&persistent);
}

BOOST_AUTO_TEST_SUITE_END()
