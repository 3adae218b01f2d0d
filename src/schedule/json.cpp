// SPDX-License-Identifier: MIT
#include "schedule/json.hpp"

#include "schedule/text.hpp"

#include <sstream>
#include <vector>

namespace carpool::schedule {
namespace {

template <typename Item, typename Write>
void write_list(std::ostream& out, const std::vector<Item>& items, Write write_item) {
    out << '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0) out << ", ";
        write_item(items[i]);
    }
    out << ']';
}

void write_place(std::ostream& out, const Slot& slot) {
    out << R"("kind": ")" << name_of(slot.kind) << R"(", "position": )" << slot.position;
}

void write_message(std::ostream& out, const Message& message) {
    if (message.parts.empty()) {
        out << "null";
        return;
    }
    out << R"({"peer": )" << message.peer << R"(, "parts": )";
    write_list(out, message.parts, [&out](const Part& part) {
        out << '{';
        write_place(out, part.slot);
        out << R"(, "bytes": )" << part.bytes << '}';
    });
    out << '}';
}

void write_round(std::ostream& out, const Round& round) {
    out << R"({"phase": )" << round.phase << R"(, "send": )";
    write_message(out, round.send);
    out << R"(, "receive": )";
    write_message(out, round.receive);
    out << '}';
}

void write_slot(std::ostream& out, const Slot& slot) {
    out << '{';
    write_place(out, slot);
    out << '}';
}

void write_copy(std::ostream& out, const Copy& copy) {
    out << R"({"from": )";
    write_slot(out, copy.from);
    out << R"(, "to": )";
    write_slot(out, copy.to);
    out << R"(, "bytes": )" << copy.bytes << '}';
}

void write_sum(std::ostream& out, const Sum& sum) {
    out << R"({"of": )";
    write_list(out, sum.of, [&out](const Slot& slot) { write_slot(out, slot); });
    out << R"(, "to": )";
    write_slot(out, sum.to);
    out << R"(, "bytes": )" << sum.bytes << '}';
}

void write_await(std::ostream& out, const Await& await) {
    out << R"({"send_slot": )" << await.send_slot << R"(, "slots": )";
    write_list(out, await.slots, [&out](const Slot& slot) { write_slot(out, slot); });
    out << '}';
}

}  // namespace

std::string to_json(const Schedule& schedule) {
    std::ostringstream out;
    out << R"({"send_slots": )" << schedule.send_slots << R"(, "recv_slots": )"
        << schedule.recv_slots << R"(, "temp_slots": )" << schedule.temp_slots << R"(, "rounds": )";
    write_list(out, schedule.rounds, [&out](const Round& round) { write_round(out, round); });
    out << R"(, "copies": )";
    write_list(out, schedule.copies, [&out](const Copy& copy) { write_copy(out, copy); });
    out << R"(, "sums": )";
    write_list(out, schedule.sums, [&out](const Sum& sum) { write_sum(out, sum); });
    out << R"(, "awaits": )";
    write_list(out, schedule.awaits, [&out](const Await& await) { write_await(out, await); });
    out << '}';
    return out.str();
}

}  // namespace carpool::schedule
