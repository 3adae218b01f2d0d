// SPDX-License-Identifier: MIT
// Who makes the calls of an unchanged program, where ranks ask each other whether calls repeat and
// who was faster.

#include <boost/test/unit_test.hpp>

#include "interpose/call_history.hpp"

#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_call_history)

namespace {

using carpool::interpose::Ballot;
using carpool::interpose::CallHistory;

constexpr std::int64_t first_question = 200;

/// Ranks that make the same calls, each with a history of its own.
class Ranks {
public:
    explicit Ranks(int number) : histories_(number, CallHistory(first_question)) {}

    /// Makes a call, and asks before it if it is time. @param host, carpool  how long it takes
    /// them, in microseconds @return whether Carpool has made it
    bool call(float host, float carpool, std::uint64_t arguments = 1) {
        const bool watched = histories_.front().watches();
        if (histories_.front().must_ask()) ask();
        const bool taken = histories_.front().is_taken();
        for (auto& history : histories_) {
            BOOST_REQUIRE_EQUAL(history.is_taken(), taken);
            if (watched) {
                history.note_arguments(arguments);
                const float share = &history == &histories_.front() ? carpool_on_first : 1;
                if (are_blocking)
                    history.note_time(taken, (taken ? share * carpool : host) * 1e-6F);
            }
            history.count();
        }
        taken_ += taken;
        return taken;
    }

    /// @return how many of these calls Carpool has made
    int calls(int number, float host, float carpool) {
        taken_ = 0;
        for (int i = 0; i < number; ++i) call(host, carpool);
        return taken_;
    }

    CallHistory& rank(int r) { return histories_.at(r); }
    int questions() const { return questions_; }

    bool are_blocking = true;
    float carpool_on_first = 1;  ///< Carpool's time on rank 0, over that on the others

private:
    void ask() {
        Ballot all;
        for (const auto& history : histories_) {
            const auto ballot = history.ballot();
            all.changing += ballot.changing;
            all.untimed_host += ballot.untimed_host;
            all.untimed_carpool += ballot.untimed_carpool;
            all.host_nanoseconds += ballot.host_nanoseconds;
            all.carpool_nanoseconds += ballot.carpool_nanoseconds;
        }
        for (auto& history : histories_) history.settle(all);
        ++questions_;
    }

    std::vector<CallHistory> histories_;
    int questions_ = 0;
    int taken_ = 0;
};

constexpr int trial = CallHistory::carpools_trial;

}  // namespace

BOOST_AUTO_TEST_CASE(the_host_makes_the_first_calls) {
    Ranks ranks(3);
    BOOST_CHECK_EQUAL(ranks.calls(first_question, 10, 1), 0);
    BOOST_CHECK_EQUAL(ranks.questions(), 0);
    BOOST_CHECK_EQUAL(ranks.calls(1000, 10, 1), 1000);
}

BOOST_AUTO_TEST_CASE(without_a_question_carpool_makes_all_calls) {
    CallHistory history;
    for (int i = 0; i < 1000; ++i) {
        BOOST_REQUIRE(history.is_taken() && !history.must_ask() && !history.watches());
        history.count();
    }
}

BOOST_AUTO_TEST_CASE(calls_of_which_the_host_is_faster_are_its_own_after_a_trial) {
    Ranks ranks(4);
    ranks.calls(first_question, 10, 13);
    BOOST_CHECK_EQUAL(ranks.calls(trial, 10, 13), trial);
    BOOST_CHECK_EQUAL(ranks.calls(trial + first_question, 10, 13), 0);  // until twice as many
    BOOST_CHECK_EQUAL(ranks.calls(trial, 10, 13), trial);
    BOOST_CHECK(!ranks.call(10, 13));
}

BOOST_AUTO_TEST_CASE(of_many_calls_few_are_trials) {
    for (const float slower : {1.3F, 4.0F}) {
        Ranks ranks(2);
        const int taken = ranks.calls(100'000, 10, slower * 10);
        BOOST_CHECK_LE(taken, 10 * trial);
        BOOST_CHECK_LE(ranks.questions(), 20);
    }
}

BOOST_AUTO_TEST_CASE(the_host_is_tried_again_unless_it_is_slower_by_far) {
    Ranks slightly(2);
    BOOST_CHECK_LT(slightly.calls(10'000, 10, 9), 10'000 - first_question);
    BOOST_CHECK_GT(slightly.calls(10'000, 10, 9), 9'900);
    Ranks by_far(2);
    BOOST_CHECK_EQUAL(by_far.calls(10'000, 10, 2), 10'000 - first_question);
}

BOOST_AUTO_TEST_CASE(a_change_of_speed_is_found_out) {
    Ranks ranks(3);
    ranks.calls(2'000, 10, 2);
    ranks.calls(2'000, 10, 30);  // say, longer blocks
    BOOST_CHECK(!ranks.call(10, 30));
    ranks.calls(40'000, 30, 10);
    BOOST_CHECK(ranks.call(30, 10));
}

BOOST_AUTO_TEST_CASE(the_sum_over_ranks_decides) {
    for (const float of_the_first : {0.1F, 3.0F}) {
        Ranks ranks(2);
        ranks.carpool_on_first = of_the_first;
        ranks.calls(first_question + trial, 10, 12);
        BOOST_CHECK_EQUAL(ranks.call(10, 12), of_the_first < 1);
    }
}

BOOST_AUTO_TEST_CASE(arguments_that_change_on_one_rank_leave_calls_to_the_host) {
    Ranks ranks(3);
    ranks.calls(first_question - 16, 10, 1);
    for (int i = 0; i < 16; ++i) {
        ranks.call(10, 1);
        ranks.rank(1).note_arguments(100 + i);
    }
    BOOST_CHECK_EQUAL(ranks.calls(first_question, 10, 1), 0);
    BOOST_CHECK(!ranks.rank(0).is_compared());
    BOOST_CHECK_EQUAL(ranks.calls(first_question, 10, 1), first_question);
}

BOOST_AUTO_TEST_CASE(calls_without_times_are_taken) {
    Ranks ranks(2);
    ranks.are_blocking = false;
    ranks.calls(first_question, 10, 1);
    BOOST_CHECK_EQUAL(ranks.calls(1000, 10, 1), 1000);
}

BOOST_AUTO_TEST_CASE(short_and_long_calls_count_by_their_mean_without_the_outermost) {
    for (const float host : {23.0F, 25.0F}) {
        Ranks ranks(2);
        ranks.calls(first_question, host, 0);
        // 16 calls without the two shortest and the two longest: 8 of 5 and 4 of 65, mean 25.
        for (int i = 0; i < trial; ++i) ranks.call(host, i % 16 < 10 ? 5.0F : 65.0F);
        BOOST_CHECK_EQUAL(ranks.call(host, 25), host == 25.0F);
    }
}

BOOST_AUTO_TEST_CASE(one_late_call_changes_nothing) {
    Ranks ranks(2);
    ranks.calls(first_question - 1, 10, 13);
    ranks.call(100'000, 13);
    ranks.calls(trial, 10, 13);
    BOOST_CHECK(!ranks.call(10, 13));
}

BOOST_AUTO_TEST_SUITE_END()
