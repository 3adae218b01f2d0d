// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4 5 7
// program: own
// sanitize-ranks: 4
// one-node: all (of nodes that it pretends to have)
//
// Ranks find the nodes of all others and their endpoints in the same way, whether each tells its
// card to all or to its node alone: on uneven nodes, where a rank cannot open the memory of others,
// and where a rank shares none (CARPOOL_TEST_UNSHARED=1 in the environment).

#include <boost/test/unit_test.hpp>

#include "mpi/comm/endpoint_table.hpp"
#include "world.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace mpi = carpool::mpi;
using namespace carpool::tests;

namespace {

std::atomic<bool> may_take = true;

/// What this rank sends.
struct Sent {
    std::int64_t bytes = 0;
    int messages = 0;
};

Sent sent_so_far;

constexpr int to_nobody = 0;
constexpr int to_all = 1 << 20;

/// The node of a rank: as many consecutive ranks as the environment says, else an uneven number.
int node_of(int rank) {
    constexpr int uneven[] = {0, 0, 1, 0, 2, 1, 2};
    const char* const ranks = std::getenv("CARPOOL_TEST_NODES");
    return ranks != nullptr ? rank / std::atoi(ranks) : uneven[rank % 7];
}

bool is_last(int rank) { return rank == world_size() - 1; }

bool last_shares() { return std::getenv("CARPOOL_TEST_UNSHARED") == nullptr; }

int ranks_on_node(int node) {
    int count = 0;
    for (int rank = 0; rank < world_size(); ++rank) count += node_of(rank) == node ? 1 : 0;
    return count;
}

/// Are any two ranks on one node? @param without_last  does the last rank not count?
bool any_on_one_node(bool without_last = false) {
    for (int rank = 0; rank < world_size(); ++rank)
        for (int other = 0; other < rank; ++other)
            if (node_of(rank) == node_of(other) && !(without_last && is_last(rank))) return true;
    return false;
}

/// Says where each process is, before the library asks.
struct Places {
    Places() {
        setenv("CARPOOL_NODE", std::to_string(node_of(world_rank())).c_str(), 1);
        if (is_last(world_rank()) && !last_shares()) setenv("CARPOOL_TRANSPORT", "mpi", 1);
        mpi::shared_segment();
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    }
    ~Places() { MPI_Comm_free(&comm); }

    static inline MPI_Comm comm = MPI_COMM_NULL;
};

mpi::EndpointTable discovered(int told_all) {
    mpi::EndpointDiscovery discovery(Places::comm, told_all);
    while (!discovery.test()) std::this_thread::yield();
    return discovery.take();
}

/// With `--log_level=message` rank 0 prints it, and how long the discovery took.
Sent sent_in_discovery(int told_all) {
    MPI_Barrier(MPI_COMM_WORLD);
    sent_so_far = {};
    const double start = MPI_Wtime();
    discovered(told_all);
    const double seconds = MPI_Wtime() - start;
    if (world_rank() == 0)
        BOOST_TEST_MESSAGE(sent_so_far.bytes << " bytes in " << sent_so_far.messages
                                             << " messages, " << seconds * 1e6 << " us");
    return sent_so_far;
}

std::int64_t others() { return world_size() - 1; }

/// The number of rounds in which all ranks tell all others something.
int rounds() { return std::bit_width(static_cast<unsigned>(others())); }

void check_nodes(const mpi::EndpointTable& table) {
    int nodes = 0;
    for (int rank = 0; rank < world_size(); ++rank) nodes = std::max(nodes, node_of(rank) + 1);
    BOOST_TEST_REQUIRE((table.nodes != nullptr) == (nodes > 1));
    for (int rank = 0; table.nodes && rank < world_size(); ++rank)
        BOOST_TEST(table.nodes->node(rank) == node_of(rank));
}

/// @param without_last  has the last rank no endpoints?
void check_endpoints(const mpi::EndpointTable& table, bool without_last) {
    for (int rank = 0; rank < world_size(); ++rank) {
        const bool left_out = without_last && (is_last(rank) || is_last(world_rank()));
        const bool expected =
            rank != world_rank() && node_of(rank) == node_of(world_rank()) && !left_out;
        BOOST_TEST((table.endpoint(rank) != nullptr) == expected, "endpoint of rank " << rank);
    }
}

}  // namespace

extern "C" {

/// Asked by the library before it takes memory.
bool carpool_test_may_take() { return may_take; }

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request) {
    sent_so_far.bytes += count;
    ++sent_so_far.messages;
    return PMPI_Isend(buffer, count, type, rank, tag, comm, request);
}
}

BOOST_AUTO_TEST_SUITE(test_endpoint_discovery, *boost::unit_test::fixture<Places>())

// The first case, since a process that has attached another one does not do so again.
BOOST_AUTO_TEST_CASE(a_rank_that_cannot_attach_others_has_no_endpoints) {
    may_take = !is_last(world_rank());
    const bool last_is_alone = ranks_on_node(node_of(world_size() - 1)) == 1;
    for (const int told_all : {to_nobody, to_all}) {
        const auto table = discovered(told_all);
        check_nodes(table);
        check_endpoints(table, true);
        BOOST_TEST(table.all_share == (any_on_one_node() && last_is_alone && last_shares()));
    }
    may_take = true;
}

BOOST_AUTO_TEST_CASE(ranks_of_a_node_are_endpoints_of_each_other) {
    for (int again = 0; again < 2; ++again)
        for (const int told_all : {to_nobody, to_all}) {
            const auto table = discovered(told_all);
            check_nodes(table);
            check_endpoints(table, !last_shares());
            BOOST_TEST(table.all_share == (any_on_one_node() && last_shares()));
            BOOST_TEST(table.endpoints.empty() == !any_on_one_node(!last_shares()));
        }
}

BOOST_AUTO_TEST_CASE(all_ranks_have_the_context_of_rank_0) {
    std::uint64_t previous = 0;
    for (const int told_all : {to_nobody, to_all, to_nobody}) {
        const auto own = discovered(told_all).context;
        auto first = own;
        MPI_Bcast(&first, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
        BOOST_TEST(own == first);
        BOOST_TEST(own != previous);
        previous = own;
    }
}

BOOST_AUTO_TEST_CASE(a_rank_sends_its_card_only_to_its_node) {
    const std::int64_t names = 8 * others() + 16 * rounds();  // the first rank tells 16 bytes more
    const std::int64_t cards = 56 * (ranks_on_node(node_of(world_rank())) - 1);
    const auto sent = sent_in_discovery(to_nobody);
    BOOST_TEST(sent.bytes <= names + cards + others());
    BOOST_TEST(sent.bytes >= 8 * others());
}

BOOST_AUTO_TEST_CASE(few_ranks_send_their_cards_to_all_in_two_rounds) {
    const auto sent = sent_in_discovery(to_all);
    BOOST_TEST(sent.bytes <= 57 * others());
    BOOST_TEST(sent.messages <= 2 * 2 * rounds());  // what is sent at once may be in two pieces
}

BOOST_AUTO_TEST_SUITE_END()
