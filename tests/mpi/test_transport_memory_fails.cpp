// SPDX-License-Identifier: MIT
// ranks: 2 3 5
// program: own
// sanitize-ranks: 3
// one-node: all (of memory within a node)
//
// The system refuses memory for the first, second, third … piece that the library allocates.
// Messages without memory go by MPI, and every byte is right. With CARPOOL_TEST_FAILING=2 in the
// environment, odd ranks fail to get their second piece from the beginning.

#include <boost/test/unit_test.hpp>

#include "current_step.hpp"
#include "grid_neighborhood.hpp"
#include "patterns.hpp"
#include "plain_collectives.hpp"
#include "world.hpp"

#include <carpool/collectives.h>
#include <carpool/sparse.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

using namespace carpool::tests;

namespace {

/// Decides which piece fails: the one with that number, or all from then on.
class Failing {
public:
    void next(int piece, bool and_all_later) {
        left_ = piece;
        all_later_ = and_all_later;
        failed_ = false;
    }
    void none() { next(0, false); }

    bool may_take() {
        if (left_ == 0 || --left_ > 0) return true;
        failed_ = true;
        if (all_later_) left_ = 1;
        return false;
    }
    bool failed() const { return failed_; }

private:
    std::atomic<int> left_ = 0;
    std::atomic<bool> all_later_ = false;
    std::atomic<bool> failed_ = false;
};

Failing failing;

int failing_from_the_beginning() {
    const char* const text = std::getenv("CARPOOL_TEST_FAILING");
    return text != nullptr && world_rank() % 2 == 1 ? std::atoi(text) : 0;
}

/// The ranks that fail, and whether all later pieces fail too.
struct Fault {
    const char* text;
    bool everywhere;
    bool all_later;
};

constexpr Fault faults[] = {{"on all ranks", true, false},
                            {"on the last rank", false, false},
                            {"and all later ones, on all ranks", true, true}};

/// Runs `attempt`, which returns what is wrong, once without each piece that it asks for. Returns
/// the number of pieces on the busiest rank.
template <typename Trial>
int without_each_piece(const std::string& what, Trial attempt) {
    int most = 0;
    for (const auto& fault : faults)
        for (int piece = 1; piece < 1000; ++piece) {
            const auto missing =
                what + " without piece " + std::to_string(piece) + ' ' + fault.text;
            note_step(missing);
            const bool here = fault.everywhere || world_rank() == world_size() - 1;
            failing.next(here ? piece : 0, fault.all_later);
            const std::string wrong = attempt();
            const bool failed = anywhere(failing.failed());
            failing.none();
            BOOST_TEST(wrong == "", missing);
            if (!failed) break;
            most = std::max(most, piece);
        }
    return most;
}

/// Starts a request three times. Pieces may also have failed for the messages of its init.
template <typename Checked>
std::string three_starts(Checked& one, Carpool_Request& request) {
    std::string wrong;
    for (int start = 0; start < 3; ++start) {
        one.prepare(start);
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
        if (wrong.empty()) wrong = one.fault();
    }
    if (plan_of(request).without_memory > 0 && !failing.failed()) wrong = "nothing was missing";
    Carpool_Request_free(&request);
    return wrong;
}

std::string fault_of(Collective what) {
    const PlainCollectives plain;
    CheckedCollective collective(
        plain.one_case(what, MPI_COMM_WORLD, 0, 300));  // too long for multicasts
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    collective.init({Init::narrow, MPI_COMM_WORLD}, &request);
    return three_starts(collective, request);
}

constexpr int bytes = 500;

char content(int from, int to, int i) { return static_cast<char>(from * 31 + to * 7 + i); }

/// Each rank sends all others a parcel.
std::string fault_of_parcels() {
    std::vector<int> targets, counts, displs;
    std::vector<char> sent;
    for (int to = 0; to < world_size(); ++to) {
        targets.push_back(to);
        counts.push_back(bytes);
        displs.push_back(to * bytes);
        for (int i = 0; i < bytes; ++i) sent.push_back(content(world_rank(), to, i));
    }
    Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
    if (Carpool_Sparse_exchange(world_size(), targets.data(), sent.data(), counts.data(),
                                displs.data(), MPI_BYTE, MPI_COMM_WORLD, &delivery) != MPI_SUCCESS)
        return "the call fails";
    std::string wrong;
    for (int index = 0; index < world_size(); ++index) {
        int from = -1;
        MPI_Count length = -1;
        const void* data = nullptr;
        Carpool_Delivery_get(delivery, index, &from, &length, &data);
        if (from != index || length != bytes) wrong = "a parcel is missing";
        for (int i = 0; i < bytes && wrong.empty(); ++i)
            if (static_cast<const char*>(data)[i] != content(from, world_rank(), i))
                wrong = "a parcel is wrong";
    }
    Carpool_Delivery_free(&delivery);
    return wrong;
}

}  // namespace

/// The library calls this function if the program has it.
extern "C" bool carpool_test_may_take() { return failing.may_take(); }

BOOST_AUTO_TEST_SUITE(test_transport_memory_fails)

// This case comes first, since it allocates the pieces that each process allocates only once.
BOOST_AUTO_TEST_CASE(a_rank_that_never_gets_shared_memory_sends_by_mpi) {
    const int piece = failing_from_the_beginning();
    failing.next(piece, false);
    for (const auto what : all_collectives) BOOST_TEST(fault_of(what) == "");
    BOOST_TEST(failing.failed() == (piece > 0));
    failing.none();
}

BOOST_AUTO_TEST_CASE(ordinary_collectives_are_right_whichever_allocation_fails) {
    int most = 0;
    for (const auto what : all_collectives)
        most = std::max(most, without_each_piece(name_of(what), [&] { return fault_of(what); }));
    const bool all_share = std::getenv("CARPOOL_TEST_FAILING") == nullptr;
    BOOST_TEST(most >= (all_share ? 2 * (world_size() - 1) : 0));  // those of an alltoall
}

BOOST_AUTO_TEST_CASE(neighborhoods_are_right_whichever_allocation_fails) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    for (const auto operation : operations) {
        without_each_piece(name_of(operation), [&] {
            auto exchange = grid.exchange(operation);
            auto request = init(exchange, grid.cart);
            return three_starts(exchange, request);
        });
        for (const auto form : {Form::blocking, Form::nonblocking})
            without_each_piece(std::string(name_of(operation)) + ", " + name_of(form), [&] {
                auto exchange = grid.exchange(operation);
                return run_once(exchange, form, grid.cart);
            });
    }
}

BOOST_AUTO_TEST_CASE(sparse_exchanges_are_right_whichever_allocation_fails) {
    without_each_piece("parcels", fault_of_parcels);
}

BOOST_AUTO_TEST_SUITE_END()
