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
#include <utility>
#include <vector>

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

BOOST_AUTO_TEST_SUITE(test_cxx_ghosts)

BOOST_AUTO_TEST_CASE(values_come_in_every_form) {
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

BOOST_AUTO_TEST_CASE(arrays_of_other_lengths_are_refused) {
    const carpool::ErrorsReturn errors_return;
    const Ring ring;
    std::vector<double> copies(3);
    BOOST_CHECK_THROW(ring.ghosts.update(ring.x, copies), carpool::Error);
    BOOST_CHECK_THROW(ring.ghosts.update_init(ring.x, copies), carpool::Error);
    const std::array<MPI_Count, 1> one{0};
    BOOST_CHECK_THROW(carpool::Ghosts(MPI_COMM_WORLD, 3, ring.owners, one), carpool::Error);
}

BOOST_AUTO_TEST_SUITE_END()
