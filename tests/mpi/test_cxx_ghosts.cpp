// SPDX-License-Identifier: MIT
// ranks: 1 3 4
// sanitize-ranks: 3
//
// carpool::Ghosts: the exchanges of ghosts in C++.

#include <boost/test/unit_test.hpp>

#include <carpool/carpool.hpp>

#include "world.hpp"

#include <array>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_cxx_ghosts)

namespace {

using namespace carpool::tests;

int next() { return (world_rank() + 1) % world_size(); }
int previous() { return (world_rank() + world_size() - 1) % world_size(); }

/// Three entries per rank; the ghosts are the last and the first entry of the next rank.
struct Ring {
    std::array<int, 2> owners{next(), next()};
    std::array<MPI_Count, 2> indices{2, 0};
    carpool::Ghosts ghosts{MPI_COMM_WORLD, 3, owners, indices};
    std::vector<double> x{10.0 * world_rank(), 10.0 * world_rank() + 1, 10.0 * world_rank() + 2};
    std::vector<double> copies = std::vector<double>(2);

    std::vector<double> expected() const { return {10.0 * next() + 2, 10.0 * next()}; }
};

}  // namespace

BOOST_AUTO_TEST_CASE(ghosts_get_their_values_in_every_form) {
    Ring ring;
    ring.ghosts.update(ring.x, ring.copies);
    BOOST_TEST(ring.copies == ring.expected());
    ring.copies = {0, 0};
    ring.ghosts.iupdate(std::as_const(ring.x), std::span(ring.copies)).wait();
    BOOST_TEST(ring.copies == ring.expected());
    ring.copies = {0, 0};
    auto request = ring.ghosts.update_init(ring.x, ring.copies);
    request.run();
    BOOST_TEST(ring.copies == ring.expected());
}

BOOST_AUTO_TEST_CASE(ghosts_are_added_in_every_form) {
    Ring ring;
    ring.copies = {1, 2};
    const auto before = ring.x;
    ring.ghosts.reduce(ring.copies, ring.x, MPI_SUM);
    BOOST_TEST(ring.x == (std::vector{before[0] + 2, before[1], before[2] + 1}));
    ring.ghosts.ireduce(ring.copies, ring.x, MPI_SUM).wait();
    auto request = ring.ghosts.reduce_init(ring.copies, ring.x, MPI_SUM);
    request.run();
    BOOST_TEST(ring.x == (std::vector{before[0] + 6, before[1], before[2] + 3}));
}

BOOST_AUTO_TEST_CASE(an_entry_may_have_several_values) {
    const Ring ring;
    std::vector<std::array<int, 2>> pairs;
    for (int i = 0; i < 6; ++i) pairs.push_back({world_rank(), i});
    std::vector<std::array<int, 2>> copies(4);
    ring.ghosts.update(pairs, copies, 2);
    const std::vector<std::array<int, 2>> expected{
        {next(), 4}, {next(), 5}, {next(), 0}, {next(), 1}};
    BOOST_TEST((copies == expected));
}

BOOST_AUTO_TEST_CASE(a_map_tells_its_sizes_and_neighbors) {
    const Ring ring;
    BOOST_TEST(ring.ghosts.owned() == 3);
    BOOST_TEST(ring.ghosts.size() == 2);
    const auto sources = ring.ghosts.sources();
    BOOST_REQUIRE(sources.size() == 1U);
    BOOST_TEST(sources[0].rank == next());
    BOOST_TEST((sources[0].indices == std::vector<MPI_Count>{0, 1}));
    const auto targets = ring.ghosts.targets();
    BOOST_REQUIRE(targets.size() == 1U);
    BOOST_TEST(targets[0].rank == previous());
    BOOST_TEST((targets[0].indices == std::vector<MPI_Count>{0, 2}));
}

BOOST_AUTO_TEST_CASE(global_numbers_stand_for_entries) {
    std::vector<MPI_Count> ranges(static_cast<std::size_t>(world_size()) + 1);
    for (std::size_t r = 0; r < ranges.size(); ++r) ranges[r] = 3 * static_cast<MPI_Count>(r);
    const std::array numbers{ranges[static_cast<std::size_t>(next())] + 1};
    const carpool::Ghosts ghosts(MPI_COMM_WORLD, ranges, numbers);
    const std::vector<int> x{world_rank(), 100 + world_rank(), 200 + world_rank()};
    std::vector<int> copy(1);
    ghosts.update(x, copy);
    BOOST_TEST(copy[0] == 100 + next());
}

/// Two fields: the doubles of a ring, and pairs of integers for each entry.
struct TwoFields : Ring {
    std::vector<int> pairs{world_rank(), 1, world_rank(), 2, world_rank(), 3};
    std::vector<int> copies_of_pairs = std::vector<int>(4);

    void expect_updated() {
        BOOST_TEST(copies == expected());
        BOOST_TEST(copies_of_pairs == (std::vector{next(), 3, next(), 1}));
        copies.assign(2, 0);
        copies_of_pairs.assign(4, 0);
    }
};

BOOST_AUTO_TEST_CASE(fields_are_updated_together_in_every_form) {
    TwoFields ring;
    ring.ghosts.update({{ring.x, ring.copies}, {ring.pairs, ring.copies_of_pairs, 2}});
    ring.expect_updated();
    carpool::GhostFields fields;
    fields.add({std::as_const(ring.x), std::span(ring.copies)});
    fields.add({ring.pairs, ring.copies_of_pairs, 2});
    ring.ghosts.iupdate(fields).wait();
    ring.expect_updated();
    auto request = ring.ghosts.update_init(fields);
    request.run();
    ring.expect_updated();
    ring.ghosts.update({{ring.x, ring.copies}});
    BOOST_TEST(ring.copies == ring.expected());
    ring.ghosts.update(carpool::GhostFields());
}

BOOST_AUTO_TEST_CASE(fields_are_added_together_in_every_form) {
    TwoFields ring;
    ring.copies = {1, 2};
    ring.copies_of_pairs = {1, 10, 2, 20};
    const carpool::GhostFields fields{{ring.copies, ring.x}, {ring.copies_of_pairs, ring.pairs, 2}};
    ring.ghosts.reduce(fields, MPI_SUM);
    ring.ghosts.ireduce(fields, MPI_SUM).wait();
    auto request = ring.ghosts.reduce_init(fields, MPI_SUM);
    request.run();
    const double x = 10.0 * world_rank();
    BOOST_TEST(ring.x == (std::vector{x + 6, x + 1, x + 5}));
    const int r = world_rank();
    BOOST_TEST(ring.pairs == (std::vector{r + 6, 61, r, 2, r + 3, 33}));
}

/// Checks that a call throws an Error with this text on this rank.
template <typename Call>
void expect_error(int error_class, const std::string& text, const Call& call) {
    BOOST_CHECK_EXCEPTION(static_cast<void>(call()), carpool::Error,
                          [&](const carpool::Error& error) {
                              BOOST_TEST(error.what() == text);
                              BOOST_TEST(error.error_class() == error_class);
                              return true;
                          });
}

BOOST_AUTO_TEST_CASE(arrays_of_other_lengths_are_refused_and_named) {
    const carpool::ErrorsReturn errors_return;
    Ring ring;
    std::vector<double> three(3);
    expect_error(MPI_ERR_COUNT, "Carpool_Ghosts_update: arrays of 3 and 3 values, expected 3 and 2",
                 [&] { ring.ghosts.update(ring.x, three); });
    expect_error(MPI_ERR_COUNT,
                 "Carpool_Ighosts_reduce: arrays of 3 and 3 values, expected 2 and 3",
                 [&] { return ring.ghosts.ireduce(three, ring.x, MPI_SUM); });
    expect_error(MPI_ERR_COUNT,
                 "Carpool_Ghosts_update_init: arrays of 3 and 2 values, expected 6 and 4",
                 [&] { return ring.ghosts.update_init(ring.x, ring.copies, 2); });
    expect_error(MPI_ERR_ARG,
                 "Carpool_Ghosts_update_fields: field 1: arrays of 3 and 3 values, expected 3 and "
                 "2",
                 [&] { ring.ghosts.update({{ring.x, ring.copies}, {ring.x, three}}); });
    const std::array<MPI_Count, 1> one{0};
    expect_error(MPI_ERR_COUNT,
                 "Carpool_Ghosts_create: 2 owners and 1 indices, expected one of each for every "
                 "ghost",
                 [&] { carpool::Ghosts(MPI_COMM_WORLD, 3, ring.owners, one); });
    const std::string ranks = std::to_string(world_size() + 1);
    expect_error(MPI_ERR_ARG,
                 "Carpool_Ghosts_create_ranges: ranges of 1 elements, expected " + ranks +
                     ", one more than there are ranks",
                 [&] { carpool::Ghosts(MPI_COMM_WORLD, one, one); });
    ring.ghosts.update(ring.x, ring.copies);
    BOOST_TEST(ring.copies == ring.expected());
}

BOOST_AUTO_TEST_CASE(a_mistake_of_one_rank_is_an_error_of_an_init_on_all) {
    const carpool::ErrorsReturn errors_return;
    Ring ring;
    std::vector<double> three(3);
    auto& copies = world_rank() == 0 ? three : ring.copies;
    BOOST_CHECK_THROW(ring.ghosts.update_init(ring.x, copies), carpool::Error);
    const std::array<MPI_Count, 1> one{0};
    const std::span<const MPI_Count> indices(ring.indices);
    BOOST_CHECK_THROW(
        carpool::Ghosts(MPI_COMM_WORLD, 3, ring.owners,
                        world_rank() == 0 ? std::span<const MPI_Count>(one) : indices),
        carpool::Error);
}

BOOST_AUTO_TEST_SUITE_END()
