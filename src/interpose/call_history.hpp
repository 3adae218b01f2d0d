// SPDX-License-Identifier: MIT
#pragma once

#include "interpose/recent_times.hpp"
#include "interpose/repetition.hpp"

#include <cstdint>
#include <limits>

namespace carpool::interpose {

/// What a rank says of its latest calls when ranks ask each other. Numbers of all ranks are added.
struct Ballot {
    std::int64_t changing = 0;          ///< the arguments have changed from call to call
    std::int64_t untimed_host = 0;      ///< too few calls of the host were timed
    std::int64_t untimed_carpool = 0;   ///< too few calls of Carpool were timed
    std::int64_t host_nanoseconds = 0;  ///< a call of the host takes
    std::int64_t carpool_nanoseconds = 0;

    static constexpr int numbers = 5;
};
static_assert(sizeof(Ballot) == Ballot::numbers * sizeof(std::int64_t));

/// The blocking and nonblocking calls of an operation on a communicator, and who makes the next.
///
/// Where Carpool does not take them all, ranks ask each other after some calls whether these repeat
/// each other, and who was faster. Carpool and the host are compared by the trimmed means of
/// their latest blocking calls. The one that has made none lately has a trial first: it makes a few
/// calls, after which ranks ask again. The answer holds until there were twice as many calls, or
/// eight times as many where Carpool was slower by far. Local and free of MPI; all ranks come to
/// the same answer, since settle() has only what they have added up.
class CallHistory {
public:
    /// A trial of Carpool's has calls that prepare for those that are timed.
    static constexpr int carpools_trial = 2 * RecentTimes::looked_at;
    static constexpr int hosts_trial = RecentTimes::looked_at;

    /// Carpool makes all calls.
    CallHistory() = default;

    /// The host makes calls until ranks ask each other. @param first_question  after so many calls
    explicit CallHistory(std::int64_t first_question)
        : answer_(Answer::none), asked_at_(first_question) {}

    std::int64_t made() const { return made_; }
    void count() { ++made_; }

    /// Whether Carpool makes a call, unless ranks ask each other in it.
    bool is_taken() const {
        return answer_ == Answer::taken || answer_ == Answer::trial_of_carpool;
    }

    /// Whether ranks must ask each other in the next blocking call.
    bool must_ask() const { return made_ >= asked_at_; }

    bool has_asked() const { return answer_ != Answer::none; }

    /// Whether Carpool leaves calls that repeat each other to the host because it was slower, or to
    /// compare itself with it.
    bool is_compared() const {
        return answer_ == Answer::host_is_faster || answer_ == Answer::trial_of_host;
    }

    /// Whether the next call is to be noted: it is one of those before ranks ask.
    bool watches() const { return made_ < asked_at_ && made_ >= asked_at_ - Repetition::looked_at; }

    /// Notes a call. @param digest  of its arguments
    void note_arguments(std::uint64_t digest) { repetition_.note(digest); }

    /// Notes how long a blocking call has taken.
    void note_time(bool by_carpool, float seconds) {
        (by_carpool ? carpool_ : host_).note(seconds);
    }

    Ballot ballot() const;

    /// @param all  the sum of the ballots of all ranks
    void settle(const Ballot& all);

private:
    enum class Answer { none, changing, trial_of_carpool, trial_of_host, taken, host_is_faster };

    Answer answer_to(const Ballot& all) const;
    Answer faster(const Ballot& all) const;

    std::int64_t made_ = 0;
    Answer answer_ = Answer::taken;
    std::int64_t asked_at_ = std::numeric_limits<std::int64_t>::max();  // never
    Repetition repetition_ = {};
    RecentTimes host_ = {};
    RecentTimes carpool_ = {};
};

}  // namespace carpool::interpose
