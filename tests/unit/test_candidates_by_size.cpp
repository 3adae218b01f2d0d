// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "call/candidates_by_size.hpp"
#include "random_source.hpp"

#include <cstddef>
#include <map>

BOOST_AUTO_TEST_SUITE(test_candidates_by_size)

using carpool::call::CandidatesBySize;

BOOST_AUTO_TEST_CASE(a_class_that_was_never_kept_has_no_candidate) {
    CandidatesBySize candidates;
    BOOST_TEST(!candidates.find(1).has_value());
    candidates.keep(1, 7);
    BOOST_TEST(candidates.find(1).value() == 7u);
    BOOST_TEST(!candidates.find(2).has_value());
}

BOOST_AUTO_TEST_CASE(hundreds_of_classes_keep_their_candidates) {
    const auto seed = first_seed();
    BOOST_TEST_CONTEXT("CARPOOL_SEED=" << seed) {
        RandomSource random(seed);
        CandidatesBySize candidates;
        std::map<carpool::call::SizeClass, std::size_t> expected;
        for (std::size_t i = 0; i < 400; ++i) {
            const carpool::call::SizeClass size_class =
                static_cast<carpool::call::SizeClass>(random.between(1, 5000));
            if (!expected.emplace(size_class, i).second) continue;
            candidates.keep(size_class, i);
            for (const auto& [kept, candidate] : expected)
                BOOST_TEST_REQUIRE(candidates.find(kept).value() == candidate);
        }
    }
}

/// What is found is right, however much has been forgotten.
BOOST_AUTO_TEST_CASE(very_many_classes_are_forgotten_not_confused) {
    CandidatesBySize candidates;
    for (carpool::call::SizeClass i = 1; i < 100000; ++i) {
        candidates.keep(i, i % 11);
        BOOST_TEST_REQUIRE(candidates.find(i).value() == i % 11);
        if (const auto earlier = candidates.find(i / 2 + 1))
            BOOST_TEST(*earlier == (i / 2 + 1) % 11);
    }
}

BOOST_AUTO_TEST_SUITE_END()
