// SPDX-License-Identifier: MIT
// ranks: 2 5
// environment: CARPOOL_TRANSPORT=mpi
// sanitize-ranks: 3
//
// Requests that are left to MPI's own collectives because the user asks for it.

#include <boost/test/unit_test.hpp>

#include "environment.hpp"
#include "graph_neighbors.hpp"
#include "grid_neighborhood.hpp"
#include "handles.hpp"
#include "world.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_left_to_host)

namespace {

using namespace carpool::tests;

/// A ring on a graph communicator of MPI.
Comm ring_of_mpi(int degree) {
    std::vector<int> sources, targets;
    for (int i = 1; i <= degree; ++i) {
        sources.push_back((world_rank() + world_size() * degree - i) % world_size());
        targets.push_back((world_rank() + i) % world_size());
    }
    MPI_Comm made;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, sources.data(), MPI_UNWEIGHTED, degree,
                                   targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    return Comm(made);
}

std::string algorithm_of_call(MPI_Comm comm, const std::string& operation) {
    Carpool_Plan plan{};
    BOOST_TEST(Carpool_Comm_get_plan(comm, operation.c_str(), &plan) == MPI_SUCCESS);
    return plan.algorithm;
}

Comm copy_of_world() {
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    return Comm(made);
}

/// A call of a collective with values that differ from call to call, and a check of its result.
struct Tried {
    std::string operation;
    std::function<bool(int call)> is_right;
};

std::size_t ranks() { return static_cast<std::size_t>(world_size()); }
int value(int call, int from, int to) { return 10000 * call + 100 * from + to; }

std::vector<Tried> all_kinds(MPI_Comm comm) {
    const int me = world_rank(), size = world_size(), root = size - 1;
    const int of_ranks = size * (size - 1) / 2;
    return {{"barrier", [=](int) { return Carpool_Barrier(comm) == MPI_SUCCESS; }},
            {"bcast",
             [=](int call) {
                 int word = me == root ? call : -1;
                 Carpool_Bcast(&word, 1, MPI_INT, root, comm);
                 return word == call;
             }},
            {"gather",
             [=](int call) {
                 std::vector<int> all(me == root ? ranks() : 0);
                 const int mine = value(call, me, 0);
                 Carpool_Gather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, root, comm);
                 for (std::size_t i = 0; i < all.size(); ++i)
                     if (all[i] != value(call, static_cast<int>(i), 0)) return false;
                 return true;
             }},
            {"scatter",
             [=](int call) {
                 std::vector<int> all(ranks());
                 for (std::size_t i = 0; i < all.size(); ++i) all[i] = value(call, 0, int(i));
                 int mine = -1;
                 Carpool_Scatter(all.data(), 1, MPI_INT, &mine, 1, MPI_INT, root, comm);
                 return mine == value(call, 0, me);
             }},
            {"allgather",
             [=](int call) {
                 std::vector<int> all(ranks(), -1);
                 all[static_cast<std::size_t>(me)] = value(call, me, 0);
                 Carpool_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), 1, MPI_INT,
                                   comm);
                 for (std::size_t i = 0; i < all.size(); ++i)
                     if (all[i] != value(call, static_cast<int>(i), 0)) return false;
                 return true;
             }},
            {"alltoall",
             [=](int call) {
                 std::vector<int> sent(ranks()), received(ranks(), -1);
                 for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = value(call, me, int(i));
                 Carpool_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm);
                 for (std::size_t i = 0; i < sent.size(); ++i)
                     if (received[i] != value(call, int(i), me)) return false;
                 return true;
             }},
            {"reduce",
             [=](int call) {
                 const int mine = call + me;
                 int sum = 0;
                 Carpool_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, root, comm);
                 return me != root || sum == size * call + of_ranks;
             }},
            {"allreduce",
             [=](int call) {
                 int sum = call + me;
                 Carpool_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
                 return sum == size * call + of_ranks;
             }},
            {"scan",
             [=](int call) {
                 const int mine = call + me;
                 int sum = 0;
                 Carpool_Scan(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
                 return sum == (me + 1) * call + me * (me + 1) / 2;
             }},
            {"exscan",
             [=](int call) {
                 const int mine = call + me;
                 int sum = -1;
                 Carpool_Exscan(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
                 return me == 0 || sum == me * call + me * (me - 1) / 2;
             }},
            {"reduce_scatter_block", [=](int call) {
                 std::vector<int> sent(ranks());
                 std::iota(sent.begin(), sent.end(), call);
                 int sum = -1;
                 Carpool_Reduce_scatter_block(sent.data(), &sum, 1, MPI_INT, MPI_SUM, comm);
                 return sum == size * (call + me);
             }}};
}

BOOST_AUTO_TEST_CASE(requests_left_to_the_host_mpi_may_be_started_in_any_order) {
    const auto info = info_of({{"carpool_choice", "host"}});
    const int degree = std::min(3, world_size());  // one edge to each rank: see below for others
    const auto ring = ring_of_mpi(degree);
    const auto ranks = static_cast<std::size_t>(world_size());
    std::vector<int> sent(static_cast<std::size_t>(degree)), received(sent), all_sent(ranks),
        all_received(ranks);
    Carpool_Request requests[2];
    BOOST_TEST(Carpool_Neighbor_alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT,
                                              ring, info, &requests[0]) == MPI_SUCCESS);
    BOOST_TEST(Carpool_Alltoall_init(all_sent.data(), 1, MPI_INT, all_received.data(), 1, MPI_INT,
                                     MPI_COMM_WORLD, info, &requests[1]) == MPI_SUCCESS);
    for (int start = 0; start < 30; ++start) {
        for (int i = 0; i < degree; ++i)
            sent[static_cast<std::size_t>(i)] = 100 * start + 10 * world_rank() + i;
        for (std::size_t i = 0; i < ranks; ++i)
            all_sent[i] = 100 * start + world_rank() + 10 * static_cast<int>(i);
        const int first = (world_rank() + start) % 2;
        Carpool_Start(&requests[first]);
        Carpool_Start(&requests[1 - first]);
        BOOST_TEST(Carpool_Waitall(2, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
        for (int i = 0; i < degree; ++i) {
            const int source = (world_rank() + world_size() * degree - i - 1) % world_size();
            BOOST_TEST(received[static_cast<std::size_t>(i)] == 100 * start + 10 * source + i);
        }
        for (int rank = 0; rank < world_size(); ++rank)
            BOOST_TEST(all_received[static_cast<std::size_t>(rank)] ==
                       100 * start + rank + 10 * world_rank());
    }
    BOOST_TEST(algorithm_of(requests[0]) == "host");
    BOOST_TEST(algorithm_of(requests[1]) == "host");
    for (auto& request : requests) Carpool_Request_free(&request);
}

/// Also collectives with a root and with counts per rank.
BOOST_AUTO_TEST_CASE(collectives_of_every_form_are_right_by_the_host_mpi) {
    const auto info = info_of({{"carpool_choice", "host"}});
    const auto ranks = static_cast<std::size_t>(world_size());
    std::vector<int> counts(ranks), displs(ranks), mine(ranks), all(2 * ranks * ranks);
    for (std::size_t i = 0; i < ranks; ++i) {
        counts[i] = static_cast<int>(i % 2 + 1);
        displs[i] = static_cast<int>(2 * i);
    }
    const int own = counts[static_cast<std::size_t>(world_rank())];
    const int root = world_size() - 1;
    Carpool_Request gather, bcast;
    Carpool_Gatherv_init(mine.data(), own, MPI_INT, all.data(), counts.data(), displs.data(),
                         MPI_INT, root, MPI_COMM_WORLD, info, &gather);
    int word = 0;
    Carpool_Bcast_init(&word, 1, MPI_INT, root, MPI_COMM_WORLD, info, &bcast);
    for (int start = 0; start < 8; ++start) {
        mine.assign(ranks, 10 * start + world_rank());
        word = world_rank() == root ? start : -1;
        Carpool_Start(&gather);
        Carpool_Wait(&gather, MPI_STATUS_IGNORE);
        Carpool_Start(&bcast);
        Carpool_Wait(&bcast, MPI_STATUS_IGNORE);
        BOOST_TEST(word == start);
        for (std::size_t i = 0; world_rank() == root && i < ranks; ++i)
            BOOST_TEST(all[2 * i] == 10 * start + static_cast<int>(i));
    }
    Carpool_Request_free(&gather);
    Carpool_Request_free(&bcast);
}

template <typename Prepare, typename Check>
void start_and_check(Carpool_Request& request, const Prepare& prepare, const Check& check) {
    for (int start = 0; start < 8; ++start) {
        prepare(start);
        Carpool_Start(&request);
        BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        check(start);
    }
}

/// Open MPI's persistent neighborhood collectives mix them up.
BOOST_AUTO_TEST_CASE(two_directions_that_lead_to_one_rank_are_told_apart) {
    const int dims[] = {world_size(), 1}, periods[] = {1, 1};
    MPI_Comm made;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &made);
    const Comm torus(made);
    const auto info = info_of({{"carpool_choice", "host"}});
    int sent[4], received[4];
    Carpool_Request request;
    Carpool_Neighbor_alltoall_init(sent, 1, MPI_INT, received, 1, MPI_INT, torus, info, &request);
    const auto value = [](int start, int rank, int side) {
        return 1000 * start + 10 * ((rank + world_size()) % world_size()) + side;
    };
    start_and_check(
        request,
        [&](int start) {
            for (int side = 0; side < 4; ++side) sent[side] = value(start, world_rank(), side);
        },
        [&](int start) {
            BOOST_TEST(received[0] == value(start, world_rank() - 1, 1));
            BOOST_TEST(received[1] == value(start, world_rank() + 1, 0));
            BOOST_TEST(received[2] == value(start, world_rank(), 3));
            BOOST_TEST(received[3] == value(start, world_rank(), 2));
        });
    Carpool_Request_free(&request);
}

/// Open MPI's persistent alltoallv in place is wrong in this case.
BOOST_AUTO_TEST_CASE(empty_blocks_in_place_are_left_out) {
    const int ranks = world_size();
    std::vector<int> counts, displs, buffer(static_cast<std::size_t>(2 * ranks));
    for (int peer = 0; peer < ranks; ++peer) {
        counts.push_back((peer + world_rank()) % 3);
        displs.push_back(2 * peer);
    }
    const auto info = info_of({{"carpool_choice", "host"}});
    Carpool_Request request;
    Carpool_Alltoallv_init(MPI_IN_PLACE, nullptr, nullptr, MPI_INT, buffer.data(), counts.data(),
                           displs.data(), MPI_INT, MPI_COMM_WORLD, info, &request);
    const auto value = [](int start, int from, int to) { return 10000 * start + 100 * from + to; };
    const auto is_ours = [&](int i) { return i % 2 < counts[static_cast<std::size_t>(i / 2)]; };
    start_and_check(
        request,
        [&](int start) {
            for (int i = 0; i < 2 * ranks; ++i)
                buffer[static_cast<std::size_t>(i)] =
                    is_ours(i) ? value(start, world_rank(), i / 2) : -1;
        },
        [&](int start) {
            for (int i = 0; i < 2 * ranks; ++i)
                BOOST_TEST(buffer[static_cast<std::size_t>(i)] ==
                           (is_ours(i) ? value(start, i / 2, world_rank()) : -1));
        });
    Carpool_Request_free(&request);
}

/// Open MPI's persistent collectives do not keep their communicator.
BOOST_AUTO_TEST_CASE(a_request_outlives_its_communicator) {
    const auto info = info_of({{"carpool_choice", "host"}});
    const auto ranks = static_cast<std::size_t>(world_size());
    std::vector<int> sent(ranks), received(ranks);
    Carpool_Request requests[2];
    {
        MPI_Comm made;
        MPI_Comm_dup(MPI_COMM_WORLD, &made);
        const Comm copy(made);
        Carpool_Alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, copy, info,
                              &requests[0]);
        const auto ring = ring_of_mpi(1);
        Carpool_Neighbor_alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, ring,
                                       info, &requests[1]);
    }
    start_and_check(
        requests[0], [&](int start) { sent.assign(ranks, 100 * start + world_rank()); },
        [&](int start) {
            for (std::size_t i = 0; i < ranks; ++i)
                BOOST_TEST(received[i] == 100 * start + static_cast<int>(i));
        });
    start_and_check(
        requests[1], [&](int start) { sent.assign(ranks, 100 * start + world_rank()); },
        [&](int start) {
            const int source = (world_rank() + world_size() - 1) % world_size();
            BOOST_TEST(received[0] == 100 * start + source);
        });
    for (auto& request : requests) {
        BOOST_TEST(algorithm_of(request) == "host");
        Carpool_Request_free(&request);
    }
}

/// Open MPI takes this for an exchange in place.
BOOST_AUTO_TEST_CASE(both_buffers_may_be_parts_of_one_array) {
    const int ranks = world_size();
    std::vector<int> counts(static_cast<std::size_t>(ranks), 1), sent_at, received_at;
    for (int i = 0; i < ranks; ++i) {
        sent_at.push_back(i);
        received_at.push_back(ranks + i);
    }
    std::vector<int> array(static_cast<std::size_t>(2 * ranks));
    const auto info = info_of({{"carpool_choice", "host"}});
    Carpool_Request request;
    Carpool_Alltoallv_init(array.data(), counts.data(), sent_at.data(), MPI_INT, array.data(),
                           counts.data(), received_at.data(), MPI_INT, MPI_COMM_WORLD, info,
                           &request);
    const auto value = [](int start, int from, int to) { return 10000 * start + 100 * from + to; };
    start_and_check(
        request,
        [&](int start) {
            for (int i = 0; i < ranks; ++i)
                array[static_cast<std::size_t>(i)] = value(start, world_rank(), i);
        },
        [&](int start) {
            for (int i = 0; i < ranks; ++i)
                BOOST_TEST(array[static_cast<std::size_t>(ranks + i)] ==
                           value(start, i, world_rank()));
        });
    Carpool_Request_free(&request);
}

/// Only requests are, since their inits may wait for all ranks.
BOOST_AUTO_TEST_CASE(nonpersistent_calls_are_never_left_to_the_host_mpi) {
    for (const char* const choice : {"auto", "model", "measure", "host"}) {
        const Environment chosen("CARPOOL_CHOICE", choice);
        const auto comm = copy_of_world();
        for (const auto& tried : all_kinds(comm))
            for (int call = 0; call < 4; ++call) {
                BOOST_TEST(tried.is_right(call));
                BOOST_TEST(algorithm_of_call(comm, tried.operation) != "host");
            }
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
