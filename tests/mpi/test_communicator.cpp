// SPDX-License-Identifier: MIT
// ranks: 1 2 4 6
// nightly-ranks: 8
// sanitize-ranks: 2 4
//
// The life of a communicator with a neighborhood: creation, queries, duplicates, sharing, free.

#include <boost/test/unit_test.hpp>

#include "grid_neighborhood.hpp"
#include "world.hpp"

#include <list>
#include <optional>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_communicator)

namespace {

using namespace carpool::tests;

Comm duplicate(MPI_Comm comm) {
    MPI_Comm copy;
    MPI_Comm_dup(comm, &copy);
    return Comm(copy);
}

std::vector<int> coordinates_by_host(MPI_Comm cart, int rank, int d) {
    std::vector<int> at(static_cast<std::size_t>(d));
    MPI_Cart_coords(cart, rank, d, at.data());
    return at;
}

void finish(Carpool_Request& request, CheckedExchange& exchange) {
    Carpool_Wait(&request, MPI_STATUS_IGNORE);
    BOOST_TEST(exchange.fault() == "");
}

/// A ring made by MPI itself, with one call on it, so that Carpool has cached its topology.
Comm used_ring() {
    const int dims[] = {world_size()}, periods[] = {1};
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    const int sent[] = {1, 2};
    int received[2];
    Carpool_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, ring);
    return Comm(ring);
}

/// What a rank of a ring receives if each rank sends its number down, and its number plus 100 up.
std::vector<int> expected_on_ring() {
    const int n = world_size();
    return {(world_rank() + n - 1) % n + 100, (world_rank() + 1) % n};
}

/// More communicators than the host MPI can have at a time. Each uses a context; MPICH has about
/// 2000.
int more_than_the_host_has() { return world_size() <= 2 ? 2500 : 300; }

/// Nearly as many communicators as MPICH has contexts.
int many_neighborhoods() { return world_size() <= 2 ? 1100 : 100; }

}  // namespace

BOOST_AUTO_TEST_CASE(the_result_is_a_cartesian_communicator) {
    const Torus torus{balanced_dims(world_size(), 3), {1, 0, 1}};
    const GridNeighborhood grid(torus, moore(3, 1));
    int kind, d;
    MPI_Topo_test(grid.cart, &kind);
    BOOST_TEST(kind == MPI_CART);
    MPI_Cartdim_get(grid.cart, &d);
    BOOST_TEST(d == 3);
    std::vector<int> dims(3), periods(3), at(3);
    MPI_Cart_get(grid.cart, 3, dims.data(), periods.data(), at.data());
    BOOST_TEST(dims == torus.dims, boost::test_tools::per_element());
    BOOST_TEST(periods == torus.periods, boost::test_tools::per_element());
    BOOST_TEST(at == torus.coordinates(world_rank()), boost::test_tools::per_element());
    BOOST_TEST(rank_in(grid.cart) == world_rank());
}

BOOST_AUTO_TEST_CASE(a_reordered_communicator_exchanges_by_its_own_ranks) {
    const auto torus = torus_of(2);
    const auto pattern = moore(2, 1);
    const auto cart = neighborhood(torus, pattern, MPI_INFO_NULL, MPI_COMM_WORLD, 1);
    const int rank = rank_in(cart);
    BOOST_TEST(coordinates_by_host(cart, rank, 2) == torus.coordinates(rank),
               boost::test_tools::per_element());
    const auto neighbors = neighbors_of(rank, torus, pattern);
    CheckedExchange exchange(slotted(Operation::alltoallw, neighbors, rank), neighbors, cart);
    for (Form form : forms) BOOST_TEST(run_once(exchange, form, cart) == "", name_of(form));
}

BOOST_AUTO_TEST_CASE(ranks_reversed_by_the_user_stay_reversed) {
    MPI_Comm reversed;
    MPI_Comm_split(MPI_COMM_WORLD, 0, world_size() - world_rank(), &reversed);
    const Comm owned(reversed);
    const auto cart = neighborhood(torus_of(1), moore(1, 1), MPI_INFO_NULL, reversed);
    const int rank = world_size() - 1 - world_rank();
    BOOST_TEST(rank_in(cart) == rank);
    const auto neighbors = neighbors_of(rank, torus_of(1), moore(1, 1));
    CheckedExchange exchange(slotted(Operation::alltoall, neighbors, rank), neighbors, cart);
    BOOST_TEST(run_once(exchange, Form::persistent, cart) == "");
}

BOOST_AUTO_TEST_CASE(an_iso_neighborhood_takes_torus_and_ranks_of_its_cartesian_communicator) {
    const auto torus = mesh_of(2);
    const auto pattern = stencil(2, 4);
    MPI_Comm plain, iso;
    MPI_Cart_create(MPI_COMM_WORLD, 2, torus.dims.data(), torus.periods.data(), 0, &plain);
    const Comm owned_plain(plain);
    Carpool_Iso_neighborhood_create(plain, pattern.t(), pattern.offsets.data(), &iso);
    const Comm owned(iso);
    int kind;
    MPI_Topo_test(iso, &kind);
    BOOST_TEST(kind == MPI_CART);
    const auto neighbors = neighbors_of(world_rank(), torus, pattern);
    for (Operation operation : operations) {
        CheckedExchange exchange(slotted(operation, neighbors, world_rank()), neighbors);
        BOOST_TEST(run_once(exchange, Form::blocking, iso) == "", name_of(operation));
    }
}

BOOST_AUTO_TEST_CASE(a_duplicate_keeps_the_neighborhood_and_both_work_at_once) {
    const GridNeighborhood grid(torus_of(2), stencil(2, 4));
    const auto copy = duplicate(grid.cart);
    int t = -1;
    Carpool_Cart_neighbor_count(copy, &t);
    BOOST_TEST(t == 16);
    auto one = grid.exchange(Operation::alltoall), other = grid.exchange(Operation::allgatherw);
    one.prepare(0);
    other.prepare(1);
    Carpool_Request requests[2] = {init(one, grid.cart), init(other, copy)};
    Carpool_Startall(2, requests);
    finish(requests[1], other);
    finish(requests[0], one);
    for (Carpool_Request& request : requests) Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(a_duplicate_outlives_its_original) {
    std::optional<GridNeighborhood> grid;
    grid.emplace(torus_of(2), moore(2, 1));
    const auto copy = duplicate(grid->cart);
    auto exchange = grid->exchange(Operation::alltoallv);
    grid.reset();
    for (Form form : forms) BOOST_TEST(run_once(exchange, form, copy) == "", name_of(form));
}

BOOST_AUTO_TEST_CASE(a_duplicate_keeps_info_and_weights) {
    const auto direct = info_of({{"carpool_algorithm", "direct"}});
    const GridNeighborhood grid(torus_of(2), stencil(2, 5), direct);
    const auto copy = duplicate(grid.cart);
    Carpool_Request request = init(grid.exchange(Operation::alltoall), copy);
    BOOST_TEST(algorithm_of(request) == "direct");
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(an_inactive_request_outlives_its_communicator) {
    std::optional<GridNeighborhood> grid;
    grid.emplace(torus_of(2), moore(2, 1));
    auto exchange = grid->exchange(Operation::alltoallw);
    Carpool_Request request = init(exchange, grid->cart);
    grid.reset();
    for (int start = 0; start < 3; ++start) {
        exchange.prepare(start);
        Carpool_Start(&request);
        finish(request, exchange);
    }
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(two_topologies_on_one_communicator_work_at_once) {
    const auto parent = duplicate(MPI_COMM_WORLD);
    const auto line = mesh_of(1), square = torus_of(2);
    const auto near = moore(1, 1), wide = stencil(2, 4);
    const auto a = neighborhood(line, near, MPI_INFO_NULL, parent);
    const auto b = neighborhood(square, wide, MPI_INFO_NULL, parent);
    const auto in_line = neighbors_of(world_rank(), line, near);
    const auto in_square = neighbors_of(world_rank(), square, wide);
    CheckedExchange one(slotted(Operation::alltoallv, in_line, world_rank()), in_line);
    CheckedExchange other(slotted(Operation::alltoallv, in_square, world_rank()), in_square);
    Carpool_Request requests[2] = {init(one, a), init(other, b)};
    for (int start = 0; start < 5; ++start) {
        one.prepare(start);
        other.prepare(start);
        Carpool_Start(&requests[world_rank() % 2]);
        Carpool_Start(&requests[1 - world_rank() % 2]);
        finish(requests[0], one);
        finish(requests[1], other);
    }
    for (Carpool_Request& request : requests) Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(a_neighborhood_leaves_its_cartesian_communicator_unchanged) {
    const GridNeighborhood outer(torus_of(2), moore(2, 1));
    const auto inner = neighborhood(torus_of(1), moore(1, 1), MPI_INFO_NULL, outer.cart);
    int t = -1;
    Carpool_Cart_neighbor_count(outer.cart, &t);
    BOOST_TEST(t == 8);
    Carpool_Cart_neighbor_count(inner, &t);
    BOOST_TEST(t == 2);
}

BOOST_AUTO_TEST_CASE(freed_communicators_leak_nothing) {
    const auto torus = torus_of(1);
    const auto pattern = moore(1, 1);
    const auto neighbors = neighbors_of(world_rank(), torus, pattern);
    CheckedExchange exchange(slotted(Operation::alltoall, neighbors, world_rank()), neighbors);
    std::string fault;
    for (int i = 0; i < more_than_the_host_has() && fault.empty(); ++i) {
        const auto cart = neighborhood(torus, pattern);
        fault = run_once(exchange, i % 2 ? Form::blocking : Form::persistent, cart);
        if (!fault.empty()) fault += " in cycle " + std::to_string(i);
    }
    BOOST_TEST(fault == "");
}

BOOST_AUTO_TEST_CASE(topologies_on_one_communicator_share_resources) {
    const auto parent = duplicate(MPI_COMM_WORLD);
    std::vector<Comm> alive;
    for (int i = 0; i < 100; ++i)
        alive.push_back(neighborhood(torus_of(1), moore(1, 1), MPI_INFO_NULL, parent));
    const auto neighbors = neighbors_of(world_rank(), torus_of(1), moore(1, 1));
    CheckedExchange exchange(slotted(Operation::alltoall, neighbors, world_rank()), neighbors);
    for (std::size_t i = 0; i < alive.size(); i += 33)
        BOOST_TEST(run_once(exchange, Form::persistent, alive[i]) == "");
}

// A channel has tag blocks for 16 of them; new ones take the blocks of those that were freed.
BOOST_AUTO_TEST_CASE(one_communicator_may_have_as_many_topologies_as_the_host_mpi_allows) {
    const auto parent = duplicate(MPI_COMM_WORLD);
    const auto made = [&parent] {
        return neighborhood(torus_of(1), moore(1, 1), MPI_INFO_NULL, parent);
    };
    const auto neighbors = neighbors_of(world_rank(), torus_of(1), moore(1, 1));
    CheckedExchange exchange(slotted(Operation::alltoall, neighbors, world_rank()), neighbors);
    std::list<Comm> alive;
    for (int i = 0; i < many_neighborhoods(); ++i) alive.push_back(made());
    for (int round = 0; round < 2; ++round) {
        int i = 0;
        for (auto comm = alive.begin(); comm != alive.end(); ++i)
            if (i % 3 == 1 || (i > 40 && i < 100))
                comm = alive.erase(comm);
            else
                ++comm;
        for (i = 0; i < 30; ++i) alive.push_back(made());
    }
    int i = 0;
    for (const auto& comm : alive)
        if (i++ % 15 == 0)
            BOOST_TEST(run_once(exchange, i % 2 ? Form::persistent : Form::blocking, comm) == "");
}

BOOST_AUTO_TEST_CASE(exchanges_on_many_topologies_may_be_outstanding) {
    const auto parent = duplicate(MPI_COMM_WORLD);
    const auto neighbors = neighbors_of(world_rank(), torus_of(1), moore(1, 1));
    std::vector<Comm> alive;
    std::vector<CheckedExchange> exchanges;
    std::vector<Carpool_Request> requests;
    for (int i = 0; i < 40; ++i) {
        alive.push_back(neighborhood(torus_of(1), moore(1, 1), MPI_INFO_NULL, parent));
        exchanges.emplace_back(slotted(Operation::alltoall, neighbors, world_rank()), neighbors);
        exchanges.back().prepare(i);
        requests.push_back(init(exchanges.back(), alive.back()));
    }
    // each rank in its own order
    for (std::size_t i = 0; i < requests.size(); ++i)
        Carpool_Start(&requests[(7 * i + static_cast<std::size_t>(world_rank())) % 40]);
    for (std::size_t i = requests.size(); i-- > 0;) {
        finish(requests[i], exchanges[i]);
        Carpool_Request_free(&requests[i]);
    }
}

BOOST_AUTO_TEST_CASE(more_duplicates_may_exist_than_share_one_channel) {
    const auto ring = used_ring();
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    std::vector<Comm> alive;
    for (int i = 0; i < 520; ++i) {
        MPI_Comm copy = MPI_COMM_NULL;
        BOOST_REQUIRE(MPI_Comm_dup(ring, &copy) == MPI_SUCCESS);
        alive.emplace_back(copy);
    }
    const int sent[] = {world_rank(), world_rank() + 100};
    std::vector<int> received(2);
    Carpool_Neighbor_alltoall(sent, 1, MPI_INT, received.data(), 1, MPI_INT, alive.back());
    BOOST_TEST(received == expected_on_ring(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_nonblocking_duplication_is_local) {
    const auto ring = used_ring();
    const int last = world_size() - 1;
    MPI_Comm copy;
    MPI_Request duplication;
    if (world_rank() == last && last > 0)
        MPI_Recv(nullptr, 0, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_idup(ring, &copy, &duplication);
    if (world_rank() == 0 && last > 0) MPI_Send(nullptr, 0, MPI_INT, last, 5, MPI_COMM_WORLD);
    MPI_Wait(&duplication, MPI_STATUS_IGNORE);
    const Comm owned(copy);
    const int sent[] = {world_rank(), world_rank() + 100};
    std::vector<int> received(2);
    Carpool_Neighbor_alltoall(sent, 1, MPI_INT, received.data(), 1, MPI_INT, copy);
    BOOST_TEST(received == expected_on_ring(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_communicator_may_be_freed_before_the_wait_for_a_call_on_it) {
    for (int i = 0; i < 50; ++i) {
        auto ring = used_ring();
        const int sent[] = {world_rank(), world_rank() + 100};
        std::vector<int> received(2);
        MPI_Request request = MPI_REQUEST_NULL;
        Carpool_Ineighbor_alltoall(sent, 1, MPI_INT, received.data(), 1, MPI_INT, ring, &request);
        ring.release();
        BOOST_TEST(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        BOOST_TEST(received == expected_on_ring(), boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_SUITE_END()
