// SPDX-License-Identifier: MIT
// ranks: 2 3 4 7
// nightly-ranks: 12
// sanitize-ranks: 3 4
//
// Calls whose sizes only the two ends of an edge know, by rules that forward: short blocks are sent
// with length headers, long ones by rendezvous messages.

#include <boost/test/unit_test.hpp>

#include "checked_exchange.hpp"
#include "current_step.hpp"
#include "environment.hpp"
#include "graph_neighbors.hpp"
#include "grid_cases.hpp"
#include "patterns.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_length_headers)

namespace {

using namespace carpool::tests;

/// Ints along the edge with that number between two ranks, in a round.
using Length = std::function<int(int from, int to, int number, int round)>;

/// At this cost per byte, only blocks of up to 8 bytes are forwarded.
constexpr const char* dear = "1";

int one_of_many(unsigned what) {
    constexpr std::array lengths{0, 1, 2, 15, 16, 17, 40, 700, 1, 3};
    return lengths[what * 2654435761u % 1021u % lengths.size()];
}

int by_edge(int from, int to, int number, int round) {
    return one_of_many(static_cast<unsigned>(from * 613 + to * 37 + number * 7 + round));
}

int by_position(int, int, int number, int round) {
    return one_of_many(static_cast<unsigned>(number * 7 + round));
}

/// The blocks of all edges of a rank. Their places are the same for all lengths.
class Uneven {
public:
    Uneven(Operation operation, const Neighbors& n, const Length& length, int round)
        : layout_{{operation, {}, {}}, 0, 0, {}} {
        const int here = world_rank();
        const bool gathers = is_allgather(operation);
        const auto sent = [&](std::size_t i) {
            return length(here, n.targets[i], n.target_tags[i], round);
        };
        const auto received = [&](std::size_t i) {
            return gathers ? length(n.sources[i], n.sources[i], 0, round)
                           : length(n.sources[i], here, n.source_tags[i], round);
        };
        auto& [what, send, recv] = layout_.arguments;
        if (gathers) {
            send.counts = {length(here, here, 0, round)};
            send.types = {MPI_INT};
        } else {
            fill(send, layout_.arguments.send_shape(), n.targets.size(), sent);
        }
        fill(recv, layout_.arguments.recv_shape(), n.sources.size(), received);
        layout_.send_bytes = room * sizeof(int) * std::max<std::size_t>(1, n.targets.size());
        layout_.recv_bytes = room * sizeof(int) * n.sources.size();
    }

    Layout take() { return std::move(layout_); }

private:
    static constexpr int room = 2 * 1500;

    template <typename Ints>
    void fill(Side& side, Shape shape, std::size_t blocks, Ints ints) {
        for (std::size_t i = 0; i < blocks; ++i) {
            const int place = room * static_cast<int>(i);
            if (shape == Shape::v) {
                side.counts.push_back(ints(i));
                side.displs.push_back(place);
            } else {
                side.counts.push_back(1);
                side.displs.push_back(4 * place);
                side.types.push_back(type(ints(i), i % 2 == 0));
            }
        }
        if (shape == Shape::v) side.types = {MPI_INT};
    }

    MPI_Datatype type(int ints, bool whole) {
        MPI_Datatype type;
        if (whole)
            MPI_Type_contiguous(ints, MPI_INT, &type);
        else
            MPI_Type_vector(ints, 1, 2, MPI_INT, &type);
        layout_.types.push_back(committed(type));
        return type;
    }

    Layout layout_;
};

constexpr Operation uneven_operations[] = {Operation::alltoallv, Operation::alltoallw,
                                           Operation::allgatherv, Operation::allgatherw};

constexpr const char* rules[] = {"friends", "cumulative", "mesh",   "hypercube",
                                 "digits",  "node",       "node:2", "auto"};

Form some_form(std::mt19937& rng) {
    const Form ends_once[] = {Form::blocking, Form::nonblocking, Form::blocking_c,
                              Form::nonblocking_c};
    return ends_once[rng() % std::size(ends_once)];
}

/// A few calls of each operation; some of them repeat the call before.
void call_often(const std::string& where, const Neighbors& n, const Length& length, MPI_Comm comm,
                std::mt19937& rng) {
    for (const Operation operation : uneven_operations) {
        std::vector<CheckedExchange> exchanges;
        const int round = static_cast<int>(rng() % 100);
        for (int i = 0; i < 3; ++i)
            exchanges.emplace_back(Uneven(operation, n, length, round + i).take(), n);
        for (const int i : {0, 1, 0, 2, 1}) {
            const auto what = where + ", " + name_of(operation) + " " + std::to_string(round + i);
            note_step(what);
            const auto fault =
                run_once(exchanges[static_cast<std::size_t>(i)], some_form(rng), comm);
            BOOST_TEST(fault.empty(), what << ": " << fault);
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(lengths_may_differ_between_edges_and_between_calls) {
    auto rng = seeded();
    for (const auto& graph : graph_cases(world_size())) {
        const auto n = own_neighbors(graph.targets, rng);
        const std::string name = rules[rng() % std::size(rules)];
        const Environment rule("CARPOOL_ALGORITHM", name);
        const Environment beta("CARPOOL_BETA", rng() % 2 == 0 ? dear : "1e-9");
        call_often(graph.name + ", " + name, n, by_edge, distributed_graph(n), rng);
    }
}

BOOST_AUTO_TEST_CASE(on_a_mesh_only_lengths_at_positions_with_neighbors_matter) {
    auto rng = seeded();
    for (const auto& pattern : {moore(2, 1), moore(3, 1), shales(2, 1, 3)}) {
        const auto d = static_cast<std::size_t>(pattern.d);
        const Torus mesh{balanced_dims(world_size(), pattern.d), std::vector<int>(d, 0)};
        const auto n = neighbors_of(world_rank(), mesh, pattern);
        for (const char* algorithm : {"cartesian", "basis", "node", "auto"}) {
            const auto info = info_of({{"carpool_algorithm", algorithm},
                                       {"carpool_beta", rng() % 2 == 0 ? dear : "1e-9"}});
            const auto comm = neighborhood(mesh, pattern, info);
            call_often(pattern.name + ", " + algorithm, n, by_position, comm, rng);
        }
    }
}

BOOST_AUTO_TEST_CASE(outstanding_calls_may_be_completed_in_any_order) {
    auto rng = seeded();
    std::mt19937 own(static_cast<unsigned>(rng()) + static_cast<unsigned>(world_rank()));
    const Environment beta("CARPOOL_BETA", dear);
    const Environment rule("CARPOOL_ALGORITHM", "hypercube");
    const auto n = own_neighbors(graph_cases(world_size()).back().targets, rng);
    const auto comm = distributed_graph(n);
    for (int turn = 0; turn < 5; ++turn) {
        std::vector<CheckedExchange> exchanges;
        std::array<MPI_Request, 8> requests;
        for (int i = 0; i < 8; ++i) {
            const auto operation = uneven_operations[rng() % std::size(uneven_operations)];
            exchanges.emplace_back(Uneven(operation, n, by_edge, 8 * turn + i).take(), n);
            exchanges.back().prepare(0);
        }
        for (std::size_t i = 0; i < exchanges.size(); ++i)
            exchanges[i].make_call({Form::nonblocking, comm, MPI_INFO_NULL, nullptr, &requests[i]});
        std::array<std::size_t, 8> order{0, 1, 2, 3, 4, 5, 6, 7};
        std::shuffle(order.begin(), order.end(), own);
        for (const auto i : order) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        for (const auto& exchange : exchanges) BOOST_TEST(exchange.fault() == "", "turn " << turn);
    }
}

BOOST_AUTO_TEST_CASE(a_block_received_along_two_edges_must_fit_both_counts) {
    const Environment rule("CARPOOL_ALGORITHM", "direct");
    Neighbors n;
    const int next = (world_rank() + 1) % world_size();
    const int previous = (world_rank() + world_size() - 1) % world_size();
    n.targets = {next, next};
    n.sources = {previous, previous};
    const std::array<int, 4> sent{1, 2, 3, 4}, displs{0, 4};
    std::array<int, 8> received{};
    const auto call = [&](int second, MPI_Comm comm) {
        const int recvcounts[] = {4, second};
        return Carpool_Neighbor_allgatherv(sent.data(), 4, MPI_INT, received.data(), recvcounts,
                                           displs.data(), MPI_INT, comm);
    };
    const ExpectedError too_short{MPI_ERR_ARG,
                                  {"rank " + std::to_string(previous) + " sends 16 bytes to rank " +
                                   std::to_string(world_rank())}};
    for (const int wrong : {0, 3}) {
        const auto comm = distributed_graph(n);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        BOOST_TEST(call(4, comm) == MPI_SUCCESS);
        BOOST_TEST(mismatch(too_short, call(wrong, comm)) == "");
    }
}

BOOST_AUTO_TEST_CASE(a_block_that_a_rank_sends_to_itself_must_fit) {
    const Environment rule("CARPOOL_ALGORITHM", "hypercube");
    Neighbors n;
    n.sources = n.targets = {world_rank(), (world_rank() + 1) % world_size()};
    n.sources[1] = (world_rank() + world_size() - 1) % world_size();
    const auto comm = distributed_graph(n);
    const int counts[] = {2, 1}, more[] = {3, 1}, displs[] = {0, 3};
    std::array<int, 4> sent{}, received{};
    const auto call = [&](const int* recvcounts) {
        return Carpool_Neighbor_alltoallv(sent.data(), counts, displs, MPI_INT, received.data(),
                                          recvcounts, displs, MPI_INT, comm);
    };
    BOOST_TEST(call(counts) == MPI_SUCCESS);
    const auto rank = std::to_string(world_rank());
    expect_refusal("copy", comm,
                   {MPI_ERR_ARG,
                    {"rank " + rank + " sends 8 bytes to rank " + rank +
                     ", which expects 3 of MPI_INT (12 bytes)"}},
                   [&] { return call(more); });
    BOOST_TEST(call(counts) == MPI_SUCCESS);
}

BOOST_AUTO_TEST_SUITE_END()
