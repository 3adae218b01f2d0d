// SPDX-License-Identifier: MIT
// ranks: 1 2 3 5 8
// nightly-ranks: 4 7 13 29
// sanitize-ranks: 3
//
// Each call has other sizes, buffers and datatypes than those before: the plan of an earlier call
// is filled with them, and the results on all ranks match the oracle.

#include <boost/test/unit_test.hpp>

#include "current_step.hpp"
#include "environment.hpp"
#include "handles.hpp"
#include "random_collectives.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <carpool/carpool.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <deque>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_changing_sizes_of_collectives)

namespace {

using namespace carpool::tests;

std::string variable_of(Collective what) {
    auto name = "CARPOOL_" + std::string(carpool::collectives::name_of(kind_of(what)));
    for (auto& letter : name) letter = static_cast<char>(std::toupper(letter));
    return name;
}

/// A call that may be in progress.
struct CallUnderWay {
    CheckedCollective collective;
    std::string what;
    MPI_Request request = MPI_REQUEST_NULL;

    void end() {
        note_step(what);
        BOOST_TEST(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS, what);
        const auto fault = collective.fault();
        BOOST_TEST(fault == "", what << ": " << fault);
    }
};

/// Calls of one collective on one communicator, with the arguments that they share.
class Sequence {
public:
    Sequence(Collective what, std::string how, const RandomCollectives& samples, std::mt19937& rng)
        : what_(what), how_(std::move(how)), samples_(samples), rng_(rng) {
        MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
        root_ = static_cast<int>(rng_() % 1024u) % world_size();
        in_place_ = may_be_in_place(what) && rng_() % 3 == 0;
        kind_ = rng_() % samples_.kinds.size();
        least_ = rng_() % 2 == 0 ? 3 : 33;
    }

    /// Makes several calls, some of them in progress at once.
    void call(int times) {
        std::deque<CallUnderWay> under_way;
        for (int i = 0; i < times; ++i) {
            begin(under_way.emplace_back(CheckedCollective(one_case()), ""), i);
            if (rng_() % 3 == 0) end_all(under_way);
        }
        end_all(under_way);
    }

private:
    static void end_all(std::deque<CallUnderWay>& under_way) {
        for (auto& one : under_way) one.end();
        under_way.clear();
    }

    /// Draws a call whose size is within a factor of two of the others' sizes, or that has no
    /// bytes.
    CollectiveCase one_case() {
        const int within = least_ + static_cast<int>(rng_() % static_cast<unsigned>(least_));
        const int count = rng_() % 6 == 0 ? 0 : within;
        const auto seed = static_cast<unsigned>(rng_() % 100000);
        if (rng_() % 4 == 0) root_ = static_cast<int>(rng_() % 1024u) % world_size();
        if (reduces(what_))
            return summing(
                {what_, world_size(), root_, in_place_, false, count, samples_.kinds[kind_], seed},
                world_rank());
        const auto family = rng_() % samples_.families.size();
        return moving(
            {what_, world_size(), root_, in_place_, false, count, &samples_.families[family], seed},
            world_rank());
    }

    void begin(CallUnderWay& one, int number) {
        one.what =
            one.collective.one_case().text + ", " + how_ + ", call " + std::to_string(number);
        note_step(one.what);
        const auto call = one.collective.call();
        const int code =
            rng_() % 3 > 0 ? call_once(call, comm_) : call_once(call, comm_, false, &one.request);
        BOOST_TEST(code == MPI_SUCCESS, one.what << ": " << text_of(code));
    }

    Collective what_;
    std::string how_;
    const RandomCollectives& samples_;
    std::mt19937& rng_;
    Comm comm_ = duplicate_of_world();
    int root_ = 0;
    bool in_place_ = false;
    std::size_t kind_ = 0;  // index of the operator, for sums
    int least_ = 1;
};

}  // namespace

BOOST_AUTO_TEST_CASE(every_collective_is_right_by_every_algorithm) {
    auto rng = seeded();
    const RandomCollectives samples;
    for (const auto what : all_collectives)
        for (const auto& algorithm : algorithms_of(what)) {
            const Environment preferred(variable_of(what).c_str(), algorithm);
            Sequence(what, algorithm, samples, rng).call(8);
        }
}

BOOST_AUTO_TEST_CASE(every_collective_is_right_in_its_first_call_and_in_later_ones) {
    auto rng = seeded();
    const RandomCollectives samples;
    for (const auto what : all_collectives) Sequence(what, "auto", samples, rng).call(80);
}

/// Empty blocks may have null buffers on both sides.
BOOST_AUTO_TEST_CASE(calls_are_right_after_calls_of_no_bytes) {
    const auto comm = duplicate_of_world();
    const auto ranks = static_cast<std::size_t>(world_size());
    const std::vector<int> none(ranks, 0), one(ranks, 1);
    std::vector<int> places(ranks);
    std::iota(places.begin(), places.end(), 0);
    for (int call = 0; call < 12; ++call) {
        const bool empty = call % 3 == 0;
        const auto& counts = empty ? none : one;
        const int count = empty ? 0 : 1;
        std::vector<int> sent(ranks, 100 * call + world_rank()), received(ranks, -1);
        int* const from = empty ? nullptr : sent.data();
        int* const to = empty ? nullptr : received.data();
        const auto check = [&](const char* what) {
            for (std::size_t rank = 0; rank < ranks; ++rank)
                BOOST_TEST(received[rank] == (empty ? -1 : 100 * call + static_cast<int>(rank)),
                           what << ", call " << call);
            std::ranges::fill(received, -1);
        };
        Carpool_Allgather(from, count, MPI_INT, to, count, MPI_INT, comm);
        check("allgather");
        Carpool_Allgatherv(from, count, MPI_INT, to, counts.data(), places.data(), MPI_INT, comm);
        check("allgatherv");
        Carpool_Alltoallv(from, counts.data(), places.data(), MPI_INT, to, counts.data(),
                          places.data(), MPI_INT, comm);
        check("alltoallv");
        Carpool_Gather(from, count, MPI_INT, to, count, MPI_INT, 0, comm);
        if (world_rank() == 0) check("gather");
    }
}

BOOST_AUTO_TEST_CASE(an_element_may_have_more_bytes_than_an_int_holds) {
    const auto comm = duplicate_of_world();
    MPI_Datatype large = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(1 << 28, MPI_DOUBLE, &large);
    const auto type = committed(large);
    int nothing = 0;
    for (int call = 0; call < 4; ++call)
        BOOST_TEST(Carpool_Bcast(&nothing, 0, type, 0, comm) == MPI_SUCCESS);
}

/// MPI's functions with one count and with a count per rank are different functions.
BOOST_AUTO_TEST_CASE(allgather_and_allgatherv_alternate_with_choice_host) {
    const Environment by_host("CARPOOL_CHOICE", "host");
    const auto comm = duplicate_of_world();
    const auto ranks = static_cast<std::size_t>(world_size());
    std::vector<int> counts, places;
    int all = 0;
    for (int rank = 0; rank < world_size(); ++rank) {
        counts.push_back(1 + rank % 2);
        places.push_back(all);
        all += counts.back();
    }
    for (int call = 0; call < 6; ++call) {
        std::vector<int> sent(2, world_rank()), same(ranks, -1);
        std::vector<int> received(static_cast<std::size_t>(all), -1);
        Carpool_Allgather(sent.data(), 1, MPI_INT, same.data(), 1, MPI_INT, comm);
        Carpool_Allgatherv(sent.data(), counts[static_cast<std::size_t>(world_rank())], MPI_INT,
                           received.data(), counts.data(), places.data(), MPI_INT, comm);
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            BOOST_TEST(same[rank] == static_cast<int>(rank));
            const auto begin = received.begin() + places[rank];
            BOOST_TEST(std::count(begin, begin + counts[rank], static_cast<int>(rank)) ==
                       counts[rank]);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
