// SPDX-License-Identifier: MIT
// ranks: 1 2 4 8
// sanitize-ranks: none
//
// The user's messages never match Carpool's.

#include <boost/test/unit_test.hpp>

#include "grid_neighborhood.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_separate_messages)

namespace {

using namespace carpool::tests;

/// A receive from any source with any tag, and the message that it must match.
class Greedy {
public:
    explicit Greedy(MPI_Comm comm) : comm_(comm) {
        MPI_Irecv(&got_, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &request_);
    }

    /// The value of a user's message, which is sent only now.
    int value_from_left() {
        const int right = (rank_in(comm_) + 1) % size_of(comm_);
        const int value = 1000 + rank_in(comm_);
        MPI_Send(&value, 1, MPI_INT, right, 0, comm_);
        MPI_Wait(&request_, MPI_STATUS_IGNORE);
        return got_;
    }

    bool still_hungry() {
        int flag = 1;
        MPI_Request_get_status(request_, &flag, MPI_STATUS_IGNORE);
        return !flag;
    }

private:
    MPI_Comm comm_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    int got_ = -1;
};

int value_of_left() { return 1000 + (world_rank() + world_size() - 1) % world_size(); }

bool probe(MPI_Comm comm) {
    int flag = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE);
    return flag != 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(receives_from_any_source_do_not_match_carpools_messages) {
    for (const char* rule : {"direct", "torus", "cartesian", "basis"}) {
        const auto info = info_of({{"carpool_algorithm", rule}});
        MPI_Comm copy;
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        const Comm parent(copy);
        const auto cart = neighborhood(torus_of(2), moore(2, 1), info, parent);
        const auto neighbors = neighbors_of(world_rank(), torus_of(2), moore(2, 1));
        Greedy on_cart(cart), on_parent(parent);
        CheckedExchange exchange(slotted(Operation::alltoallw, neighbors, world_rank()), neighbors);
        for (Form form : forms) {
            BOOST_TEST(run_once(exchange, form, cart) == "", rule << ", " << name_of(form));
            BOOST_TEST(on_cart.still_hungry());
            BOOST_TEST(on_parent.still_hungry());
        }
        MPI_Barrier(MPI_COMM_WORLD);  // all have probed, so messages may be sent
        BOOST_TEST(on_cart.value_from_left() == value_of_left());
        BOOST_TEST(on_parent.value_from_left() == value_of_left());
    }
}

BOOST_AUTO_TEST_CASE(a_probe_on_the_users_communicators_finds_nothing_of_carpools) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    auto exchange = grid.exchange(Operation::alltoall);
    exchange.prepare(0);
    Carpool_Request request = init(exchange, grid.cart);
    Carpool_Start(&request);
    MPI_Barrier(MPI_COMM_WORLD);  // the messages of the first phase have been sent
    BOOST_TEST(!probe(grid.cart));
    Carpool_Wait(&request, MPI_STATUS_IGNORE);
    BOOST_TEST(exchange.fault() == "");
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(carpool_does_not_match_the_users_messages) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    auto exchange = grid.exchange(Operation::alltoall);
    const int right = (world_rank() + 1) % world_size();
    const int left = (world_rank() + world_size() - 1) % world_size();
    for (int tag = 0; tag < 50; ++tag) {
        const int sent = tag;
        int got = -1;
        MPI_Request request;
        MPI_Isend(&sent, 1, MPI_INT, right, tag, grid.cart, &request);
        BOOST_TEST(run_once(exchange, Form::persistent, grid.cart) == "");
        MPI_Recv(&got, 1, MPI_INT, left, tag, grid.cart, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        BOOST_TEST(got == tag);
    }
}

BOOST_AUTO_TEST_SUITE_END()
