#include "routing/partner_schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace carpool::routing {
namespace {

/// A digit of the distance, and where the messages of its values 1, 2, ... begin.
struct Digit {
    int weight;
    int factor;
    std::size_t first_message;
};

}  // namespace

PartnerSchedule digit_partners(int rank, int ranks, const std::vector<int>& factors) {
    PartnerSchedule schedule;
    std::vector<Digit> digits;
    std::size_t messages = 0;
    std::int64_t weight = 1;
    for (const int factor : factors) {
        auto& phase = schedule.phases.emplace_back();
        digits.push_back({static_cast<int>(weight), factor, messages});
        const auto end = std::min<std::int64_t>(weight * factor, ranks);
        for (auto distance = weight; distance < end; distance += weight) {
            phase.targets.push_back(static_cast<int>((rank + distance) % ranks));
            phase.sources.push_back(static_cast<int>((rank - distance + ranks) % ranks));
        }
        messages += phase.targets.size();
        weight = end;
    }
    schedule.most_partners = messages;
    schedule.message_for = [rank, ranks, digits = std::move(digits)](int target) {
        const int distance = (target - rank + ranks) % ranks;
        auto digit = digits.begin();
        while (distance / digit->weight % digit->factor == 0) ++digit;
        const int value = distance / digit->weight % digit->factor;
        return digit->first_message + static_cast<std::size_t>(value - 1);
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
