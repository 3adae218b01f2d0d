// SPDX-License-Identifier: MIT
// ranks: 1
// sanitize-ranks: none
// one-node: all (without messages)
//
// Named stencils in C.

#include <boost/test/unit_test.hpp>

#include "patterns.hpp"
#include "refusal.hpp"

#include <functional>
#include <set>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_stencils)

namespace {

using namespace carpool::tests;
using Offsets = std::set<std::vector<int>>;

Offsets split(const std::vector<int>& flat, int d) {
    Offsets offsets;
    for (auto first = flat.begin(); first != flat.end(); first += d)
        offsets.insert(std::vector<int>(first, first + d));
    return offsets;
}

/// Gets the number first, then the offsets, as a user does.
Offsets fetched(int d, const std::function<int(int, int*, int*)>& stencil) {
    int t = -1;
    BOOST_TEST(stencil(0, &t, nullptr) == MPI_SUCCESS);
    std::vector<int> flat(static_cast<std::size_t>(t * d), 99);
    BOOST_TEST(stencil(t, &t, flat.data()) == MPI_SUCCESS);
    return split(flat, d);
}

Offsets of(const Pattern& pattern) { return split(pattern.offsets, pattern.d); }

}  // namespace

BOOST_AUTO_TEST_CASE(stencils_from_c_are_those_of_the_papers) {
    using Max = int;
    const auto moore_2 = [](Max m, int* t, int* o) { return Carpool_Stencil_moore(2, 2, m, t, o); };
    BOOST_TEST((fetched(2, moore_2) == of(moore(2, 2))));
    const auto star = [](Max m, int* t, int* o) {
        return Carpool_Stencil_von_neumann(3, 2, m, t, o);
    };
    BOOST_TEST((fetched(3, star) == of(von_neumann(3, 2))));
    const auto corner = [](Max m, int* t, int* o) {
        return Carpool_Stencil_positive_octant(3, 2, m, t, o);
    };
    BOOST_TEST((fetched(3, corner) == of(octant(3, 2))));
    const auto shells = [](Max m, int* t, int* o) {
        const int radii[] = {1, 3};
        return Carpool_Stencil_shales(2, 2, radii, m, t, o);
    };
    BOOST_TEST((fetched(2, shells) == of(shales(2, 1, 3))));
    const auto grid = [](Max m, int* t, int* o) { return Carpool_Stencil_box(2, 4, -1, m, t, o); };
    BOOST_TEST((fetched(2, grid) == of(stencil(2, 4))));
}

BOOST_AUTO_TEST_CASE(text_says_dimension_and_number) {
    int d = 0, t = 0;
    int first[4] = {7, 7, 7, 7};
    BOOST_TEST(Carpool_Stencil("offsets 0,1 -1,0 5,5", 1, &d, &t, first) == MPI_SUCCESS);
    BOOST_TEST(d == 2);
    BOOST_TEST(t == 3);
    BOOST_TEST(std::vector(first, first + 4) == (std::vector{0, 1, 7, 7}));
}

BOOST_AUTO_TEST_CASE(an_invalid_stencil_is_an_error) {
    int d = 0, t = 0;
    const auto refused = [](const char* what, const char* word, const std::function<int()>& call) {
        expect_refusal_here(what, MPI_COMM_SELF, {MPI_ERR_ARG, {word}}, call);
    };
    refused("text", "more", [&] { return Carpool_Stencil("more 3 1", 0, &d, &t, nullptr); });
    refused("null", "expected", [&] { return Carpool_Stencil(nullptr, 0, &d, &t, nullptr); });
    refused("radius", "-1", [&] { return Carpool_Stencil_moore(2, -1, 0, &t, nullptr); });
    refused("d", "D is 0", [&] { return Carpool_Stencil_moore(0, 1, 0, &t, nullptr); });
    refused("size", "2^26", [&] { return Carpool_Stencil_moore(30, 30, 0, &t, nullptr); });
    refused("room", "maxoffsets", [&] { return Carpool_Stencil_moore(2, 1, 3, &t, nullptr); });
    refused("radii", "shales",
            [&] { return Carpool_Stencil_shales(2, 1, nullptr, 0, &t, nullptr); });
}

BOOST_AUTO_TEST_SUITE_END()
