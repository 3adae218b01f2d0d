// SPDX-License-Identifier: MIT
// ranks: 1 2 4 7
// nightly-ranks: 3 8 12 29
// sanitize-ranks: 3 4
//
// Blocking and nonblocking calls of all ordinary collectives, without agreement between ranks. The
// results match the oracle, and mistakes are found.

#include <boost/test/unit_test.hpp>

#include "current_step.hpp"
#include "environment.hpp"
#include "error_cases.hpp"
#include "random_collectives.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_collectives_nonpersistent)

namespace {

using namespace carpool::tests;

/// A communicator on which no call was made yet.
Comm fresh_comm() {
    auto comm = duplicate_of_world();
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return comm;
}

/// The environment variable that chooses an algorithm of a collective, such as
/// CARPOOL_REDUCE_SCATTER.
std::string variable_of(Collective what) {
    auto name = "CARPOOL_" + std::string(carpool::collectives::name_of(kind_of(what)));
    for (auto& letter : name) letter = static_cast<char>(std::toupper(letter));
    return name;
}

/// Makes several calls of one case with different contents; the later ones are repeated calls.
void call_often(const CollectiveCase& one_case, const std::string& how, MPI_Comm comm,
                std::mt19937& rng) {
    CheckedCollective collective(one_case);
    for (int start = 0; start < 4; ++start) {
        const auto what = one_case.text + ", " + how + ", call " + std::to_string(start);
        note_step(what);
        collective.prepare(start);
        MPI_Request request = MPI_REQUEST_NULL;
        const bool large = rng() % 2 == 0;
        const int code = rng() % 2 == 0 ? call_once(collective.call(), comm, large)
                                        : call_once(collective.call(), comm, large, &request);
        BOOST_TEST(code == MPI_SUCCESS, what << ": " << text_of(code));
        BOOST_TEST(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS, what);
        const auto fault = collective.fault();
        BOOST_TEST(fault == "", what << ": " << fault);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_collective_is_right_by_every_algorithm) {
    auto rng = seeded();
    const RandomCollectives samples;
    for (const auto what : all_collectives) {
        for (const auto& algorithm : algorithms_of(what)) {
            const Environment preferred(variable_of(what).c_str(), algorithm);
            const auto comm = fresh_comm();
            for (int i = 0; i < 2; ++i)
                call_often(samples.draw(what, comm, rng), algorithm, comm, rng);
        }
    }
}

BOOST_AUTO_TEST_CASE(calls_of_all_collectives_follow_each_other) {
    auto rng = seeded();
    const RandomCollectives samples;
    const auto comm = fresh_comm();
    std::vector<Collective> order(std::begin(all_collectives), std::end(all_collectives));
    for (int round = 0; round < 3; ++round) {
        std::shuffle(order.begin(), order.end(), rng);
        for (const auto what : order) call_often(samples.draw(what, comm, rng), "auto", comm, rng);
    }
}

BOOST_AUTO_TEST_CASE(many_calls_may_be_outstanding_and_complete_in_any_order) {
    auto rng = seeded();
    std::mt19937 own(static_cast<unsigned>(rng()) + static_cast<unsigned>(world_rank()));
    const RandomCollectives samples;
    const auto comm = fresh_comm();
    for (int round = 0; round < 3; ++round) {
        std::deque<CheckedCollective> collectives;
        std::vector<MPI_Request> requests;
        for (const auto what : all_collectives) {
            collectives.emplace_back(samples.draw(what, comm, rng));
            requests.push_back(MPI_REQUEST_NULL);
            BOOST_TEST(call_once(collectives.back().call(), comm, false, &requests.back()) ==
                       MPI_SUCCESS);
        }
        std::vector<std::size_t> order(requests.size());
        std::iota(order.begin(), order.end(), 0u);
        std::shuffle(order.begin(), order.end(), own);
        for (const auto i : order)
            BOOST_TEST(MPI_Wait(&requests[i], MPI_STATUS_IGNORE) == MPI_SUCCESS);
        for (const auto& collective : collectives)
            BOOST_TEST(collective.fault() == "",
                       collective.one_case().text << ": " << collective.fault());
    }
}

BOOST_AUTO_TEST_SUITE_END()
