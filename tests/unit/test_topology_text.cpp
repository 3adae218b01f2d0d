// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "says.hpp"
#include "topology/stencils.hpp"
#include "topology/text.hpp"

#include <stdexcept>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_topology_text)

using namespace carpool::topology;

namespace {

std::vector<int> flat(const Neighborhood& neighborhood) {
    return {neighborhood.flat().begin(), neighborhood.flat().end()};
}

bool same(const std::string& text, const Neighborhood& neighborhood) {
    const auto read = stencil_from_text(text);
    return read.dimensions() == neighborhood.dimensions() && flat(read) == flat(neighborhood);
}

}  // namespace

BOOST_AUTO_TEST_CASE(named_stencils_are_those_of_their_functions) {
    BOOST_TEST(same("moore 3 1", moore(3, 1)));
    BOOST_TEST(same("  von_neumann  2 3 ", von_neumann(2, 3)));
    BOOST_TEST(same("positive_octant 4 1", positive_octant(4, 1)));
    BOOST_TEST(same("shales 2 1 3", shales(2, std::vector{1, 3})));
    BOOST_TEST(same("octant 4 1", positive_octant(4, 1)));
    BOOST_TEST(same("box 3 5 -1", box(3, 5, -1)));
    BOOST_TEST(same("offsets 2: 0,1 -1,0", Neighborhood(2, {0, 1, -1, 0})));
    BOOST_TEST(same("offsets 3:", Neighborhood(3, {})));
    BOOST_TEST(same("offsets 0,1 -1,0 7,7", Neighborhood(2, {0, 1, -1, 0, 7, 7})));
}

BOOST_AUTO_TEST_CASE(every_family_has_an_example_that_works) {
    for (const auto& family : stencil_families())
        BOOST_TEST(stencil_from_text(std::string(family.example)).size() > 0);
}

BOOST_AUTO_TEST_CASE(von_neumann_works_in_many_dimensions) {
    BOOST_TEST(von_neumann(40, 1).size() == 80);
    BOOST_TEST(von_neumann(3, 2).size() == 24);
    BOOST_TEST(same("von_neumann 100 2", von_neumann(100, 2)));
}

BOOST_AUTO_TEST_CASE(text_that_is_no_stencil_is_refused_with_the_reason) {
    using Error = std::invalid_argument;
    BOOST_CHECK_EXCEPTION(stencil_from_text(""), Error, says("expected moore"));
    BOOST_CHECK_EXCEPTION(stencil_from_text("more 3 1"), Error, says("'more' is no stencil"));
    BOOST_CHECK_EXCEPTION(stencil_from_text("moore"), Error, says("expected moore D RADIUS"));
    BOOST_CHECK_EXCEPTION(stencil_from_text("moore 3"), Error, says("expected moore D RADIUS"));
    BOOST_CHECK_EXCEPTION(stencil_from_text("moore 3 x"), Error, says("'x' is not an integer"));
    BOOST_CHECK_EXCEPTION(stencil_from_text("moore 0 1"), Error, says("D is 0"));
    BOOST_CHECK_EXCEPTION(stencil_from_text("moore 2 -1"), Error, says("RADIUS is -1"));
    BOOST_CHECK_EXCEPTION(stencil_from_text("box 2 -4 1"), Error, says("N is -4"));
    BOOST_CHECK_EXCEPTION(stencil_from_text("moore 30 9"), Error, says("2^26"));
    BOOST_CHECK_EXCEPTION(stencil_from_text("offsets 0,1 2"), Error, says("has 1 coordinates"));
    BOOST_CHECK_EXCEPTION(stencil_from_text("moore 2 99999999999"), Error, says("too large"));
    BOOST_CHECK_EXCEPTION(stencil_from_text("offsets"), Error, says("expected offsets D:"));
    BOOST_CHECK_EXCEPTION(stencil_from_text("offsets 0,,1"), Error, says("'' is not an integer"));
    BOOST_CHECK_EXCEPTION(stencil_from_text("offsets 0: 1"), Error, says("D is 0"));
    BOOST_CHECK_EXCEPTION(stencil_from_text("offsets 2: 1"), Error, says("offset '1' has 1"));
    BOOST_CHECK_EXCEPTION(stencil_from_text("box 2 5 2147483647"), Error, says("F is 2147483647"));
}

BOOST_AUTO_TEST_CASE(stencils_too_large_for_memory_are_refused_before_they_are_made) {
    using Error = std::invalid_argument;
    for (const std::string text : {"box 2000000000 0 0", "moore 2000000000 0", "moore 1 2147483647",
                                   "von_neumann 100000 1", "shales 9 1 2147483647"})
        BOOST_CHECK_EXCEPTION(stencil_from_text(text), Error, says("2^26"));
}

BOOST_AUTO_TEST_CASE(a_stencil_in_millions_of_dimensions_needs_no_deep_recursion) {
    BOOST_TEST(stencil_from_text("von_neumann 60000000 0").size() == 0);
}

BOOST_AUTO_TEST_CASE(grids_read_as_they_are_written) {
    for (const std::string text :
         {"torus 4x4x4", "mesh 8x8", "grid 4px8", "torus 1", "mesh 1000x1000"})
        BOOST_TEST(to_text(grid_from_text(text)) == text);
    BOOST_TEST(grid_from_text("grid 3x5p").periodic(1));
    BOOST_TEST(!grid_from_text("grid 3x5p").periodic(0));
}

BOOST_AUTO_TEST_CASE(text_that_is_no_grid_is_refused_with_the_reason) {
    using Error = std::invalid_argument;
    BOOST_CHECK_EXCEPTION(grid_from_text("4x4"), Error, says("expected torus, mesh or grid"));
    BOOST_CHECK_EXCEPTION(grid_from_text("torus 4xfour"), Error,
                          says("size 2 of 'torus 4xfour' is 'four'"));
    BOOST_CHECK_EXCEPTION(grid_from_text("torus 4px4"), Error, says("'4p', expected integers"));
    BOOST_CHECK_EXCEPTION(grid_from_text("mesh 0x4"), Error, says("size 1 of 'mesh 0x4' is '0'"));
    BOOST_CHECK_EXCEPTION(grid_from_text("mesh x"), Error, says("size 1 of 'mesh x' is ''"));
    BOOST_CHECK_EXCEPTION(grid_from_text("torus 4xx4"), Error, says("size 2 of 'torus 4xx4'"));
    BOOST_CHECK_EXCEPTION(grid_from_text("torus 3000000000"), Error, says("is '3000000000'"));
    BOOST_CHECK_EXCEPTION(grid_from_text("torus 4x4x"), Error, says("size 3"));
    BOOST_CHECK_EXCEPTION(grid_from_text("grid px4"), Error, says("size 1"));
    BOOST_CHECK_EXCEPTION(grid_from_text("torus"), Error, says("such as torus 4x4x4"));
    BOOST_CHECK_EXCEPTION(grid_from_text("mesh 100000x100000"), Error, says("2^31 - 1"));
}

BOOST_AUTO_TEST_SUITE_END()
