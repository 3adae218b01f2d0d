// SPDX-License-Identifier: MIT
// ranks: 1 4 6 9
// sanitize-ranks: none
// one-node: all (of the tests' own code)
//
// Tests of the checkers: the oracle, the coordinates, the comparison of buffers.

#include <boost/test/unit_test.hpp>

#include "checked_exchange.hpp"
#include "grid_cases.hpp"
#include "world.hpp"

#include <numeric>

BOOST_AUTO_TEST_SUITE(test_oracle)

namespace {

using namespace carpool::tests;

using Ranks = std::vector<int>;

/// What a rank receives if block i of each rank is the number 100 * rank + i.
Ranks numbers_received(const Neighbors& neighbors) {
    Ranks send, recv(neighbors.sources.size(), -1);
    for (std::size_t i = 0; i < recv.size(); ++i)
        send.push_back(100 * world_rank() + static_cast<int>(i));
    const ExchangeArguments arguments{
        Operation::alltoall, {send.data(), {1}, {}, {MPI_INT}}, {recv.data(), {1}, {}, {MPI_INT}}};
    exchange_naively(arguments, neighbors, MPI_COMM_WORLD);
    return recv;
}

const Pattern cross{"cross", 2, {0, 1, 1, 0, 0, -1, -1, 0}};

}  // namespace

BOOST_AUTO_TEST_CASE(on_a_3x3_torus_the_middle_has_its_four_neighbors) {
    const auto n = neighbors_of(4, {{3, 3}, {1, 1}}, cross);
    BOOST_TEST(n.targets == (Ranks{5, 7, 3, 1}), boost::test_tools::per_element());
    BOOST_TEST(n.sources == (Ranks{3, 1, 5, 7}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(on_a_3x3_torus_the_corner_wraps_around) {
    const auto n = neighbors_of(0, {{3, 3}, {1, 1}}, cross);
    BOOST_TEST(n.targets == (Ranks{1, 3, 2, 6}), boost::test_tools::per_element());
    BOOST_TEST(n.sources == (Ranks{2, 6, 1, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(on_a_3x3_mesh_the_corner_has_no_neighbor_outside) {
    const auto n = neighbors_of(0, {{3, 3}, {0, 0}}, cross);
    const int none = MPI_PROC_NULL;
    BOOST_TEST(n.targets == (Ranks{1, 3, none, none}), boost::test_tools::per_element());
    BOOST_TEST(n.sources == (Ranks{none, none, 1, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(offsets_beyond_a_dimension_wrap_as_often_as_needed) {
    const auto n = neighbors_of(1, {{2}, {1}}, {"far", 1, {5, -6, 2}});
    BOOST_TEST(n.targets == (Ranks{0, 1, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_oracle_pairs_equal_offsets_by_position) {
    const Torus ring{{world_size()}, {1}};
    const auto n = neighbors_of(world_rank(), ring, {"twice", 1, {1, 0, 1}});
    const int left = (world_rank() + world_size() - 1) % world_size();
    const Ranks expected{100 * left, 100 * world_rank() + 1, 100 * left + 2};
    BOOST_TEST(numbers_received(n) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_oracle_leaves_blocks_without_source_alone) {
    const Torus line{{world_size()}, {0}};
    const auto n = neighbors_of(world_rank(), line, {"right", 1, {1}});
    const Ranks expected{world_rank() == 0 ? -1 : 100 * (world_rank() - 1)};
    BOOST_TEST(numbers_received(n) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_oracle_agrees_with_the_host_on_a_distributed_graph) {
    const Torus torus{balanced_dims(world_size(), 2), {1, 1}};
    const auto n = neighbors_of(world_rank(), torus, box("stencil", 2, -1, 1));
    const int t = static_cast<int>(n.sources.size());
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, t, n.sources.data(), MPI_UNWEIGHTED, t,
                                   n.targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    const Comm owned(graph);
    auto sum = [](const Ranks& v) { return std::accumulate(v.begin(), v.end(), 0); };
    Ranks send, recv(n.sources.size());
    for (int i = 0; i < t; ++i) send.push_back(100 * world_rank() + i);
    MPI_Neighbor_alltoall(send.data(), 1, MPI_INT, recv.data(), 1, MPI_INT, graph);
    // If several blocks come from one rank, the host MPI may receive them in any order, so only
    // sums are compared.
    BOOST_TEST(sum(recv) == sum(numbers_received(n)));
}

BOOST_AUTO_TEST_CASE(a_wrong_offset_is_seen) {
    if (world_size() == 1) return;
    const Torus ring{{world_size()}, {1}};
    const auto right = neighbors_of(world_rank(), ring, {"right", 1, {1}});
    const auto stay = neighbors_of(world_rank(), ring, {"stay", 1, {0}});
    CheckedExchange exchange(slotted(Operation::alltoall, right, world_rank()), right);
    exchange.prepare(0);
    exchange_naively(exchange.arguments(), stay, MPI_COMM_WORLD);
    BOOST_TEST(!exchange.fault().empty());
}

BOOST_AUTO_TEST_CASE(the_right_bytes_are_accepted) {
    const Torus ring{{world_size()}, {1}};
    const auto right = neighbors_of(world_rank(), ring, {"right", 1, {1}});
    for (Operation operation : operations) {
        CheckedExchange exchange(slotted(operation, right, world_rank()), right);
        exchange.prepare(0);
        exchange_naively(exchange.arguments(), right, MPI_COMM_WORLD);
        BOOST_TEST(exchange.fault() == "", name_of(operation));
    }
}

BOOST_AUTO_TEST_CASE(a_byte_written_into_a_gap_is_seen) {
    const auto expected = poisoned(8);
    auto got = expected;
    got[5] = std::byte{0x11};
    BOOST_TEST(difference(expected, got) == "byte 5 of 8: expected a5, got 11; 1 bytes differ");
}

BOOST_AUTO_TEST_CASE(a_changed_send_buffer_is_seen) {
    const auto nobody = neighbors_of(world_rank(), {{world_size()}, {1}}, {"none", 1, {}});
    CheckedExchange exchange(slotted(Operation::allgather, nobody, world_rank()), nobody);
    exchange.prepare(0);
    BOOST_TEST(exchange.fault() == "");
    static_cast<std::byte*>(exchange.arguments().send.buffer)[3] ^= std::byte{1};
    BOOST_TEST(exchange.fault().starts_with("send buffer: byte 3 "));
}

BOOST_AUTO_TEST_CASE(a_stale_start_is_seen) {
    const auto stay = neighbors_of(world_rank(), {{world_size()}, {1}}, {"stay", 1, {0}});
    CheckedExchange exchange(slotted(Operation::alltoall, stay, world_rank()), stay);
    exchange.prepare(0);
    exchange_naively(exchange.arguments(), stay, MPI_COMM_WORLD);
    const Bytes stale(static_cast<std::byte*>(exchange.arguments().recv.buffer),
                      static_cast<std::byte*>(exchange.arguments().recv.buffer) + 12);
    exchange.prepare(1);
    std::copy(stale.begin(), stale.end(),
              static_cast<std::byte*>(exchange.arguments().recv.buffer));
    BOOST_TEST(!exchange.fault().empty());
}

BOOST_AUTO_TEST_CASE(one_rank_that_differs_is_seen_by_all) {
    BOOST_TEST(same_everywhere(7));
    BOOST_TEST(same_everywhere(world_rank() == 0 ? 8 : 7) == (world_size() == 1));
    BOOST_TEST(anywhere(world_rank() == world_size() - 1));
    BOOST_TEST(!anywhere(false));
}

BOOST_AUTO_TEST_SUITE_END()
