#include "schedule/signed.hpp"

#include <algorithm>
#include <limits>

namespace carpool::schedule {
namespace {

/// The bytes that a round sends; without a message, more than any other round sends.
std::int64_t length(const Round& round) {
    if (round.send.parts.empty()) return std::numeric_limits<std::int64_t>::max();
    return bytes_of(round.send);
}

}  // namespace

Schedule signed_by(Schedule schedule, std::int64_t word_bytes) {
    const auto shortest =
        std::min_element(schedule.rounds.begin(), schedule.rounds.end(),
                         [](const auto& a, const auto& b) { return length(a) < length(b); });
    if (shortest == schedule.rounds.end() || shortest->receive.parts.empty()) return schedule;
    shortest->send.parts.push_back({{Slot::Kind::send, schedule.send_slots++}, word_bytes});
    shortest->receive.parts.push_back({{Slot::Kind::recv, schedule.recv_slots++}, word_bytes});
    return schedule;
}

}  // namespace carpool::schedule
