// SPDX-License-Identifier: MIT
// ranks: 1 2 4 5
// sanitize-ranks: 2 4
//
// The parts of carpool.hpp besides collectives: results by value, errors, requests, deliveries,
// halos.

#include <boost/test/unit_test.hpp>

#include <carpool/carpool.hpp>

#include "world.hpp"

#include <array>
#include <complex>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

namespace {

struct Particle {
    double mass;
    std::array<float, 3> place;
    int kind;

    bool operator==(const Particle&) const = default;
};

}  // namespace

template <>
struct carpool::datatype<Particle> : carpool::bytes_of<Particle> {};

BOOST_AUTO_TEST_SUITE(test_cxx_objects)

namespace {

using namespace carpool::tests;

/// Two dimensions of sizes as equal as possible.
std::array<int, 2> dims_of_world() {
    std::array<int, 2> dims{};
    MPI_Dims_create(world_size(), 2, dims.data());
    return dims;
}

const std::array<int, 2> periodic{1, 1};

carpool::Neighborhood torus() {
    return {MPI_COMM_WORLD, dims_of_world(), periodic, carpool::Stencil::moore(2, 1)};
}

int right() { return (world_rank() + 1) % world_size(); }
int left() { return (world_rank() + world_size() - 1) % world_size(); }

}  // namespace

BOOST_AUTO_TEST_CASE(results_are_values) {
    const carpool::Ranks ranks(MPI_COMM_WORLD);
    const int p = world_size(), r = world_rank();
    std::vector<int> numbers(static_cast<std::size_t>(p));
    std::iota(numbers.begin(), numbers.end(), 0);

    BOOST_TEST(ranks.size() == p);
    BOOST_TEST(ranks.rank() == r);
    BOOST_TEST(ranks.allreduce(r, MPI_SUM) == p * (p - 1) / 2);
    BOOST_TEST(ranks.allgather(r) == numbers);
    BOOST_TEST(ranks.gather(r, 0) == (r == 0 ? numbers : std::vector<int>()));
    BOOST_TEST(ranks.scatter(numbers, 0) == r);
    BOOST_TEST(ranks.alltoall(std::vector<int>(numbers.size(), r)) == numbers);
    BOOST_TEST(ranks.scan(1, MPI_SUM) == r + 1);
    BOOST_TEST(ranks.exscan(1, MPI_SUM) == r);
    BOOST_TEST(ranks.reduce(r, MPI_MAX, 0).value_or(-1) == (r == 0 ? p - 1 : -1));
    BOOST_TEST(ranks.reduce_scatter_block(numbers, MPI_SUM) == p * r);
    double word = r == 0 ? 2.5 : 0;
    ranks.bcast(word, 0);
    BOOST_TEST(word == 2.5);
    BOOST_TEST(ranks.plan("allreduce").phases >= 0);
}

BOOST_AUTO_TEST_CASE(values_of_all_types_are_sent) {
    const carpool::Ranks ranks(MPI_COMM_WORLD);
    const auto of = [](int rank) {
        return Particle{0.5 * rank, {1, 2.F * static_cast<float>(rank), 3}, rank};
    };
    const auto particles = ranks.allgather(of(world_rank()));
    for (int i = 0; i < world_size(); ++i)
        BOOST_TEST((particles[static_cast<std::size_t>(i)] == of(i)));

    const std::complex<double> one(1, 2);
    BOOST_TEST((ranks.allreduce(one, MPI_SUM) == one * static_cast<double>(world_size())));
    const auto sums = ranks.allreduce(std::array<long, 2>{1, 2}, MPI_SUM);
    BOOST_TEST(sums[1] == 2 * world_size());
    BOOST_TEST(ranks.allreduce(true, MPI_LAND));
}

BOOST_AUTO_TEST_CASE(neighbors_results_are_values) {
    const auto on = torus();
    const auto stencil = carpool::Stencil::moore(2, 1);
    const auto around = on.ranks_around();
    const int r = on.ranks().rank();
    BOOST_TEST(on.allgather(r) == around.sources);
    BOOST_TEST(on.alltoall(std::vector<int>(8, r)) == around.sources);
    BOOST_TEST(on.reduce(r, MPI_SUM) ==
               std::accumulate(around.sources.begin(), around.sources.end(), 0));
    BOOST_TEST(on.reduce_scatter_block(std::vector<int>(8, 1), MPI_SUM) == 8);
    BOOST_TEST(on.size() == 8);
    BOOST_TEST((on.stencil() == stencil));
    for (int i = 0; i < 8; ++i) {
        const auto shift = on.relative_shift(stencil[i]);
        BOOST_TEST(shift.source == around.sources[static_cast<std::size_t>(i)]);
        BOOST_TEST(shift.target == around.targets[static_cast<std::size_t>(i)]);
        BOOST_TEST(shift.target == on.relative_rank(stencil[i]));
        BOOST_TEST(on.relative_rank(on.relative_coord(shift.target)) == shift.target);
    }
}

BOOST_AUTO_TEST_CASE(a_mistake_is_an_exception_that_names_the_call_on_all_ranks) {
    const auto ranks = carpool::Communicator::duplicate_of(MPI_COMM_WORLD);
    int one = 1, sum = 0;
    try {
        const auto request = ranks.allreduce_init(one, sum, MPI_SUM, {{"carpool_algorithm", "x"}});
        BOOST_TEST(false, "an unknown algorithm was accepted");
    } catch (const carpool::Error& error) {
        BOOST_TEST(error.error_class() == MPI_ERR_INFO_VALUE);
        BOOST_TEST(error.code() != MPI_SUCCESS);
        BOOST_TEST(error.call() == "Carpool_Allreduce_init_c");
        BOOST_TEST(std::strstr(error.what(), "Carpool_Allreduce_init_c: ") != nullptr);
        BOOST_TEST(std::strstr(error.what(), "carpool_algorithm") != nullptr);
    }
    std::array<int, 2> two{};
    BOOST_CHECK_THROW((void)ranks.allreduce_init(one, two, MPI_SUM), carpool::Error);
    const std::vector<int> odd(static_cast<std::size_t>(2 * world_size() + 1));
    if (world_size() > 1)
        BOOST_CHECK_THROW((void)ranks.alltoall_init(odd, std::span<int>(two)), carpool::Error);
}

BOOST_AUTO_TEST_CASE(errors_on_communicators_of_mpi_are_exceptions_for_a_scope) {
    const carpool::ErrorsReturn errors;
    BOOST_CHECK_THROW(carpool::Stencil("circle 2"), carpool::Error);
    BOOST_CHECK_THROW(carpool::Neighborhood(MPI_COMM_WORLD, std::array{0}, std::array{1},
                                            carpool::Stencil::moore(1, 1)),
                      carpool::Error);
    carpool::Request none;
    BOOST_CHECK_THROW(none.start(), carpool::Error);
}

BOOST_AUTO_TEST_CASE(weights_of_a_graph_are_kept) {
    const std::array sources{left(), left()}, targets{right(), right()};
    const std::array incoming{7, 8}, outgoing{7, 8};
    const carpool::Graph graph(MPI_COMM_WORLD, sources, targets,
                               {.source_weights = incoming, .destination_weights = outgoing});
    std::array<int, 2> from{}, to{}, from_weights{}, to_weights{};
    MPI_Dist_graph_neighbors(graph.comm(), 2, from.data(), from_weights.data(), 2, to.data(),
                             to_weights.data());
    BOOST_TEST(from_weights == incoming, boost::test_tools::per_element());
    BOOST_TEST(to_weights == outgoing, boost::test_tools::per_element());
    const carpool::ErrorsReturn errors;
    const std::span<const int> too_few(incoming.data(), 1);
    BOOST_CHECK_THROW(carpool::Graph(MPI_COMM_WORLD, sources, targets, {.source_weights = too_few}),
                      carpool::Error);
}

BOOST_AUTO_TEST_CASE(the_destructor_of_a_request_completes_it) {
    const carpool::Ranks ranks(MPI_COMM_WORLD);
    const int mine = 1;
    int sum = 0, other = 0, third = 0;
    {
        const auto pending = ranks.iallreduce(mine, sum, MPI_SUM);
        auto request = ranks.allreduce_init(mine, other, MPI_SUM);
        request.start();
        auto started = ranks.allreduce_init(mine, third, MPI_SUM);
        started.start();
        started.pending().wait();
    }
    BOOST_TEST(sum == world_size());
    BOOST_TEST(other == world_size());
    BOOST_TEST(third == world_size());
}

BOOST_AUTO_TEST_CASE(requests_are_started_and_waited_for_together) {
    const carpool::Ranks ranks(MPI_COMM_WORLD);
    const int mine = 1;
    std::array<int, 3> sums{};
    carpool::Requests requests;
    BOOST_TEST(!requests.wait_any().has_value());
    for (auto& sum : sums) requests.add(ranks.allreduce_init(mine, sum, MPI_SUM));
    const std::vector<int> wanted(3, world_size());
    const auto expect = [&](const char* how) {
        BOOST_TEST(std::vector(sums.begin(), sums.end()) == wanted, how);
        sums.fill(0);
    };
    requests.start();
    requests.wait();
    expect("wait");
    requests.start();
    while (!requests.test()) continue;
    expect("test");
    requests.start();
    for (std::size_t i = 0; i < requests.size(); ++i) BOOST_TEST(requests.wait_any().has_value());
    BOOST_TEST(!requests.wait_any().has_value());
    expect("wait_any");
    requests.start();
    for (std::size_t i = 0; i < requests.size();)
        if (requests.test_any()) ++i;
    expect("test_any");
    requests.start();
    for (std::size_t ended = 0; ended < requests.size();) ended += requests.wait_some().size();
    BOOST_TEST(requests.wait_some().empty());
    expect("wait_some");
    requests.start();
    for (std::size_t ended = 0; ended < requests.size();) ended += requests.test_some().size();
    expect("test_some");
}

BOOST_AUTO_TEST_CASE(a_bundle_starts_requests_that_have_ended_before_it) {
    const auto on = torus();
    const int mine = on.ranks().rank();
    std::vector<int> around(8), again(8);
    int sum = 0;
    carpool::Request bundle;
    {
        const auto first = on.allgather_init(mine, around);
        const auto second = on.allgather_init(mine, again);
        const auto third = on.ranks().allreduce_init(mine, sum, MPI_SUM);
        bundle = on.ranks().bundle_init(std::array{&first, &second, &third});
    }
    bundle.run();
    BOOST_TEST(around == on.ranks_around().sources);
    BOOST_TEST(again == around);
    BOOST_TEST(sum == world_size() * (world_size() - 1) / 2);
}

BOOST_AUTO_TEST_CASE(settings_choose_the_rule) {
    const auto on = torus();
    const int mine = on.ranks().rank();
    std::vector<int> around(8);
    carpool::Settings settings{{"carpool_algorithm", "cartesian"}};
    settings["carpool_transport"] = "mpi";
    auto request = on.allgather_init(mine, around, settings);
    BOOST_TEST(std::string(request.plan().algorithm) == "cartesian");
    request.start();
    while (!request.test()) continue;
    BOOST_TEST(around == on.ranks_around().sources);
}

BOOST_AUTO_TEST_CASE(a_delivery_has_the_messages_received_and_may_be_repeated) {
    const carpool::Ranks ranks(MPI_COMM_WORLD);
    const std::array to{right()};
    const std::vector<int> numbers(static_cast<std::size_t>(world_rank() + 1), world_rank());
    const std::array sizes{numbers.size()};
    const std::vector<int> wanted(static_cast<std::size_t>(left() + 1), left());
    const auto check = [&](const carpool::Delivery& delivery) {
        BOOST_REQUIRE(delivery.size() == 1);
        BOOST_TEST(delivery[0].source == left());
        const auto come = delivery[0].as<int>();
        BOOST_TEST(std::vector(come.begin(), come.end()) == wanted);
    };
    const auto delivery = ranks.sparse_exchange(to, {numbers, sizes});
    check(delivery);
    check(ranks.isparse_exchange(to, {numbers, sizes}).wait());
    const carpool::ErrorsReturn errors;
    const std::vector<std::size_t> no_sizes;
    BOOST_CHECK_THROW(ranks.sparse_exchange(to, {numbers, no_sizes}), carpool::Error);
    std::vector<int> received(wanted.size());
    ranks.sparse_exchange_init(delivery, numbers, received).run();
    BOOST_TEST(received == wanted);
}

BOOST_AUTO_TEST_CASE(halos_of_several_views_are_filled) {
    const auto on = torus();
    const auto dims = dims_of_world();
    std::array<int, 2> at{};
    MPI_Cart_coords(on.comm(), on.ranks().rank(), 2, at.data());
    const std::array<int, 2> cells{3, 4};
    const auto number = [&](int i, int j) {  // of a cell, relative to this rank
        const int y = (at[0] * cells[0] + i + dims[0] * cells[0]) % (dims[0] * cells[0]);
        const int x = (at[1] * cells[1] + j + dims[1] * cells[1]) % (dims[1] * cells[1]);
        return static_cast<double>(1 + y * dims[1] * cells[1] + x);
    };
    std::array<std::vector<double>, 2> memory{std::vector<double>(30), std::vector<double>(30)};
    const std::array views{carpool::View<double, 2>(memory[0], {5, 6}),
                           carpool::View<double, 2>(memory[1], {5, 6})};
    for (int i = 0; i < cells[0]; ++i)
        for (int j = 0; j < cells[1]; ++j) {
            views[0](i + 1, j + 1) = number(i, j);
            views[1](i + 1, j + 1) = -number(i, j);
        }
    carpool::halo_init(on, views, carpool::Widths<2>::all(1), carpool::Stencil::moore(2, 1)).run();
    int wrong = 0;
    for (int i = -1; i <= cells[0]; ++i)
        for (int j = -1; j <= cells[1]; ++j)
            wrong +=
                views[0](i + 1, j + 1) != number(i, j) || views[1](i + 1, j + 1) != -number(i, j);
    BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(stencils_are_those_of_c) {
    BOOST_TEST((carpool::Stencil("moore 2 1") == carpool::Stencil::moore(2, 1)));
    BOOST_TEST((carpool::Stencil("von_neumann 3 2") == carpool::Stencil::von_neumann(3, 2)));
    BOOST_TEST(
        (carpool::Stencil("positive_octant 3 1") == carpool::Stencil::positive_octant(3, 1)));
    BOOST_TEST((carpool::Stencil("shales 2 1 3") == carpool::Stencil::shales(2, std::array{1, 3})));
    BOOST_TEST((carpool::Stencil("box 3 5 -1") == carpool::Stencil::box(3, 5, -1)));
    BOOST_TEST(carpool::Stencil(2, {0, 1, 1, 0})[1][0] == 1);
}

BOOST_AUTO_TEST_CASE(the_version_that_runs_is_that_of_the_header) {
    int major = -1, minor = -1, patch = -1;
    BOOST_TEST(Carpool_Get_version(&major, &minor, &patch) == MPI_SUCCESS);
    BOOST_TEST(major * 10000 + minor * 100 + patch == CARPOOL_VERSION);
    BOOST_TEST(Carpool_Get_version(nullptr, nullptr, nullptr) == MPI_SUCCESS);
}

BOOST_AUTO_TEST_SUITE_END()
