#include <boost/test/unit_test.hpp>

#include "collective_ranks.hpp"

using namespace carpool::collectives;
using namespace collective_ranks;

namespace {

/// Checks every algorithm once, with an operator that commutes and, if allowed, with one that does
/// not. Algorithms of P^2 messages take minutes on many ranks; make nightly runs them too.
void check_all(int ranks, std::int64_t otherwise) {
    const auto most_messages = static_cast<std::int64_t>(
        number_from_environment("CARPOOL_MOST_MESSAGES", static_cast<std::uint64_t>(otherwise)));
    for (const auto kind : kinds())
        for (const auto& a : algorithms(kind))
            for (const bool commutes : {true, false}) {
                auto problem = equal_blocks(kind, ranks, 8 * 1024);
                problem.root = has_root(kind) ? ranks / 3 : 0;
                problem.commutes = commutes;
                problem.segment = 1024;
                if ((commutes || reduces(kind)) && a.applies(problem) &&
                    a.messages(problem) <= most_messages)
                    check(a, {problem});
            }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_collectives_large)

BOOST_AUTO_TEST_CASE(every_algorithm_is_correct_on_a_prime_number_of_ranks) {
    check_all(131, 1 << 17);
}

BOOST_AUTO_TEST_CASE(every_algorithm_is_correct_on_256_ranks) { check_all(256, 1 << 17); }

BOOST_AUTO_TEST_CASE(every_algorithm_is_correct_on_512_ranks) { check_all(512, 1 << 14); }

BOOST_AUTO_TEST_CASE(every_algorithm_is_correct_on_1024_ranks) { check_all(1024, 1 << 11); }

BOOST_AUTO_TEST_SUITE_END()
