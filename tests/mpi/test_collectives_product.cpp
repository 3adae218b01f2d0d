// SPDX-License-Identifier: MIT
// ranks: 1 2 3 5
// sanitize-ranks: 3
//
// The ordinary collectives on few ranks: every algorithm with every count, in place or not, with
// the first or the last rank as the root; every datatype; every operator on every type for which it
// is defined.

#include <boost/test/unit_test.hpp>

#include "random_collectives.hpp"
#include "seed.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_collectives_product)

namespace {

using namespace carpool::tests;

constexpr int counts[] = {0, 1, 3, 50};

/// Calls body(count, root, in place, irregular) for all combinations that a collective has.
template <class Body>
void for_all_variants(Collective what, Body body) {
    for (const int count : counts)
        for (const int root : {0, world_size() - 1})
            for (const bool in_place : {false, true})
                for (const bool irregular : {false, true})
                    if ((!in_place || may_be_in_place(what)) &&
                        (!irregular || is_irregular(what)) && (root == 0 || has_root(what)))
                        body(count, root, in_place, irregular);
}

Kind integer_sum() { return {"int, sum", MPI_INT, MPI_SUM, true, write_value<int>}; }

}  // namespace

BOOST_AUTO_TEST_CASE(every_algorithm_is_right_with_every_count_in_place_or_not) {
    const auto ints = families::six_integers();
    CollectiveChecks trial(MPI_COMM_WORLD);
    for (const auto what : all_collectives) {
        const auto algorithms = algorithms_of(what);
        std::size_t turn = 0;
        for_all_variants(what, [&](int count, int root, bool in_place, bool irregular) {
            const int ranks = world_size();
            const auto one_case =
                reduces(what)
                    ? summing({what, ranks, root, in_place, irregular, count, integer_sum(), 7},
                              world_rank())
                    : moving({what, ranks, root, in_place, irregular, count, &ints, 7},
                             world_rank());
            for (const auto& algorithm : algorithms)
                trial.run(one_case, {algorithm, inits[turn++ % std::size(inits)]});
        });
        if (anywhere(trial.faults() > 0)) return;
    }
}

BOOST_AUTO_TEST_CASE(every_datatype_is_moved_by_every_algorithm) {
    const auto families = type_families();
    CollectiveChecks trial(MPI_COMM_WORLD);
    unsigned seed = 0;
    for (const auto what : all_collectives)
        for (const auto& family : families) {
            if (reduces(what) || what == Collective::barrier) continue;
            for (const auto& algorithm : algorithms_of(what)) {
                const int root = static_cast<int>(seed) % world_size();
                const auto one_case = moving(
                    {what, world_size(), root, false, false, 2, &family, ++seed}, world_rank());
                trial.run(one_case, {algorithm, inits[seed / 2 % 4], seed % 2 ? "pack" : "types"});
            }
        }
}

BOOST_AUTO_TEST_CASE(every_operator_reduces_every_type_that_it_is_defined_for) {
    const RandomCollectives samples;
    CollectiveChecks trial(MPI_COMM_WORLD);
    unsigned seed = 0;
    for (const auto what : all_collectives)
        for (const auto& kind : samples.kinds) {
            if (!reduces(what)) continue;
            const auto algorithms = algorithms_of(what);
            const auto& algorithm = algorithms[seed % algorithms.size()];
            const int root = static_cast<int>(seed) % world_size();
            const auto one_case = summing(
                {what, world_size(), root, seed % 2 == 0, false, 3, kind, ++seed}, world_rank());
            trial.run(one_case, {algorithm, inits[seed / 2 % 4]});
        }
}

BOOST_AUTO_TEST_SUITE_END()
