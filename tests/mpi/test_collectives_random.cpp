// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4 5 7 8 17
// nightly-ranks: 6 9 12 16
// sanitize-ranks: 2 5
//
// The ordinary collectives with random types, operators, counts, roots, algorithms and forms,
// compared with a separate model and with the host MPI's blocking calls.

#include <boost/test/unit_test.hpp>

#include "random_collectives.hpp"
#include "seed.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_collectives_random)

namespace {

using namespace carpool::tests;

int draws() {
    const int draws[] = {0, 40, 40, 40, 40, 20, 20, 15, 15, 10};
    return world_size() < 10 ? draws[world_size()] : 5;
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_collectives_give_what_the_model_and_the_host_mpi_give) {
    auto rng = seeded();
    const RandomCollectives samples;
    CollectiveChecks trial(MPI_COMM_WORLD);
    for (int round = 0; round < draws(); ++round) {
        for (const auto what : all_collectives) {
            const auto one_case = samples.draw(what, MPI_COMM_WORLD, rng);
            trial.run(one_case, samples.draw_variant(what, rng));
        }
        if (anywhere(trial.faults() > 0)) return;  // the errors of one round are enough
    }
}

// Tests of the checkers themselves.
BOOST_AUTO_TEST_CASE(a_wrong_byte_anywhere_is_found) {
    const auto ints = families::six_integers();
    for (const auto what : all_collectives) {
        if (reduces(what) || what == Collective::barrier) continue;
        auto one_case = moving({what, world_size(), 0, false, false, 3, &ints, 1}, world_rank());
        const auto after = one_case.after;
        std::size_t wrong = 0;
        one_case.after = [&](int start) {
            auto contents = after(start);
            if (!contents.recv.empty()) contents.recv[wrong] ^= std::byte{1};
            return contents;
        };
        CheckedCollective collective(one_case);
        for (wrong = 0; wrong < after(0).recv.size(); wrong += 101) {
            BOOST_TEST(collective.fault() != "", name_of(what));
            BOOST_TEST(collective.effect() == "", name_of(what));
        }
    }
}

BOOST_AUTO_TEST_CASE(operands_out_of_order_are_found) {
    const UserOperators user;
    for (const auto& kind : user.ordered()) {
        const Summation s{Collective::allreduce, 2, 0, false, false, 3, kind, 1};
        auto zero = Summands::of(s, 0, 0), one = Summands::of(s, 1, 0);
        const auto in_order = Summands::folded(s, 1, 0).bytes;
        MPI_Reduce_local(one.at(0), zero.at(0), s.count, kind.type, kind.op);
        BOOST_TEST((zero.bytes != in_order), kind.name);
    }
}

BOOST_AUTO_TEST_SUITE_END()
