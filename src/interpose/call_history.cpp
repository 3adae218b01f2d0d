// SPDX-License-Identifier: MIT
#include "interpose/call_history.hpp"

namespace carpool::interpose {
namespace {

/// Carpool keeps calls that take it at most so many times as long as the host: the mean of 16
/// calls is no more exact than that.
constexpr double worth_keeping = 1.05;

/// One maker is so much faster that noise could not have made it so.
constexpr std::int64_t clearly = 2;

}  // namespace

Ballot CallHistory::ballot() const {
    return {.changing = repetition_.is_likely() ? 0 : 1,
            .untimed_host = host_.known() ? 0 : 1,
            .untimed_carpool = carpool_.known() ? 0 : 1,
            .host_nanoseconds = host_.known() ? host_.nanoseconds() : 0,
            .carpool_nanoseconds = carpool_.known() ? carpool_.nanoseconds() : 0};
}

/// @pre calls of both were timed on all ranks
CallHistory::Answer CallHistory::faster(const Ballot& all) const {
    const bool host_was_timed_long_ago = answer_ == Answer::taken;
    const bool is_clear = clearly * all.carpool_nanoseconds <= all.host_nanoseconds;
    if (host_was_timed_long_ago && !is_clear) return Answer::trial_of_host;
    const auto most = worth_keeping * static_cast<double>(all.host_nanoseconds);
    return static_cast<double>(all.carpool_nanoseconds) <= most ? Answer::taken
                                                                : Answer::host_is_faster;
}

CallHistory::Answer CallHistory::answer_to(const Ballot& all) const {
    if (all.changing > 0) return Answer::changing;
    const bool knows_host = all.untimed_host == 0;
    const bool knows_carpool = all.untimed_carpool == 0;
    if (knows_host && knows_carpool) return faster(all);
    if (knows_host && answer_ != Answer::trial_of_carpool) return Answer::trial_of_carpool;
    if (knows_carpool && answer_ != Answer::trial_of_host) return Answer::trial_of_host;
    return Answer::taken;  // where calls are nonblocking, there are no times
}

void CallHistory::settle(const Ballot& all) {
    answer_ = answer_to(all);
    repetition_ = {};
    switch (answer_) {
        case Answer::trial_of_carpool:
            asked_at_ = made_ + carpools_trial;
            return;
        case Answer::trial_of_host:
            host_.forget();
            asked_at_ = made_ + hosts_trial;
            return;
        case Answer::taken:
            carpool_.forget();
            break;
        default:
            host_.forget();
            carpool_.forget();
    }
    const bool is_hopeless = answer_ == Answer::host_is_faster &&
                             all.carpool_nanoseconds >= clearly * all.host_nanoseconds;
    asked_at_ = made_ * (is_hopeless ? 8 : 2);
}

}  // namespace carpool::interpose
