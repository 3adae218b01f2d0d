// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/schedule.hpp"
#include "schedule/verify.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace families {

using Schedules = std::vector<carpool::schedule::Schedule>;

/// One exchange of all ranks, and what it must do.
struct Exchange {
    Schedules schedules;
    carpool::schedule::Postcondition expected;
    carpool::schedule::SumOrder order = carpool::schedule::SumOrder::any;

    /// How many all ranks together send; not checked if negative.
    std::int64_t messages = -1;
};

struct Counts {
    std::int64_t exchanges = 0;
    std::int64_t schedules = 0;  ///< one for each rank of an exchange
    std::int64_t messages = 0;
    std::int64_t blocks = 0;  ///< in messages
    std::int64_t refused = 0;
    std::int64_t faults = 0;        ///< exchanges with a seeded fault
    std::int64_t faults_found = 0;  ///< refused by the verifier
};

/// Verifies exchanges and counts them by method: by rule or algorithm.
///
/// Into one of `scarcity` exchanges it then seeds each kind of fault, of which the verifier must
/// refuse every one.
class Tally {
public:
    explicit Tally(int scarcity = 50) : scarcity_(scarcity) {}

    /// @param what   names the exchange; called only for one that is refused
    /// @param found  complaints that others than the verifier have
    void verify(std::string_view method, const Exchange& exchange,
                const std::function<std::string()>& what,
                const std::vector<std::string>& found = {});

    const std::map<std::string, Counts, std::less<>>& by_method() const { return by_method_; }
    Counts total() const;

private:
    void seed_faults(Counts& counts, const Exchange& exchange,
                     const std::function<std::string()>& what);
    void complain(const std::string& sentence);

    int scarcity_;
    std::int64_t complaints_ = 0;
    std::map<std::string, Counts, std::less<>> by_method_;
};

}  // namespace families
