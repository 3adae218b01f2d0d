#include "schedule/text.hpp"

#include <sstream>

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
    out << "total  " << messages_sent(schedule) << " messages  " << blocks_sent(schedule)
        << " blocks  " << bytes_sent(schedule) << " B\n";
    return out.str();
}

}  // namespace carpool::schedule
