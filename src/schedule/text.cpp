// SPDX-License-Identifier: MIT
#include "schedule/text.hpp"

#include <sstream>
#include <utility>

namespace carpool::schedule {
namespace {

void write(std::ostream& out, const char* direction, const Message& message) {
    if (message.parts.empty()) return;
    out << "  " << direction << ' ' << message.peer << ':';
    for (const auto& part : message.parts) out << ' ' << to_text(part.slot);
    out << " (" << bytes_of(message) << " B)";
}

void write(std::ostream& out, std::size_t number, const Round& round) {
    out << "round " << number << "  phase " << round.phase;
    write(out, "to", round.send);
    write(out, "from", round.receive);
    if (round.send.parts.empty() && round.receive.parts.empty()) out << "  nothing";
    out << '\n';
}

void write(std::ostream& out, const Sum& sum) {
    const char* between = "sum  ";
    for (const auto& slot : sum.of) out << std::exchange(between, " + ") << to_text(slot);
    out << " to " << to_text(sum.to) << " (" << sum.bytes << " B)\n";
}

}  // namespace

std::string_view name_of(Slot::Kind kind) {
    switch (kind) {
        case Slot::Kind::send:
            return "send";
        case Slot::Kind::recv:
            return "recv";
        case Slot::Kind::temp:
            return "temp";
    }
    return "?";
}

std::string to_text(const Slot& slot) {
    return std::string(name_of(slot.kind)) + '[' + std::to_string(slot.position) + ']';
}

std::string to_text(const Schedule& schedule) {
    std::ostringstream out;
    for (std::size_t r = 0; r < schedule.rounds.size(); ++r) write(out, r, schedule.rounds[r]);
    for (const auto& copy : schedule.copies)
        out << "copy  " << to_text(copy.from) << " to " << to_text(copy.to) << " (" << copy.bytes
            << " B)\n";
    for (const auto& sum : schedule.sums) write(out, sum);
    for (const auto& await : schedule.awaits) {
        out << "await  " << to_text(Slot{Slot::Kind::send, await.send_slot}) << " after";
        for (const auto& slot : await.slots) out << ' ' << to_text(slot);
        out << '\n';
    }
    out << "total  " << messages_sent(schedule) << " messages  " << blocks_sent(schedule)
        << " blocks  " << bytes_sent(schedule) << " B\n";
    return out.str();
}

}  // namespace carpool::schedule
