// SPDX-License-Identifier: MIT
#pragma once

#include "engine/activity.hpp"
#include "engine/spin_then_yield.hpp"
#include "engine/wait_report.hpp"

namespace carpool::engine {

/// Progresses the activities of this process until `ended` returns true. If that lasts, it says for
/// whom, or throws (WaitReport).
/// @param unfinished  returns what is waited for, as UnfinishedCall
/// @param for_one     see SpinThenYield
/// @return whether it has waited at all
template <typename Ended, typename What>
bool wait_until(Ended ended, What unfinished, bool for_one = false) {
    bool has_waited = false;
    WaitReport wait_report;
    for (SpinThenYield spin; !ended(); spin.wait(for_one)) {
        has_waited = true;
        Activity::progress();
        if (wait_report.is_over()) wait_report.look(unfinished());
    }
    return has_waited;
}

}  // namespace carpool::engine
