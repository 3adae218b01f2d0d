// ranks: 2 5
// nightly-ranks: 3 4 7 12
// sanitize-ranks: 3
//
// First calls, in which ranks plan together or ask each other: one of them calls something else,
// and all others find out.

#include <boost/test/unit_test.hpp>

#include "environment.hpp"
#include "kinds_of_calls.hpp"
#include "refusal.hpp"
#include "ring_calls.hpp"
#include "seed.hpp"
#include "whereabouts.hpp"

#include <carpool/collectives.h>
#include <carpool/sparse.h>

#include <string>
#include <vector>

namespace {

using namespace carpool::tests;

const Complaint other_form{
    MPI_ERR_ARG, {"collective operation, or its form with _init or without, on one rank is not"}};

}  // namespace

BOOST_AUTO_TEST_SUITE(test_mistaken_first_calls)

/// The first calls of an operation plan together, which a rank that calls something else must not
/// make wait for ever.
BOOST_AUTO_TEST_CASE(a_mistaken_rank_in_a_first_call_is_found_out) {
    auto rng = seeded();
    const Environment rule("CARPOOL_ALGORITHM", "hypercube");
    for (int round = 0; round < 16; ++round) {
        const bool gathers = round & 1, lists = round & 2, gathers_too = round & 4;
        const bool lists_too = (round & 8) != 0;
        const int wrong = static_cast<int>(rng() % static_cast<unsigned>(world_size()));
        const Ring ring{"graph", graph_ring(), {around(-1), around(1)}};
        MPI_Comm_set_errhandler(ring.comm, MPI_ERRORS_RETURN);
        doing("round " + std::to_string(round));
        for (const bool spoilt : {true, false}) {
            RingBuffers buffers(round);
            const bool mine = spoilt && wrong == world_rank();
            const RingCall given{mine ? gathers_too : gathers, mine ? lists_too : lists, 1, MPI_INT,
                                 buffers.send.data()};
            const int code = called(given, buffers, ring.comm);
            if (!mine && code == MPI_SUCCESS) BOOST_TEST(is_right(buffers, ring, round));
            if (!spoilt) BOOST_TEST(code == MPI_SUCCESS, round << ": " << text_of(code));
            if (spoilt && gathers != gathers_too) BOOST_TEST(anywhere(code != MPI_SUCCESS));
        }
    }
}

// One rank plans a request where the others call what ends once: settings have nothing to do with
// it.

BOOST_AUTO_TEST_CASE(an_init_among_first_calls_that_end_once_is_told_as_that) {
    for (const int wrong : {0, world_size() - 1}) {
        const auto comm = duplicate_of_world();
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        const int mine = world_rank();
        int sum = 0;
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        const int code = mine == wrong ? Carpool_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM,
                                                                comm, MPI_INFO_NULL, &request)
                                       : Carpool_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
        const auto fault = unlike(other_form, code);
        BOOST_TEST(fault == "", fault);
    }
}

BOOST_AUTO_TEST_CASE(an_init_among_first_calls_of_neighbors_that_end_once_is_told_as_that) {
    for (const int wrong : {0, world_size() - 1}) {
        const auto comm = graph_ring();
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        const int sent[] = {1, 2};
        int received[2];
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        const int code =
            world_rank() == wrong
                ? Carpool_Neighbor_alltoall_init(sent, 1, MPI_INT, received, 1, MPI_INT, comm,
                                                 MPI_INFO_NULL, &request)
                : Carpool_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm);
        const auto fault = unlike(other_form, code);
        BOOST_TEST(fault == "", fault);
    }
}

/// The first call of a kind asks all ranks; one of them does something else, of which it has called
/// the first before. The call after that is the first of all.
BOOST_AUTO_TEST_CASE(who_does_something_else_in_the_first_call_of_a_kind_is_found_out) {
    const int mine = world_rank(), one = 1, zero = 0, to = around(1), from = around(-1);
    const auto along_lists = [&](MPI_Comm comm) {
        int heard = -1;
        const int code = Carpool_Sparse_alltoallv(1, &to, &mine, &one, &zero, MPI_INT, 1, &from,
                                                  &heard, &one, &zero, MPI_INT, comm);
        return code == MPI_SUCCESS ? heard == from : throw code;
    };
    const auto of_all = [&](MPI_Comm comm) {
        int sum = -1;
        const int code = Carpool_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
        return code == MPI_SUCCESS ? sum == world_size() * (world_size() - 1) / 2 : throw code;
    };
    for (const bool lists_are_new : {true, false}) {
        const auto comm = duplicate_of_world();
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        BOOST_TEST((lists_are_new ? of_all(comm) : along_lists(comm)));
        const bool mistaken = world_rank() == 0;
        BOOST_CHECK_THROW(lists_are_new == mistaken ? of_all(comm) : along_lists(comm), int);
        BOOST_TEST(of_all(comm));
        BOOST_TEST(along_lists(comm));
    }
}

/// The first on a neighborhood is not the first on its communicator.
BOOST_AUTO_TEST_CASE(who_does_something_else_in_the_first_call_on_a_neighborhood_is_found_out) {
    const auto& alltoall = kinds_of_calls()[0];
    const auto& of_neighbors = kinds_of_calls()[1];
    for (const bool neighbors_are_wrong : {false, true}) {
        const auto ring = ring_of_all();
        BOOST_TEST(alltoall.call(ring) == MPI_SUCCESS);
        const bool is_wrong = world_rank() == 0;
        const auto& mine = is_wrong == neighbors_are_wrong ? of_neighbors : alltoall;
        BOOST_TEST(mine.call(ring) != MPI_SUCCESS);
        BOOST_TEST(of_neighbors.call(ring) == MPI_SUCCESS);
        BOOST_TEST(alltoall.call(ring) == MPI_SUCCESS);
    }
}

/// The very first call on a communicator: those that called along lists do not know each other yet.
BOOST_AUTO_TEST_CASE(a_mistake_in_the_very_first_call_leaves_the_next_along_lists_right) {
    const int mine = world_rank(), one = 1, zero = 0, to = around(1), from = around(-1);
    for (int round = 0; round < 4; ++round) {
        doing("round " + std::to_string(round));
        const auto comm = duplicate_of_world();
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        int heard = -1;
        const auto along_lists = [&] {
            return Carpool_Sparse_alltoallv(1, &to, &mine, &one, &zero, MPI_INT, 1, &from, &heard,
                                            &one, &zero, MPI_INT, comm);
        };
        const bool others_are_wrong = round % 2 != 0;
        const bool is_wrong = (world_rank() == 0) != others_are_wrong;
        BOOST_TEST((is_wrong ? Carpool_Barrier(comm) : along_lists()) != MPI_SUCCESS);
        for (int i = 0; i < 2; ++i) {
            const int code = along_lists();
            BOOST_TEST(code == MPI_SUCCESS, text_of(code));
            BOOST_TEST(heard == from);
        }
    }
}

/// Nothing comes to rank 0, and all others have done their part before it asks them.
BOOST_AUTO_TEST_CASE(a_mistaken_rank_that_nobody_sends_to_is_found_out) {
    const auto n = star();
    const auto comm = distributed_graph(n);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const std::vector<int> sent(n.targets.size(), 7), counts(n.targets.size(), 1),
        displs(n.targets.size());
    int received = 0;
    const int one = 1, at = 0;
    const auto gather = [&] {
        return Carpool_Neighbor_allgatherv(sent.data(), 1, MPI_INT, &received, &one, &at, MPI_INT,
                                           comm);
    };
    BOOST_TEST(gather() == MPI_SUCCESS);
    const bool mine = world_rank() == 0;
    const int code =
        mine ? Carpool_Neighbor_alltoallv(sent.data(), counts.data(), displs.data(), MPI_INT,
                                          nullptr, nullptr, nullptr, MPI_INT, comm)
             : gather();
    BOOST_TEST(code != MPI_SUCCESS);
    BOOST_TEST(gather() == MPI_SUCCESS);
    BOOST_TEST((mine || received == 7));
}

BOOST_AUTO_TEST_SUITE_END()
