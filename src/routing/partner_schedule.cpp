// SPDX-License-Identifier: MIT
#include "routing/partner_schedule.hpp"

#include "routing/digits.hpp"
#include "routing/ring_distance.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace carpool::routing {
namespace {

/// A digit of the distance, and the index of the first message for its values 1, 2, ...
struct NumberedDigit {
    Digit digit;
    std::size_t first_message;
};

}  // namespace

PartnerSchedule digit_partners(int rank, int ranks, const std::vector<int>& factors, int node) {
    const RingDistance laps{ranks, node};
    PartnerSchedule schedule;
    std::vector<NumberedDigit> numbered;
    std::size_t messages = 0;
    for (const auto& digit : digits_of(factors)) {
        auto& phase = schedule.phases.emplace_back();
        numbered.push_back({digit, messages});
        const auto end = std::min<std::int64_t>(digit.end, ranks);
        for (auto distance = digit.weight; distance < end; distance += digit.weight) {
            phase.targets.push_back(laps.at(rank, static_cast<int>(distance)));
            phase.sources.push_back(laps.at(rank, laps.back(static_cast<int>(distance))));
        }
        messages += phase.targets.size();
    }
    schedule.most_partners = messages;
    schedule.message_for = [rank, laps, numbered = std::move(numbered)](int target) {
        const int distance = laps.distance(rank, target);
        auto next = numbered.begin();
        while (next->digit.value(distance) == 0) ++next;
        return next->first_message + static_cast<std::size_t>(next->digit.value(distance) - 1);
    };
    return schedule;
}

PartnerSchedule star_partners(int rank, int ranks) {
    const auto others_of_hub = static_cast<std::size_t>(ranks - 1);
    if (rank != 0)
        return {{{{0}, {}}, {{}, {0}}}, [](int) { return std::size_t{0}; }, others_of_hub};
    std::vector<int> others(static_cast<std::size_t>(ranks - 1));
    std::iota(others.begin(), others.end(), 1);
    return {{{{}, others}, {others, {}}},
            [](int target) { return static_cast<std::size_t>(target - 1); },
            others_of_hub};
}

}  // namespace carpool::routing
