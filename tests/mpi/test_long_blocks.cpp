// SPDX-License-Identifier: MIT
// ranks: 1 2 3 5 8
// nightly-ranks: 12 13
// sanitize-ranks: 4
//
// Blocks of different sizes in one call, by algorithms and rules that forward: long blocks are sent
// directly.

#include <boost/test/unit_test.hpp>

#include "byte_sides.hpp"
#include "current_step.hpp"
#include "environment.hpp"
#include "graph_neighbors.hpp"
#include "grid_neighborhood.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "starts.hpp"
#include "world.hpp"

#include <carpool/collectives.h>

#include <bit>
#include <numeric>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_long_blocks)

namespace {

using namespace carpool::tests;

std::vector<int> everybody() {
    std::vector<int> ranks(static_cast<std::size_t>(world_size()));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

/// The sides of an ordinary alltoallv.
struct AllToAll : ByteSides {
    explicit AllToAll(const Traffic& traffic)
        : ByteSides{{everybody(), traffic.sent_by(world_rank())},
                    {everybody(), traffic.received_by(world_rank())}} {}

    int init(MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
        return Carpool_Alltoallv_init(send.memory.data(), send.counts.data(), send.displs.data(),
                                      MPI_BYTE, recv.memory.data(), recv.counts.data(),
                                      recv.displs.data(), MPI_BYTE, comm, info, request);
    }
    int blocking(MPI_Comm comm) {
        return Carpool_Alltoallv(send.memory.data(), send.counts.data(), send.displs.data(),
                                 MPI_BYTE, recv.memory.data(), recv.counts.data(),
                                 recv.displs.data(), MPI_BYTE, comm);
    }
};

/// A side with the peers that have any bytes.
ByteSide side_of(const std::vector<int>& bytes) {
    std::vector<int> peers, counts;
    for (int peer = 0; peer < static_cast<int>(bytes.size()); ++peer)
        if (bytes[static_cast<std::size_t>(peer)] > 0) {
            peers.push_back(peer);
            counts.push_back(bytes[static_cast<std::size_t>(peer)]);
        }
    return {std::move(peers), std::move(counts)};
}

/// The sides of a neighborhood exchange, on a graph with an edge for each block that has bytes.
struct Neighbors_alltoallv : ByteSides {
    explicit Neighbors_alltoallv(const Traffic& traffic)
        : ByteSides{side_of(traffic.sent_by(world_rank())),
                    side_of(traffic.received_by(world_rank()))} {}

    Comm graph() const {
        Neighbors n;
        n.targets = send.peers;
        n.sources = recv.peers;
        return distributed_graph(n);
    }
    int init(MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
        return Carpool_Neighbor_alltoallv_init(send.memory.data(), send.counts.data(),
                                               send.displs.data(), MPI_BYTE, recv.memory.data(),
                                               recv.counts.data(), recv.displs.data(), MPI_BYTE,
                                               comm, info, request);
    }
};

template <typename Call>
Carpool_Request request_of(Call& call, MPI_Comm comm, MPI_Info info, const std::string& what) {
    note_step(what);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const int code = call.init(comm, info, &request);
    BOOST_TEST_REQUIRE(code == MPI_SUCCESS, what << ": " << text_of(code));
    return request;
}

/// Blocks of 8 bytes, except the one from rank 0 to the last rank.
Traffic one_of(int bytes) {
    const int ranks = world_size();
    Traffic traffic{"one", ranks, std::vector<int>(static_cast<std::size_t>(ranks * ranks), 8)};
    traffic.bytes[static_cast<std::size_t>(ranks - 1)] = bytes;
    return traffic;
}

template <typename Call>
std::int64_t messages_of(Call call, MPI_Comm comm, const char* algorithm) {
    const auto info = info_of({{"carpool_algorithm", algorithm}});
    auto request = request_of(call, comm, info, algorithm);
    const auto messages = plan_of(request).messages;
    Carpool_Request_free(&request);
    return messages;
}

constexpr int long_bytes = 1 << 20;

/// One more message on rank 0, unless the last rank is one hop away and the message to it carries
/// nothing else.
int more_messages() {
    const auto distance = static_cast<unsigned>(world_size() - 1);
    return world_rank() == 0 && std::popcount(distance) > 1 ? 1 : 0;
}

const char* const algorithms[] = {"auto", "2-digits",       "3-digits", "4-bruck", "bruck",
                                  "star", "gather-scatter", "mesh",     "grid",    "hypercube"};
const char* const rules[] = {"auto",      "digits",  "mesh",      "grid",
                             "hypercube", "friends", "cumulative"};

}  // namespace

BOOST_AUTO_TEST_CASE(traffic_of_every_shape_arrives_by_every_algorithm) {
    auto rng = seeded();
    for (const auto* algorithm : algorithms)
        for (const auto& name : traffic_names()) {
            const char* alphas[] = {"1e-8", "1e-7", "1e-6"};
            const auto info = info_of({{"carpool_algorithm", algorithm},
                                       {"carpool_alpha", alphas[rng() % 3]},
                                       {"carpool_beta", "1e-10"}});
            AllToAll call(traffic_of(name, world_size(), rng));
            const auto what = name + " by " + algorithm;
            check_starts(call, request_of(call, MPI_COMM_WORLD, info, what), 2, what);
        }
}

BOOST_AUTO_TEST_CASE(traffic_of_every_shape_arrives_by_every_rule_of_graphs) {
    auto rng = seeded();
    for (const auto* rule : rules)
        for (const auto& name : traffic_names()) {
            const char* alphas[] = {"1e-8", "1e-7", "1e-6"};
            const auto info = info_of({{"carpool_algorithm", rule},
                                       {"carpool_theta", "1"},
                                       {"carpool_alpha", alphas[rng() % 3]},
                                       {"carpool_beta", "1e-9"}});
            Neighbors_alltoallv call(traffic_of(name, world_size(), rng));
            const auto comm = call.graph();
            const auto what = name + " by " + rule;
            check_starts(call, request_of(call, comm, info, what), 2, what);
        }
}

BOOST_AUTO_TEST_CASE(a_long_block_adds_one_message) {
    const auto without = messages_of(AllToAll(one_of(9)), MPI_COMM_WORLD, "bruck");
    const auto with = messages_of(AllToAll(one_of(long_bytes)), MPI_COMM_WORLD, "bruck");
    BOOST_TEST(with == without + more_messages());
}

BOOST_AUTO_TEST_CASE(a_long_block_adds_one_message_on_a_graph) {
    Neighbors_alltoallv call(one_of(long_bytes));
    const auto comm = call.graph();
    const int ranks = world_size();
    if (!std::has_single_bit(static_cast<unsigned>(ranks))) return;
    const auto without = messages_of(Neighbors_alltoallv(one_of(9)), comm, "hypercube");
    const auto with = messages_of(Neighbors_alltoallv(one_of(long_bytes)), comm, "hypercube");
    BOOST_TEST(with == without + more_messages());
}

/// All ranks are neighbors of all ranks: the graph is a torus of any shape.
BOOST_AUTO_TEST_CASE(a_long_block_adds_one_message_by_the_rules_of_grids) {
    if (world_size() == 1) return;  // one rank is no torus
    Neighbors_alltoallv one(one_of(long_bytes));
    const auto comm = one.graph();
    for (const auto* rule : {"auto", "direct", "torus", "cartesian", "basis", "basis:4/2"})
        for (const char* ports : {"1", "4"}) {
            const auto info = info_of({{"carpool_algorithm", rule}, {"carpool_ports", ports}});
            Neighbors_alltoallv call(one_of(long_bytes));
            const auto what = std::string("one long block by ") + rule;
            check_starts(call, request_of(call, comm, info, what), 2, what);
        }
    if (!std::has_single_bit(static_cast<unsigned>(world_size()))) return;
    const auto without = messages_of(Neighbors_alltoallv(one_of(9)), comm, "cartesian");
    const auto with = messages_of(Neighbors_alltoallv(one_of(long_bytes)), comm, "cartesian");
    BOOST_TEST(with == without + more_messages());  // two ranks in each dimension
}

BOOST_AUTO_TEST_CASE(long_blocks_arrive_in_nonpersistent_calls_by_an_algorithm_in_the_environment) {
    const Environment algorithm("CARPOOL_ALLTOALL", "bruck");
    const Environment alpha("CARPOOL_ALPHA", "1e-7");
    auto rng = seeded();
    const auto comm = duplicate_of_world();
    for (const auto& name : traffic_names()) {
        AllToAll call(traffic_of(name, world_size(), rng));
        call.prepare(0);
        BOOST_TEST(call.blocking(comm) == MPI_SUCCESS);
        BOOST_TEST(call.fault() == "", name);
    }
}

BOOST_AUTO_TEST_SUITE_END()
