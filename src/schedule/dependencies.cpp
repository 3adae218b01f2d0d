// SPDX-License-Identifier: MIT
#include "schedule/dependencies.hpp"

#include <span>

namespace carpool::schedule {

namespace {

/// The parts that can be read from the message.
std::span<const Part> readable_parts(const Message& message) {
    return message.rendezvous ? std::span<const Part>() : message.parts;
}

}  // namespace

Dependencies::Dependencies(const Schedule& schedule)
    : schedule_(schedule), row_({&schedule, 1}), has_readers_(row_.size()), writer_(row_.size()) {
    for (std::size_t a = 0; a < schedule.awaits.size(); ++a)
        awaits_[schedule.awaits[a].send_slot] = a;
    find_readers();
    number_writers();
    link_sends();
    link_works();
}

bool Dependencies::received(Slot slot) const {
    const auto& writer = writer_[row_(0, slot)];
    return writer && writer->kind == Writer::Kind::receive;
}

bool Dependencies::ready_at_start(Slot slot) const {
    return slot.kind == Slot::Kind::send && !awaits_.contains(slot.position);
}

void Dependencies::find_readers() {
    const auto read = [this](Slot slot) { has_readers_[row_(0, slot)] = true; };
    for (const auto& round : schedule_.rounds)
        for (const auto& part : round.send.parts) read(part.slot);
    for (const auto& copy : schedule_.copies) read(copy.from);
    for (const auto& sum : schedule_.sums)
        for (const auto& slot : sum.of) read(slot);
    for (const auto& await : schedule_.awaits)
        for (const auto& slot : await.slots) read(slot);
}

void Dependencies::number_writers() {
    int sends = 0;
    for (const auto& round : schedule_.rounds) {
        if (!round.send.parts.empty()) ++sends;
        if (round.receive.parts.empty()) continue;
        for (const auto& part : readable_parts(round.receive))
            writer_[row_(0, part.slot)] = {Writer::Kind::receive,
                                           static_cast<int>(arrivals.size())};
        arrivals.emplace_back();
    }
    int next = sends;
    const auto number = [&](Slot slot) {
        if (has_readers(slot)) writer_[row_(0, slot)] = {Writer::Kind::task, next++};
    };
    for (const auto& copy : schedule_.copies) number(copy.to);
    for (const auto& sum : schedule_.sums) number(sum.to);
    tasks.resize(static_cast<std::size_t>(next));
}

/// Messages to one peer share a tag, so they must leave in the order of their rounds. Rendezvous
/// messages leave in that order anyhow, since they wait for nothing.
void Dependencies::link_sends() {
    std::unordered_map<int, int> last_to;  // per peer
    int send = 0;
    for (const auto& round : schedule_.rounds) {
        if (round.send.parts.empty()) continue;
        for (const auto& part : round.send.parts) wait(send, part.slot, false);
        if (round.send.rendezvous) {
            ++send;
            continue;
        }
        const auto [last, first_one] = last_to.try_emplace(round.send.peer, send);
        if (!first_one) link(tasks[static_cast<std::size_t>(last->second)].unlocks, send);
        last->second = send++;
    }
}

void Dependencies::link_works() {
    for (const auto& copy : schedule_.copies)
        if (has_readers(copy.to)) wait(writer_[row_(0, copy.to)]->number, copy.from, true);
    for (const auto& sum : schedule_.sums)
        if (has_readers(sum.to))
            for (const auto& slot : sum.of) wait(writer_[row_(0, sum.to)]->number, slot, true);
}

void Dependencies::wait(int task, Slot slot, bool reads_memory) {
    if (slot.kind == Slot::Kind::send) {
        const auto found = awaits_.find(slot.position);
        if (found == awaits_.end()) return;
        for (const auto& awaited : schedule_.awaits[found->second].slots) wait(task, awaited, true);
        return;
    }
    const auto& writer = writer_[row_(0, slot)];
    const auto number = static_cast<std::size_t>(writer->number);
    if (writer->kind == Writer::Kind::task) return link(tasks[number].unlocks, task);
    arrivals[number].unpacked_first |= reads_memory;
    link(arrivals[number].unlocks, task);
}

/// All that a task waits for is linked in one go, so a repetition is always the last entry.
void Dependencies::link(std::vector<int>& unlocks, int task) {
    if (!unlocks.empty() && unlocks.back() == task) return;
    unlocks.push_back(task);
    ++tasks[static_cast<std::size_t>(task)].waits_for;
}

}  // namespace carpool::schedule
