// SPDX-License-Identifier: MIT
// ranks: 9 16
// nightly-ranks: 12 25
// sanitize-ranks: none
//
// All ranks of the first row of the mesh send to all of its first column: in the order of ranks
// everything passes through rank 0, so ranks are rearranged.

#include <boost/test/unit_test.hpp>

#include "byte_sides.hpp"
#include "graph_neighbors.hpp"
#include "grid_neighborhood.hpp"
#include "refusal.hpp"
#include "starts.hpp"
#include "world.hpp"

#include <carpool/sparse.h>

#include <cstdint>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_rearranged_ranks)

namespace {

using namespace carpool::tests;

constexpr int bytes = 40;

bool is_in_row(int rank) {
    int side = 1;
    while (side * side < world_size()) ++side;
    return rank < side;
}

bool is_in_column(int rank) {
    int side = 1;
    while (side * side < world_size()) ++side;
    return rank % side == 0;
}

/// A side whose peers are the ranks for which `holds` is true, or nothing if this rank does not
/// take part.
ByteSide side_of(bool takes_part, bool (*holds)(int)) {
    std::vector<int> peers;
    for (int rank = 0; rank < world_size() && takes_part; ++rank)
        if (holds(rank)) peers.push_back(rank);
    return {peers, std::vector<int>(peers.size(), bytes)};
}

struct RowToColumn : ByteSides {
    RowToColumn()
        : ByteSides{side_of(is_in_row(world_rank()), is_in_column),
                    side_of(is_in_column(world_rank()), is_in_row)} {}

    Comm graph() const {
        Neighbors n;
        n.targets = send.peers;
        n.sources = recv.peers;
        return distributed_graph(n);
    }

    Carpool_Request along_edges(MPI_Comm comm, MPI_Info info) {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        BOOST_TEST_REQUIRE(Carpool_Neighbor_alltoallv_init(
                               send.memory.data(), send.counts.data(), send.displs.data(), MPI_BYTE,
                               recv.memory.data(), recv.counts.data(), recv.displs.data(), MPI_BYTE,
                               comm, info, &request) == MPI_SUCCESS);
        return request;
    }

    Carpool_Request along_lists(MPI_Info info) {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        BOOST_TEST_REQUIRE(
            Carpool_Sparse_alltoallv_init(send.degree(), send.peers.data(), send.memory.data(),
                                          send.counts.data(), send.displs.data(), MPI_BYTE,
                                          recv.degree(), recv.peers.data(), recv.memory.data(),
                                          recv.counts.data(), recv.displs.data(), MPI_BYTE,
                                          MPI_COMM_WORLD, info, &request) == MPI_SUCCESS);
        return request;
    }
};

/// The bytes that the busiest rank sends in a start.
std::int64_t most_bytes(Carpool_Request request) {
    std::int64_t sent = plan_of(request).bytes;
    MPI_Allreduce(MPI_IN_PLACE, &sent, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    return sent;
}

const char* const rules[] = {"mesh", "grid", "hypercube", "digits"};

}  // namespace

BOOST_AUTO_TEST_CASE(every_virtual_topology_is_right_with_rearranged_ranks) {
    for (const auto* rule : rules)
        for (const auto* rearrange : {"auto", "off"}) {
            const auto info =
                info_of({{"carpool_algorithm", rule}, {"carpool_rearrange", rearrange}});
            RowToColumn call;
            const auto comm = call.graph();
            for (const bool lists : {false, true}) {
                const auto request = lists ? call.along_lists(info) : call.along_edges(comm, info);
                check_starts(call, request, 2, rule);
            }
        }
}

BOOST_AUTO_TEST_CASE(the_busiest_rank_sends_less_if_ranks_are_rearranged) {
    if (world_size() < 16) return;
    RowToColumn call;
    const auto comm = call.graph();
    for (const bool lists : {false, true}) {
        std::vector<std::int64_t> sent;
        for (const auto* rearrange : {"auto", "off"}) {
            const auto info = info_of({{"carpool_algorithm", "mesh"},
                                       {"carpool_rearrange", rearrange},
                                       {"carpool_alpha", "1e-6"},
                                       {"carpool_beta", "2e-8"}});  // bytes are expensive
            auto request = lists ? call.along_lists(info) : call.along_edges(comm, info);
            sent.push_back(most_bytes(request));
            const bool is_off = rearrange == std::string("off");
            BOOST_TEST(algorithm_of(request) == (is_off ? "mesh" : "mesh, rearranged"));
            Carpool_Request_free(&request);
        }
        BOOST_TEST(sent[0] < sent[1]);
    }
}

BOOST_AUTO_TEST_CASE(ranks_are_not_rearranged_if_none_is_overloaded) {
    Neighbors n;
    for (int rank = 0; rank < world_size(); ++rank)
        if (rank != world_rank()) n.targets.push_back(rank);
    n.sources = n.targets;
    const auto comm = distributed_graph(n);
    const auto info = info_of({{"carpool_algorithm", "mesh"}});
    std::vector<int> sent(n.targets.size()), received(n.targets.size());
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    BOOST_TEST(Carpool_Neighbor_alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT,
                                              comm, info, &request) == MPI_SUCCESS);
    BOOST_TEST(algorithm_of(request) == "mesh");
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(an_unknown_value_of_the_setting_is_refused) {
    RowToColumn call;
    const auto comm = call.graph();
    const auto info = info_of({{"carpool_rearrange", "on"}});
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const int code = Carpool_Neighbor_alltoallv_init(
        call.send.memory.data(), call.send.counts.data(), call.send.displs.data(), MPI_BYTE,
        call.recv.memory.data(), call.recv.counts.data(), call.recv.displs.data(), MPI_BYTE, comm,
        info, &request);
    BOOST_TEST(code != MPI_SUCCESS);
    const auto text = text_of(code);
    BOOST_TEST((text.find("expected auto or off") != std::string::npos), text);
}

BOOST_AUTO_TEST_SUITE_END()
