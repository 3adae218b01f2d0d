// SPDX-License-Identifier: MIT
// ranks: 1 4 6 8
// nightly-ranks: 12
// environment: CARPOOL_TRANSPORT=mpi CARPOOL_CHOICE=model
// program: own
// sanitize-ranks: none
// one-node: all (the counts are those of one node)
//
// Counts the messages of a start, and checks that it creates and allocates nothing.

#include <boost/test/unit_test.hpp>

#include "count_allocations.hpp"
#include "count_calls.hpp"
#include "environment.hpp"
#include "graph_neighbors.hpp"
#include "grid_neighborhood.hpp"
#include "world.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace {

using namespace carpool::tests;

constexpr const char* rules[] = {"direct", "torus", "cartesian"};
constexpr const char* transfers[] = {"pack", "types"};

Carpool_Request init_by(const CheckedExchange& exchange, const GridNeighborhood& grid,
                        const char* rule, const char* transfer) {
    return init(exchange, grid.cart,
                info_of({{"carpool_algorithm", rule}, {"carpool_transfer", transfer}}));
}

/// Calls of MPI in one start and wait.
CallCounts tally_of_start(Carpool_Request& request) {
    MPI_Barrier(MPI_COMM_WORLD);
    call_counts = {};
    Carpool_Start(&request);
    Carpool_Wait(&request, MPI_STATUS_IGNORE);
    return call_counts;
}

/// The number of empty blocks in an exchange. In alltoallv and alltoallw two of the eight blocks
/// are empty, the second and the seventh, and direct sends no message for them.
int empty_blocks(Operation operation) {
    int empty = 0;
    for (int i = 0; i < 8; ++i) empty += ints_in(operation, i) == 0;
    return empty;
}

}  // namespace

namespace {

/// A datatype of four bytes.
Type pair_of_shorts() {
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_SHORT, &type);
    return committed(type);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_count_neighborhoods)

BOOST_AUTO_TEST_CASE(the_counter_sees_messages) {
    int value = 0;
    MPI_Request requests[3];
    call_counts = {};
    MPI_Irecv(&value, 1, MPI_INT, world_rank(), 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&value, 0, MPI_INT, world_rank(), 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&value, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    BOOST_TEST(call_counts.messages == 1);
}

BOOST_AUTO_TEST_CASE(the_counter_sees_persistent_sends_but_not_receives) {
    int in = 0, out = 0;
    MPI_Request requests[2];
    MPI_Recv_init(&in, 1, MPI_INT, world_rank(), 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&out, 1, MPI_INT, world_rank(), 0, MPI_COMM_WORLD, &requests[1]);
    call_counts = {};
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (MPI_Request& request : requests) MPI_Start(&request);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (MPI_Request& request : requests) MPI_Request_free(&request);
    BOOST_TEST(call_counts.messages == 2);
}

BOOST_AUTO_TEST_CASE(the_counter_sees_types_and_allocations) {
    call_counts = {};
    allocations = 0;
    MPI_Datatype made;
    MPI_Type_contiguous(2, MPI_INT, &made);
    const auto type = committed(made);
    const std::vector<int> memory(100);
    BOOST_TEST(call_counts.types_created == 2);  // made and committed
    BOOST_TEST(allocations >= 1);
}

/// Are the two neighbors of each dimension different ranks? In a dimension of two ranks they are
/// not.
bool neighbors_differ(const Torus& torus) {
    return std::all_of(torus.dims.begin(), torus.dims.end(), [](int ranks) { return ranks > 2; });
}

BOOST_AUTO_TEST_CASE(a_start_sends_one_message_per_round) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    if (!neighbors_differ(grid.torus)) return;
    for (Operation operation : operations)
        for (const char* rule : rules)
            for (const char* transfer : transfers) {
                auto exchange = grid.exchange(operation);
                exchange.prepare(0);
                Carpool_Request request = init_by(exchange, grid, rule, transfer);
                const bool direct = std::string(rule) == "direct";
                const int rounds = direct ? 8 : 4;
                const int empty = direct ? empty_blocks(operation) : 0;
                BOOST_TEST_CONTEXT(name_of(operation) << ", " << rule << ", " << transfer) {
                    const int messages = tally_of_start(request).messages;
                    BOOST_TEST(plan_of(request).rounds == rounds);
                    BOOST_TEST(messages == rounds - empty);
                    BOOST_TEST(messages == plan_of(request).messages);
                    BOOST_TEST(exchange.fault() == "");
                }
                Carpool_Request_free(&request);
            }
}

BOOST_AUTO_TEST_CASE(a_bundle_of_five_fields_sends_the_messages_of_one) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    std::vector<CheckedExchange> exchanges;
    std::vector<Carpool_Request> requests;
    for (int i = 0; i < 5; ++i) {
        exchanges.push_back(grid.exchange(Operation::alltoall));
        exchanges.back().prepare(i);
        requests.push_back(init_by(exchanges.back(), grid, "cartesian", "pack"));
    }
    Carpool_Request bundle = CARPOOL_REQUEST_NULL;
    BOOST_REQUIRE(Carpool_Bundle_init(5, requests.data(), grid.cart, MPI_INFO_NULL, &bundle) ==
                  MPI_SUCCESS);
    tally_of_start(bundle);
    allocations = 0;
    const auto counted = tally_of_start(bundle);
    const long allocated = allocations;
    BOOST_TEST(counted.messages == plan_of(requests[0]).messages);
    BOOST_TEST(counted.collectives == 0);
    BOOST_TEST(counted.types_created == 0);
    BOOST_TEST(allocated == 0);
    for (const auto& exchange : exchanges) BOOST_TEST(exchange.fault() == "");
    for (auto& request : requests) Carpool_Request_free(&request);
    Carpool_Request_free(&bundle);
}

BOOST_AUTO_TEST_CASE(twenty_seven_neighbors_in_eight_ranks_are_three_messages) {
    if (world_size() != 8) return;
    const GridNeighborhood grid(torus_of(3), stencil(3, 3));
    auto exchange = grid.exchange(Operation::alltoall);
    exchange.prepare(0);
    Carpool_Request request = init_by(exchange, grid, "cartesian", "pack");
    BOOST_TEST(tally_of_start(request).messages == 3);
    BOOST_TEST(exchange.fault() == "");
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(on_a_mesh_a_start_sends_as_many_messages_as_the_plan_says) {
    for (const auto& pattern : {moore(2, 1), stencil(2, 4), octant(2, 2)}) {
        const GridNeighborhood grid(mesh_of(2), pattern);
        for (const char* rule : rules) {
            auto exchange = grid.exchange(Operation::alltoallw);
            exchange.prepare(0);
            Carpool_Request request = init_by(exchange, grid, rule, "pack");
            BOOST_TEST(tally_of_start(request).messages == plan_of(request).messages,
                       pattern.name << ", " << rule);
            BOOST_TEST(exchange.fault() == "");
            Carpool_Request_free(&request);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_start_makes_no_type_no_request_no_agreement_and_allocates_nothing) {
    const GridNeighborhood grid(torus_of(2), stencil(2, 4));
    for (Operation operation : operations)
        for (const char* rule : rules)
            for (const char* transfer : transfers) {
                auto exchange = grid.exchange(operation);
                exchange.prepare(0);
                Carpool_Request request = init_by(exchange, grid, rule, transfer);
                for (int start = 0; start < 3; ++start) {
                    const long before = allocations;
                    const CallCounts made = tally_of_start(request);
                    const long after = allocations;
                    BOOST_TEST_CONTEXT(name_of(operation) << ", " << rule << ", " << transfer) {
                        BOOST_TEST(after - before == 0);
                        BOOST_TEST(made.types_created == 0);
                        BOOST_TEST(made.created == 0);
                        BOOST_TEST(made.collectives == 0);
                    }
                }
                Carpool_Request_free(&request);
            }
}

BOOST_AUTO_TEST_CASE(a_repeated_call_makes_no_type_no_request_and_no_agreement) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    for (Operation operation : operations) {
        auto exchange = grid.exchange(operation);
        exchange.prepare(0);
        exchange.make_call({Form::blocking, grid.cart});
        for (int call = 0; call < 3; ++call) {
            MPI_Barrier(MPI_COMM_WORLD);
            call_counts = {};
            exchange.make_call({Form::blocking, grid.cart});
            BOOST_TEST_CONTEXT(name_of(operation) << ", call " << call) {
                BOOST_TEST(call_counts.types_created == 0);
                BOOST_TEST(call_counts.created == 0);
                BOOST_TEST(call_counts.collectives == 0);
            }
        }
        BOOST_TEST(exchange.fault() == "");
    }
}

/// This also holds where MPI_Wait has completed the last call: its bound exchange is free again.
BOOST_AUTO_TEST_CASE(a_repeated_nonblocking_call_is_not_bound_again) {
    constexpr int calls = 20, most_of_a_call = 16;  // binding allocates ten times as often
    const std::vector<int> sent(static_cast<std::size_t>(world_size()), 1);
    auto received = sent;
    const auto call = [&] {
        MPI_Request request = MPI_REQUEST_NULL;
        Carpool_Ialltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, MPI_COMM_WORLD,
                          &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    };
    for (int i = 0; i < calls; ++i) call();
    allocations = 0;
    for (int i = 0; i < calls; ++i) call();
    BOOST_TEST(allocations <= calls * most_of_a_call);
}

/// An exchange with one target allocates for its arguments, messages, forwarding and delivery.
BOOST_AUTO_TEST_CASE(a_repeated_exchange_allocates_little) {
    constexpr int exchanges = 20, most_of_one = 40;
    const int target = (world_rank() + 1) % world_size();
    const int one = 1, at = 0, sent = 7;
    const auto exchange = [&] {
        Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
        Carpool_Sparse_exchange(1, &target, &sent, &one, &at, MPI_INT, MPI_COMM_WORLD, &delivery);
        Carpool_Delivery_free(&delivery);
    };
    for (int i = 0; i < exchanges; ++i) exchange();
    allocations = 0;
    for (int i = 0; i < exchanges; ++i) exchange();
    BOOST_TEST(allocations <= exchanges * most_of_one);
}

BOOST_AUTO_TEST_CASE(
    a_call_that_comes_again_sends_the_messages_of_a_request_and_allocates_nothing) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    std::array<int, 8> send{}, recv{}, counts, displs;
    std::array<MPI_Aint, 8> places;
    for (int i = 0; i < 8; ++i) displs[static_cast<std::size_t>(i)] = i;
    std::transform(displs.begin(), displs.end(), places.begin(), [](int i) { return 4 * i; });
    counts.fill(1);
    const auto twin = pair_of_shorts();
    std::array<MPI_Datatype, 8> types;
    types.fill(twin);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    Carpool_Neighbor_alltoall_init(send.data(), 1, MPI_INT, recv.data(), 1, MPI_INT, grid.cart,
                                   MPI_INFO_NULL, &request);
    const auto messages = plan_of(request).messages;
    Carpool_Request_free(&request);
    constexpr int bound_anew = 3;  // until each of the three, which take turns, is kept
    for (int call = 0; call < 70; ++call) {
        MPI_Barrier(MPI_COMM_WORLD);
        call_counts = {};
        const long before = allocations;
        Carpool_Neighbor_alltoall(send.data(), 1, MPI_INT, recv.data(), 1, MPI_INT, grid.cart);
        Carpool_Neighbor_alltoallv(send.data(), counts.data(), displs.data(), MPI_INT, recv.data(),
                                   counts.data(), displs.data(), MPI_INT, grid.cart);
        Carpool_Neighbor_alltoallw(send.data(), counts.data(), places.data(), types.data(),
                                   recv.data(), counts.data(), places.data(), types.data(),
                                   grid.cart);
        const long after = allocations;
        if (call < bound_anew) continue;
        BOOST_TEST(after - before == 0, "call " << call);
        BOOST_TEST(call_counts.messages == 3 * messages, "call " << call);
    }
}

/// All ranks send to all others, by the hypercube rule; sizes differ from edge to edge and from
/// call to call.
BOOST_AUTO_TEST_CASE(blocks_whose_sizes_only_sender_and_receiver_know_are_combined) {
    const int ranks = world_size();
    if (!std::has_single_bit(static_cast<unsigned>(ranks))) return;
    const Environment rule("CARPOOL_ALGORITHM", "hypercube");
    Neighbors n;
    n.targets = n.sources = all_but(world_rank(), ranks);
    const auto comm = distributed_graph(n);
    const auto degree = static_cast<std::size_t>(ranks - 1);
    std::vector<int> sent(8 * degree), received(8 * degree), sendcounts(degree);
    std::vector<int> recvcounts(degree), displs(degree);
    for (int call = 0; call < 8; ++call) {
        const int round = call / 2;  // every other call repeats the one before
        for (std::size_t i = 0; i < degree; ++i) {
            displs[i] = static_cast<int>(8 * i);
            sendcounts[i] = (world_rank() + 3 * n.targets[i] + round) % 8;
            recvcounts[i] = (n.sources[i] + 3 * world_rank() + round) % 8;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        call_counts = {};
        const long before = allocations;
        Carpool_Neighbor_alltoallv(sent.data(), sendcounts.data(), displs.data(), MPI_INT,
                                   received.data(), recvcounts.data(), displs.data(), MPI_INT,
                                   comm);
        const long after = allocations;
        if (call == 0) continue;
        BOOST_TEST(call_counts.messages == std::countr_zero(static_cast<unsigned>(ranks)));
        BOOST_TEST(call_counts.collectives == 0);
        if (call % 2 == 1) BOOST_TEST(after - before == 0);
    }
}

BOOST_AUTO_TEST_CASE(a_blocking_call_combines_blocks_only_with_carpool_check_all) {
    const auto all = info_of({{"carpool_check", "all"}});
    const GridNeighborhood careful(torus_of(2), moore(2, 1), all),
        trusting(torus_of(2), moore(2, 1));
    auto exchange = careful.exchange(Operation::alltoall);
    exchange.prepare(0);
    exchange.make_call({Form::blocking, careful.cart});  // makes what exists once per communicator
    exchange.make_call({Form::blocking, trusting.cart});
    call_counts = {};
    exchange.make_call({Form::blocking, trusting.cart});
    const auto trusted = call_counts;
    call_counts = {};
    exchange.make_call({Form::blocking, careful.cart});
    BOOST_TEST(trusted.collectives == 0);
    BOOST_TEST(call_counts.collectives == 0);  // the host MPI's: the library has its own agreement
    BOOST_TEST((call_counts.messages > trusted.messages || world_size() == 1));
}

BOOST_AUTO_TEST_SUITE_END()
