// SPDX-License-Identifier: MIT
// ranks: 1 2 4 5 8
// nightly-ranks: 12
// sanitize-ranks: 4
// environment: CARPOOL_TEST_NODES=2
//
// Communicators whose ranks are renumbered so that few bytes are sent between nodes.

#include <boost/test/unit_test.hpp>

#include "check_operations.hpp"
#include "checked_exchange.hpp"
#include "graph_neighbors.hpp"
#include "grid_neighborhood.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <unistd.h>

BOOST_AUTO_TEST_SUITE(test_reorder)

namespace {

using namespace carpool::tests;

/// A number that identifies the node of this process, from the names that the library uses.
int own_node() {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    const char* said = std::getenv("CARPOOL_NODE");
    const auto name = std::string(host) + '/' + (said != nullptr ? said : "");
    return static_cast<int>(std::hash<std::string>()(name) & 0x7fffffff);
}

/// The node of each rank. @note Collective.
std::vector<int> nodes_of(MPI_Comm comm) {
    const int own = own_node();
    std::vector<int> nodes(static_cast<std::size_t>(size_of(comm)));
    MPI_Allgather(&own, 1, MPI_INT, nodes.data(), 1, MPI_INT, comm);
    return nodes;
}

using Targets = std::vector<std::vector<int>>;

Targets targets_of(const Torus& torus, const Pattern& pattern) {
    Targets targets;
    for (int rank = 0; rank < torus.size(); ++rank)
        targets.push_back(neighbors_of(rank, torus, pattern).targets);
    return targets;
}

/// The weight of all edges between nodes, if each rank sends to its targets.
/// @note Collective over comm. @param weights  per target; 1 each if empty
std::int64_t between_nodes(MPI_Comm comm, const Targets& targets,
                           const std::vector<int>& weights = {}) {
    const auto nodes = nodes_of(comm);
    std::int64_t sum = 0;
    for (std::size_t from = 0; from < targets.size(); ++from)
        for (std::size_t i = 0; i < targets[from].size(); ++i) {
            const int to = targets[from][i];
            if (to != MPI_PROC_NULL && nodes[static_cast<std::size_t>(to)] != nodes[from])
                sum += weights.empty() ? 1 : weights[i];
        }
    return sum;
}

Comm reordered(const Torus& torus, const Pattern& pattern, const std::vector<int>& weights = {},
               MPI_Comm comm = MPI_COMM_WORLD) {
    MPI_Comm cart = MPI_COMM_NULL;
    Carpool_Cart_neighborhood_create(comm, pattern.d, torus.dims.data(), torus.periods.data(),
                                     pattern.t(), pattern.offsets.data(),
                                     weights.empty() ? MPI_UNWEIGHTED : weights.data(),
                                     MPI_INFO_NULL, 1, &cart);
    return Comm(cart);
}

Comm reordered(const Neighbors& n, const std::vector<int>& in, const std::vector<int>& out,
               MPI_Comm comm = MPI_COMM_WORLD, int reorder = 1, MPI_Info info = MPI_INFO_NULL) {
    MPI_Comm graph = MPI_COMM_NULL;
    const bool weighted = !in.empty() || !out.empty();
    Carpool_Dist_graph_create_adjacent(
        comm, static_cast<int>(n.sources.size()), n.sources.data(),
        weighted ? in.data() : MPI_UNWEIGHTED, static_cast<int>(n.targets.size()), n.targets.data(),
        weighted ? out.data() : MPI_UNWEIGHTED, info, reorder, &graph);
    return Comm(graph);
}

/// The neighbors of this rank, as MPI returns them.
Neighbors told_by_mpi(MPI_Comm graph, std::vector<int>* in_weights = nullptr) {
    int in = 0, out = 0, weighted = 0;
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    Neighbors n;
    n.sources.resize(static_cast<std::size_t>(in));
    n.targets.resize(static_cast<std::size_t>(out));
    std::vector<int> into(n.sources.size() + 1), from(n.targets.size() + 1);
    MPI_Dist_graph_neighbors(graph, in, n.sources.data(),
                             weighted != 0 ? into.data() : MPI_UNWEIGHTED, out, n.targets.data(),
                             weighted != 0 ? from.data() : MPI_UNWEIGHTED);
    into.resize(n.sources.size());
    if (in_weights != nullptr) *in_weights = into;
    n.target_tags = occurrences(n.targets);
    n.source_tags = occurrences(n.sources);
    return n;
}

/// Ranks at a distance of half of all ranks exchange much, and adjacent ranks little: in the order
/// of ranks, all heavy edges are between nodes of two ranks.
int partner(int rank) { return (rank + world_size() / 2) % world_size(); }

const Pattern pairs_and_ring() { return {"pairs and ring", 1, {world_size() / 2, 1}}; }

const std::vector<int> much_and_little{100, 1};

bool all_nodes_have_two() {
    const auto nodes = nodes_of(MPI_COMM_WORLD);
    for (std::size_t rank = 0; rank < nodes.size(); ++rank)
        for (std::size_t other = 0; other < rank; ++other)
            if ((nodes[rank] == nodes[other]) != (rank / 2 == other / 2)) return false;
    return world_size() % 2 == 0;
}

/// The ranks of a communicator in another order.
Comm reversed_world() {
    MPI_Comm reversed;
    MPI_Comm_split(MPI_COMM_WORLD, 0, world_size() - world_rank(), &reversed);
    return Comm(reversed);
}

void check_exchanges(const std::string& what, MPI_Comm cart, const Torus& torus,
                     const Pattern& pattern) {
    const int rank = rank_in(cart);
    const auto neighbors = neighbors_of(rank, torus, pattern);
    for (const Operation operation : operations) {
        CheckedExchange exchange(slotted(operation, neighbors, rank), neighbors, cart);
        for (const Form form : {Form::blocking, Form::persistent, Form::nonblocking})
            BOOST_TEST(run_once(exchange, form, cart) == "",
                       what << ", " << name_of(operation) << ", " << name_of(form));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(bytes_between_nodes_never_increase_and_exchanges_are_right) {
    for (const auto& pattern : {moore(1, 1), moore(2, 1), von_neumann(2, 2), moore(3, 1)})
        for (const int periodic : {0, 1}) {
            const Torus torus{balanced_dims(world_size(), pattern.d),
                              std::vector<int>(static_cast<std::size_t>(pattern.d), periodic)};
            const auto cart = reordered(torus, pattern);
            const auto targets = targets_of(torus, pattern);
            BOOST_TEST(between_nodes(cart, targets) <= between_nodes(MPI_COMM_WORLD, targets));
            check_exchanges(pattern.name, cart, torus, pattern);
        }
}

BOOST_AUTO_TEST_CASE(ranks_that_exchange_much_are_placed_on_one_node) {
    const Torus ring{{world_size()}, {1}};
    const auto targets = targets_of(ring, pairs_and_ring());
    const auto cart = reordered(ring, pairs_and_ring(), much_and_little);
    const auto before = between_nodes(MPI_COMM_WORLD, targets, much_and_little);
    const auto after = between_nodes(cart, targets, much_and_little);
    BOOST_TEST(after <= before);
    if (!all_nodes_have_two() || world_size() < 4) return;
    BOOST_TEST(before == 100 * world_size() + world_size() / 2);  // every second edge of the ring
    BOOST_TEST(after < before);
    BOOST_TEST(after == world_size());  // only the ring
    check_exchanges("pairs", cart, ring, pairs_and_ring());
}

BOOST_AUTO_TEST_CASE(weights_decide_and_without_them_all_offsets_count_equally) {
    if (!all_nodes_have_two() || world_size() < 6) return;
    const Torus ring{{world_size()}, {1}};
    const auto weighted = reordered(ring, pairs_and_ring(), {1, 100});
    BOOST_TEST(rank_in(weighted) == world_rank());  // the ring keeps its order
}

BOOST_AUTO_TEST_CASE(without_reorder_ranks_stay) {
    const Torus ring{{world_size()}, {1}};
    const auto cart = neighborhood(ring, pairs_and_ring());
    BOOST_TEST(rank_in(cart) == world_rank());
    const auto n = neighbors_of(world_rank(), ring, pairs_and_ring());
    const auto graph = reordered(n, {}, {}, MPI_COMM_WORLD, 0);
    BOOST_TEST(rank_in(graph) == world_rank());
    check_all_operations("not reordered", n, graph);
}

BOOST_AUTO_TEST_CASE(coordinates_are_those_of_the_new_ranks) {
    const auto torus = torus_of(2);
    const auto cart = reordered(torus, moore(2, 1));
    std::vector<int> at(2);
    MPI_Cart_coords(cart, rank_in(cart), 2, at.data());
    BOOST_TEST(at == torus.coordinates(rank_in(cart)), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(communicators_made_from_reordered_ones_keep_their_ranks) {
    const Torus ring{{world_size()}, {1}};
    const auto outer = reordered(ring, pairs_and_ring(), much_and_little);
    const auto inner = neighborhood(ring, moore(1, 1), MPI_INFO_NULL, outer);
    BOOST_TEST(rank_in(inner) == rank_in(outer));
    check_exchanges("inner", inner, ring, moore(1, 1));
    MPI_Comm iso = MPI_COMM_NULL;
    const int offsets[] = {1, -1};
    Carpool_Iso_neighborhood_create(outer, 2, offsets, &iso);
    const Comm owned(iso);
    BOOST_TEST(rank_in(owned) == rank_in(outer));
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(outer, &copy);
    const Comm duplicate(copy);
    check_exchanges("duplicate", duplicate, ring, pairs_and_ring());
}

BOOST_AUTO_TEST_CASE(ranks_may_be_reordered_again) {
    const Torus ring{{world_size()}, {1}};
    const auto once = reordered(ring, pairs_and_ring(), much_and_little);
    const auto twice = reordered(ring, moore(1, 1), {}, once);
    const auto targets = targets_of(ring, moore(1, 1));
    BOOST_TEST(between_nodes(twice, targets) <= between_nodes(once, targets));
    check_exchanges("twice", twice, ring, moore(1, 1));
    const auto backwards = reversed_world();
    const auto of_reversed = reordered(ring, pairs_and_ring(), much_and_little, backwards);
    check_exchanges("reversed", of_reversed, ring, pairs_and_ring());
}

BOOST_AUTO_TEST_CASE(a_process_has_the_edges_of_its_new_rank_in_a_graph) {
    const Torus ring{{world_size()}, {1}};
    const auto given = neighbors_of(world_rank(), ring, pairs_and_ring());
    const auto graph = reordered(given, much_and_little, much_and_little);
    const auto expected = neighbors_of(rank_in(graph), ring, pairs_and_ring());
    std::vector<int> weights;
    const auto told = told_by_mpi(graph, &weights);
    BOOST_TEST(told.sources == expected.sources, boost::test_tools::per_element());
    BOOST_TEST(told.targets == expected.targets, boost::test_tools::per_element());
    BOOST_TEST(weights == much_and_little, boost::test_tools::per_element());
    if (all_nodes_have_two() && world_size() >= 4)
        BOOST_TEST(nodes_of(graph)[static_cast<std::size_t>(rank_in(graph))] ==
                   nodes_of(graph)[static_cast<std::size_t>(partner(rank_in(graph)))]);
}

BOOST_AUTO_TEST_CASE(bytes_between_nodes_never_increase_on_random_graphs) {
    auto rng = seeded();
    for (int trial = 0; trial < 10; ++trial) {
        Targets targets(static_cast<std::size_t>(world_size()));
        for (auto& of_rank : targets)
            for (int to = 0; to < world_size(); ++to)
                for (auto draw = rng() % 4; draw == 0; draw = rng() % 4) of_rank.push_back(to);
        const auto given = own_neighbors(targets, rng);
        const auto graph = reordered(given, {}, {});
        BOOST_TEST(between_nodes(graph, targets) <= between_nodes(MPI_COMM_WORLD, targets));
        const auto mine = told_by_mpi(graph);
        BOOST_TEST(mine.targets == targets[static_cast<std::size_t>(rank_in(graph))],
                   boost::test_tools::per_element());
        for (const Operation operation : operations) {
            CheckedExchange exchange(along_edges(operation, mine, rank_in(graph)), mine, graph);
            for (const Form form : {Form::blocking, Form::persistent, Form::nonblocking})
                BOOST_TEST(run_once(exchange, form, graph) == "", name_of(operation)
                                                                      << ", " << name_of(form));
        }
    }
}

BOOST_AUTO_TEST_CASE(ranks_without_edges_may_pass_null_pointers) {
    MPI_Comm made = MPI_COMM_NULL;
    const bool middle = world_rank() == 0;
    const int self[] = {0}, weight[] = {3};
    Carpool_Dist_graph_create_adjacent(MPI_COMM_WORLD, middle ? 1 : 0, middle ? self : nullptr,
                                       middle ? weight : nullptr, middle ? 1 : 0,
                                       middle ? self : nullptr, middle ? weight : MPI_UNWEIGHTED,
                                       MPI_INFO_NULL, 1, &made);
    const Comm graph(made);
    int in = -1, out = -1, weighted = -1;
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    BOOST_TEST(in == (rank_in(graph) == 0 ? 1 : 0));
    BOOST_TEST(weighted == 1);
}

BOOST_AUTO_TEST_CASE(keys_of_an_info_are_defaults_on_the_graph) {
    const Torus ring{{world_size()}, {1}};
    const auto n = neighbors_of(world_rank(), ring, moore(1, 1));
    const auto direct = info_of({{"carpool_algorithm", "digits"}});
    const auto graph = reordered(n, {}, {}, MPI_COMM_WORLD, 0, direct);
    int sent[2] = {}, received[2];
    Carpool_Request request;
    Carpool_Neighbor_alltoall_init(sent, 1, MPI_INT, received, 1, MPI_INT, graph, MPI_INFO_NULL,
                                   &request);
    BOOST_TEST(algorithm_of(request) == "digits");
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(mistakes_are_refused_on_all_ranks) {
    const Comm comm = duplicate_of_world();
    const int last = world_size() - 1;
    const bool wrong = world_rank() == last;
    const std::string rank = "rank " + std::to_string(last);
    const int peer[] = {0}, one[] = {1}, minus[] = {-1}, none[] = {world_size()};
    MPI_Comm made = MPI_COMM_NULL;
    const auto create = [&](int degree, const int* peers, const int* weights, int reorder) {
        return Carpool_Dist_graph_create_adjacent(comm, 1, peer, one, degree, peers, weights,
                                                  MPI_INFO_NULL, reorder, &made);
    };
    expect_refusal("weight", comm, {MPI_ERR_ARG, {rank, "destweights[0] is -1", "at least 0"}},
                   [&] { return create(1, peer, wrong ? minus : one, 1); });
    expect_refusal("target", comm,
                   {MPI_ERR_RANK, {rank, "destinations[0] is " + std::to_string(none[0])}},
                   [&] { return create(1, wrong ? none : peer, one, 1); });
    expect_refusal("degree", comm, {MPI_ERR_ARG, {rank, "outdegree is -3"}},
                   [&] { return create(wrong ? -3 : 1, peer, one, 0); });
    expect_refusal("null", comm, {MPI_ERR_ARG, {rank, "destinations is a null pointer"}},
                   [&] { return create(1, wrong ? nullptr : peer, one, 0); });
    expect_refusal("one side", comm, {MPI_ERR_ARG, {rank, "destweights", "MPI_UNWEIGHTED"}},
                   [&] { return create(1, peer, wrong ? MPI_UNWEIGHTED : one, 0); });
    if (world_size() > 1)
        expect_refusal("reorder", comm, {MPI_ERR_ARG, {"reorder is 0", "1 on rank"}},
                       [&] { return create(1, peer, one, wrong ? 1 : 0); });
    const int dims[] = {world_size()}, periods[] = {1};
    expect_refusal("weight of an offset", comm, {MPI_ERR_ARG, {"weight[0] is -1", "at least 0"}},
                   [&] {
                       return Carpool_Cart_neighborhood_create(comm, 1, dims, periods, 1, one,
                                                               minus, MPI_INFO_NULL, 1, &made);
                   });
    BOOST_TEST((made == MPI_COMM_NULL));
}

BOOST_AUTO_TEST_SUITE_END()
