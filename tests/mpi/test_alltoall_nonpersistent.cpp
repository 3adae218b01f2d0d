// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4 7 13
// nightly-ranks: 29 40 63 64 65
// sanitize-ranks: 3
//
// Blocking and nonblocking all-to-alls of many kinds of traffic, by every algorithm.

#include <boost/test/unit_test.hpp>

#include "byte_sides.hpp"
#include "collectives/algorithm.hpp"
#include "current_step.hpp"
#include "environment.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <carpool/sparse.h>

#include <numeric>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_alltoall_nonpersistent)

namespace {

using namespace carpool::tests;

/// A side with a block for every rank.
ByteSide side_of(std::vector<int> bytes) {
    std::vector<int> ranks(bytes.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    return {std::move(ranks), std::move(bytes)};
}

MPI_Comm here = MPI_COMM_WORLD;  // the communicator of the exchanges

/// Sets an environment variable for a scope, and makes a communicator whose first calls read it.
class Setting {
public:
    Setting(const char* name, const std::string& value)
        : environment_(name, value), comm_(duplicate_of_world()) {
        here = comm_;
    }
    ~Setting() { here = MPI_COMM_WORLD; }

private:
    Environment environment_;
    Comm comm_;
};

struct CheckedExchange : ByteSides {
    explicit CheckedExchange(const Traffic& traffic)
        : ByteSides{side_of(traffic.sent_by(world_rank())),
                    side_of(traffic.received_by(world_rank()))} {}

    int blocking() {
        return Carpool_Alltoallv(send.memory.data(), send.counts.data(), send.displs.data(),
                                 MPI_BYTE, recv.memory.data(), recv.counts.data(),
                                 recv.displs.data(), MPI_BYTE, here);
    }
    int nonblocking(MPI_Request* request) {
        return Carpool_Ialltoallv(send.memory.data(), send.counts.data(), send.displs.data(),
                                  MPI_BYTE, recv.memory.data(), recv.counts.data(),
                                  recv.displs.data(), MPI_BYTE, here, request);
    }
};

std::vector<std::string> algorithms() {
    std::vector<std::string> names{"auto"};
    for (const auto& one : carpool::collectives::algorithms(carpool::collectives::Kind::alltoall))
        names.emplace_back(one.name);
    return names;
}

}  // namespace

BOOST_AUTO_TEST_CASE(traffic_of_every_shape_arrives_by_every_algorithm) {
    auto rng = seeded();
    for (const auto& algorithm : algorithms()) {
        const Setting setting("CARPOOL_ALLTOALL", algorithm);
        for (const auto& name : traffic_names()) {
            const auto what = name + " by " + algorithm;
            note_step(what);
            CheckedExchange exchange(traffic_of(name, world_size(), rng));
            for (int round = 0; round < 3; ++round) {  // the second is a repeated call
                exchange.prepare(round);
                MPI_Request request = MPI_REQUEST_NULL;
                const int code = round < 2 ? exchange.blocking() : exchange.nonblocking(&request);
                BOOST_TEST(code == MPI_SUCCESS, what << ": " << text_of(code));
                BOOST_TEST(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS, what);
                const auto fault = exchange.fault();
                BOOST_TEST(fault == "", what << ", round " << round << ": " << fault);
            }
        }
    }
}

// A rank whose own arguments have not changed may have to forward blocks that have.
BOOST_AUTO_TEST_CASE(sizes_that_change_between_other_ranks_are_noticed) {
    if (world_size() < 4) return;
    const Setting setting("CARPOOL_ALLTOALL", "bruck");
    auto rng = seeded();
    auto traffic = traffic_of("complete", world_size(), rng);
    CheckedExchange first(traffic);
    traffic.bytes[3] += 100;  // the block from 0 to 3
    CheckedExchange second(traffic);
    auto& unchanged = world_rank() == 0 || world_rank() == 3 ? second : first;
    for (int round = 0; round < 6; ++round) {
        auto& exchange = round % 2 == 0 ? first : unchanged;
        exchange.prepare(round);
        BOOST_TEST(exchange.blocking() == MPI_SUCCESS);
        BOOST_TEST(exchange.fault() == "", "round " << round);
    }
}

BOOST_AUTO_TEST_CASE(many_calls_may_be_outstanding_and_complete_in_any_order) {
    auto rng = seeded();
    std::vector<CheckedExchange> exchanges;
    for (int i = 0; i < 10; ++i)
        exchanges.emplace_back(
            traffic_of(traffic_names()[static_cast<std::size_t>(i) % 8], world_size(), rng));
    std::vector<MPI_Request> requests(exchanges.size(), MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
        exchanges[i].prepare(static_cast<int>(i));
        BOOST_TEST(exchanges[i].nonblocking(&requests[i]) == MPI_SUCCESS);
    }
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
        const auto at = (i * 7 + static_cast<std::size_t>(world_rank())) % exchanges.size();
        BOOST_TEST(MPI_Wait(&requests[at], MPI_STATUS_IGNORE) == MPI_SUCCESS);
        BOOST_TEST(exchanges[at].fault() == "");
    }
}

BOOST_AUTO_TEST_CASE(equal_blocks_in_place_and_derived_types_arrive) {
    const int ranks = world_size();
    const auto n = static_cast<std::size_t>(ranks);
    MPI_Datatype vector;
    MPI_Datatype made;
    MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, 4 * sizeof(int), &made);
    MPI_Type_free(&vector);
    const auto gaps = committed(made);
    for (int round = 0; round < 2; ++round) {
        std::vector<int> from(4 * n, -1), to(2 * n, -1);
        for (int target = 0; target < ranks; ++target)
            from[4 * static_cast<std::size_t>(target)] = 100 * world_rank() + target + round,
                     from[4 * static_cast<std::size_t>(target) + 2] = target;
        BOOST_TEST(Carpool_Alltoall(from.data(), 1, gaps, to.data(), 2, MPI_INT, MPI_COMM_WORLD) ==
                   MPI_SUCCESS);
        for (int origin = 0; origin < ranks; ++origin) {
            BOOST_TEST(to[2 * static_cast<std::size_t>(origin)] ==
                       100 * origin + world_rank() + round);
            BOOST_TEST(to[2 * static_cast<std::size_t>(origin) + 1] == world_rank());
        }
        std::vector<int> both(n);
        std::iota(both.begin(), both.end(), 1000 * world_rank() + round);
        BOOST_TEST(Carpool_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, both.data(), 1, MPI_INT,
                                    MPI_COMM_WORLD) == MPI_SUCCESS);
        for (int origin = 0; origin < ranks; ++origin)
            BOOST_TEST(both[static_cast<std::size_t>(origin)] ==
                       1000 * origin + world_rank() + round);
    }
}

BOOST_AUTO_TEST_CASE(a_call_with_new_buffers_on_one_rank_matches_repeated_calls_on_others) {
    auto rng = seeded();
    for (const auto& algorithm : {"auto", "2-digits"}) {
        const Setting setting("CARPOOL_ALLTOALL", algorithm);
        CheckedExchange exchange(traffic_of("sparse", world_size(), rng));
        for (int round = 0; round < 3; ++round) {
            exchange.prepare(round);
            BOOST_TEST(exchange.blocking() == MPI_SUCCESS);
            BOOST_TEST(exchange.fault() == "", algorithm);
            if (world_rank() == 0)
                exchange = CheckedExchange(exchange);  // a new call on this rank alone
        }
    }
}

BOOST_AUTO_TEST_CASE(mistakes_are_refused_on_all_ranks) {
    const Setting careful("CARPOOL_CHECK", "all");
    auto rng = seeded();
    const auto traffic = traffic_of("complete", world_size(), rng);
    CheckedExchange exchange(traffic);
    exchange.prepare(0);
    const auto refuse = [&](const char* what, const ExpectedError& expected_error) {
        expect_refusal(what, here, expected_error, [&] { return exchange.blocking(); });
        expect_refusal(what, here, expected_error, [&] {
            MPI_Request request = MPI_REQUEST_NULL;
            const int code = exchange.nonblocking(&request);
            return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
        });
        BOOST_REQUIRE(all_poison(exchange.recv.memory));
    };
    const int last = world_size() - 1;
    auto& count = exchange.recv.counts[0];
    if (world_rank() == last) --count;
    refuse("a receive that is too small", {MPI_ERR_ARG, {"bytes", "sends", "expects"}});
    if (world_rank() == last) count = -1;
    refuse("a negative count", {MPI_ERR_COUNT, {"recvcounts[0]", "-1"}});
    if (world_rank() == last) count = traffic(0, last);
    BOOST_TEST(exchange.blocking() == MPI_SUCCESS);
    BOOST_TEST(exchange.fault() == "");
}

BOOST_AUTO_TEST_SUITE_END()
