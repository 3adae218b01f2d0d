// SPDX-License-Identifier: MIT
// ranks: 1 2 4
// nightly-ranks: 8
// sanitize-ranks: 2 4
//
// Several requests on one communicator: started and completed in any order.

#include <boost/test/unit_test.hpp>

#include "grid_neighborhood.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <algorithm>
#include <list>
#include <numeric>

BOOST_AUTO_TEST_SUITE(test_requests)

namespace {

using namespace carpool::tests;

/// One request per operation and rule on one grid.
class RequestsOfAllRules {
public:
    explicit RequestsOfAllRules(const GridNeighborhood& grid) {
        for (const char* rule : {"direct", "torus", "cartesian", "basis"})
            for (Operation operation : operations) {
                exchanges_.push_back(grid.exchange(operation));
                const auto info = info_of({{"carpool_algorithm", rule}});
                requests.push_back(init(exchanges_.back(), grid.cart, info));
            }
    }
    ~RequestsOfAllRules() {
        for (Carpool_Request& request : requests) Carpool_Request_free(&request);
    }

    void prepare(int start) {
        int salt = 0;
        for (CheckedExchange& exchange : exchanges_) exchange.prepare(start * 100 + salt++);
    }
    std::string fault() const {
        for (const CheckedExchange& exchange : exchanges_)
            if (const auto fault = exchange.fault(); !fault.empty()) return fault;
        return "";
    }
    std::vector<std::size_t> order() const {
        std::vector<std::size_t> order(requests.size());
        std::iota(order.begin(), order.end(), 0u);
        return order;
    }

    std::vector<Carpool_Request> requests;

private:
    std::list<CheckedExchange> exchanges_;
};

GridNeighborhood small_grid() { return GridNeighborhood(torus_of(2), stencil(2, 4)); }

}  // namespace

BOOST_AUTO_TEST_CASE(each_rank_may_start_and_wait_in_an_order_of_its_own) {
    const GridNeighborhood grid = small_grid();
    RequestsOfAllRules all(grid);
    auto shared = seeded();
    std::mt19937 own(shared() + static_cast<unsigned>(world_rank()));
    auto order = all.order();
    for (int start = 0; start < 10; ++start) {
        all.prepare(start);
        std::shuffle(order.begin(), order.end(), own);
        for (std::size_t i : order) Carpool_Start(&all.requests[i]);
        std::shuffle(order.begin(), order.end(), own);
        for (std::size_t i : order) Carpool_Wait(&all.requests[i], MPI_STATUS_IGNORE);
        BOOST_TEST(all.fault() == "", "start " << start);
    }
}

BOOST_AUTO_TEST_CASE(a_wait_completes_although_others_wait_for_another_request_first) {
    const GridNeighborhood grid = small_grid();
    auto a = grid.exchange(Operation::alltoall), b = grid.exchange(Operation::alltoallw);
    const auto info = info_of({{"carpool_algorithm", "torus"}});
    Carpool_Request requests[2] = {init(a, grid.cart, info), init(b, grid.cart, info)};
    for (int start = 0; start < 20; ++start) {
        a.prepare(start);
        b.prepare(start + 50);
        Carpool_Startall(2, requests);
        const int first = world_rank() % 2;  // rank 0 waits for A, then B; rank 1 for B, then A
        Carpool_Wait(&requests[first], MPI_STATUS_IGNORE);
        Carpool_Wait(&requests[1 - first], MPI_STATUS_IGNORE);
        BOOST_TEST(a.fault() == "");
        BOOST_TEST(b.fault() == "");
    }
    for (Carpool_Request& request : requests) Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(only_some_of_the_requests_may_be_started) {
    const GridNeighborhood grid = small_grid();
    RequestsOfAllRules all(grid);
    for (int start = 0; start < 6; ++start) {
        all.prepare(start);
        std::vector<Carpool_Request> some;
        for (std::size_t i = static_cast<std::size_t>(start % 3); i < all.requests.size(); i += 3)
            some.push_back(all.requests[i]);
        Carpool_Startall(static_cast<int>(some.size()), some.data());
        Carpool_Waitall(static_cast<int>(some.size()), some.data(), MPI_STATUSES_IGNORE);
        const bool all_started = all.fault().empty();
        BOOST_TEST(all_started == false);  // the others' buffers are still poison
    }
    all.prepare(99);
    Carpool_Startall(static_cast<int>(all.requests.size()), all.requests.data());
    Carpool_Waitall(static_cast<int>(all.requests.size()), all.requests.data(),
                    MPI_STATUSES_IGNORE);
    BOOST_TEST(all.fault() == "");
}

BOOST_AUTO_TEST_CASE(a_request_restarts_thousands_of_times) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    auto exchange = grid.exchange(Operation::alltoall);
    Carpool_Request request =
        init(exchange, grid.cart, info_of({{"carpool_algorithm", "cartesian"}}));
    std::string fault;
    for (int start = 0; start < 3000 && fault.empty(); ++start) {
        exchange.prepare(start % 7);
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
        fault = exchange.fault();
    }
    BOOST_TEST(fault == "");
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(a_fast_rank_may_run_ahead_of_a_slow_one) {
    const GridNeighborhood grid(torus_of(1), {"right", 1, {1}});
    auto exchange = grid.exchange(Operation::alltoall);
    Carpool_Request request = init(exchange, grid.cart);
    for (int start = 0; start < 20; ++start) exchange.prepare(start);  // runs the oracle
    for (int start = 0; start < 20; ++start) {
        if (world_rank() == start % world_size()) usleep(2000);
        exchange.prepare(start);
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
        BOOST_TEST(exchange.fault() == "");
    }
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(ten_identical_nonblocking_calls_may_be_outstanding) {
    const GridNeighborhood grid = small_grid();
    for (Operation operation : operations) {
        std::list<CheckedExchange> exchanges;
        std::vector<MPI_Request> requests(10, MPI_REQUEST_NULL);
        for (int i = 0; i < 10; ++i) {
            exchanges.push_back(grid.exchange(operation));
            exchanges.back().prepare(i);
        }
        std::size_t i = 0;
        for (const CheckedExchange& exchange : exchanges)
            exchange.make_call(
                {Form::nonblocking, grid.cart, MPI_INFO_NULL, nullptr, &requests[i++]});
        std::rotate(requests.begin(), requests.begin() + world_rank() % 10, requests.end());
        MPI_Waitall(10, requests.data(), MPI_STATUSES_IGNORE);
        for (const CheckedExchange& exchange : exchanges)
            BOOST_TEST(exchange.fault() == "", name_of(operation));
        BOOST_TEST(std::count(requests.begin(), requests.end(), MPI_REQUEST_NULL) == 10);
    }
}

BOOST_AUTO_TEST_CASE(unused_counts_on_a_mesh_are_not_confused_with_a_collective_before_the_wait) {
    const int n = world_size(), me = world_rank();
    const auto line = neighborhood({{n}, {0}}, {"two right and left", 1, {2, -2}});
    const int free = me == 1 ? 5 : 1;  // at positions without a neighbor
    const int up = me + 2 < n, down = me >= 2;
    const int sendcounts[] = {up ? 1 : free, down ? 1 : free};
    const int recvcounts[] = {down ? 1 : free, up ? 1 : free};
    const int places[] = {0, 5};
    for (int start = 0; start < 10; ++start) {
        std::vector<int> send(10, me + start), recv(10, -1);
        MPI_Request request = MPI_REQUEST_NULL;
        Carpool_Ineighbor_alltoallv(send.data(), sendcounts, places, MPI_INT, recv.data(),
                                    recvcounts, places, MPI_INT, line, &request);
        int ended = 0;
        for (int i = 0; i < 100 && ended == 0 && me == 0; ++i)
            MPI_Test(&request, &ended, MPI_STATUS_IGNORE);
        int root = me;
        MPI_Bcast(&root, 1, MPI_INT, 0, line);
        BOOST_TEST(root == 0);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        BOOST_TEST(recv[0] == (down ? me - 2 + start : -1));
        BOOST_TEST(recv[5] == (up ? me + 2 + start : -1));
    }
}

BOOST_AUTO_TEST_CASE(nonblocking_persistent_and_blocking_calls_mix) {
    const GridNeighborhood grid = small_grid();
    auto kept = grid.exchange(Operation::alltoallw), once = grid.exchange(Operation::allgather),
         now = grid.exchange(Operation::alltoallv);
    Carpool_Request persistent = init(kept, grid.cart);
    for (int start = 0; start < 5; ++start) {
        for (CheckedExchange* exchange : {&kept, &once, &now}) exchange->prepare(start);
        MPI_Request single = MPI_REQUEST_NULL;
        Carpool_Start(&persistent);
        once.make_call({Form::nonblocking, grid.cart, MPI_INFO_NULL, nullptr, &single});
        now.make_call({Form::blocking, grid.cart});
        MPI_Wait(&single, MPI_STATUS_IGNORE);
        Carpool_Wait(&persistent, MPI_STATUS_IGNORE);
        for (CheckedExchange* exchange : {&kept, &once, &now}) BOOST_TEST(exchange->fault() == "");
    }
    Carpool_Request_free(&persistent);
}

BOOST_AUTO_TEST_CASE(a_communicator_works_after_a_request_is_freed_unstarted) {
    const GridNeighborhood grid = small_grid();
    auto exchange = grid.exchange(Operation::alltoall);
    Carpool_Request request = init(exchange, grid.cart);
    BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS);
    BOOST_TEST(request == CARPOOL_REQUEST_NULL);
    BOOST_TEST(run_once(exchange, Form::persistent, grid.cart) == "");
}

BOOST_AUTO_TEST_SUITE_END()
