// SPDX-License-Identifier: MIT
#include "schedule/schedule.hpp"

#include <algorithm>
#include <functional>

namespace carpool::schedule {

std::int64_t bytes_of(const Message& message) {
    std::int64_t sum = 0;
    for (const auto& part : message.parts) sum += part.bytes;
    return sum;
}

std::int64_t copied_bytes(const Message& message) {
    const auto follows = [](const Part& part, const Part& next) {
        return next.slot.kind == part.slot.kind && next.slot.position == part.slot.position + 1;
    };
    const auto& parts = message.parts;
    const auto gap = std::ranges::adjacent_find(parts, std::not_fn(follows));
    return gap == parts.end() ? 0 : bytes_of(message);
}

std::int64_t messages_sent(const Schedule& schedule) {
    return std::count_if(schedule.rounds.begin(), schedule.rounds.end(),
                         [](const Round& round) { return !round.send.parts.empty(); });
}

std::int64_t blocks_sent(const Schedule& schedule) {
    std::int64_t sum = 0;
    for (const auto& round : schedule.rounds)
        sum += static_cast<std::int64_t>(round.send.parts.size());
    return sum;
}

std::int64_t bytes_sent(const Schedule& schedule) {
    std::int64_t sum = 0;
    for (const auto& round : schedule.rounds) sum += bytes_of(round.send);
    return sum;
}

int operators(const Schedule& schedule) {
    int count = 0;
    for (const auto& sum : schedule.sums) count = std::max(count, sum.op + 1);
    return count;
}

bool has_rendezvous_messages(const Schedule& schedule) {
    return std::ranges::any_of(schedule.rounds, [](const Round& round) {
        return round.send.rendezvous || round.receive.rendezvous;
    });
}

}  // namespace carpool::schedule
