// SPDX-License-Identifier: MIT
#include "schedule/slot_use.hpp"

#include <cstddef>
#include <numeric>

namespace carpool::schedule {
namespace {

/// Puts slots of one kind in order.
class Order {
public:
    Order(Slot::Kind kind, int slots) : kind_(kind), known_(static_cast<std::size_t>(slots)) {}

    void add(const Message& message) {
        for (const auto& part : message.parts)
            if (part.slot.kind == kind_) add(part.slot.position);
    }

    std::vector<int> all() {
        for (std::size_t slot = 0; slot < known_.size(); ++slot) add(static_cast<int>(slot));
        return order_;
    }

private:
    void add(int position) {
        const auto slot = static_cast<std::size_t>(position);
        if (known_[slot]) return;
        known_[slot] = true;
        order_.push_back(position);
    }

    Slot::Kind kind_;
    std::vector<bool> known_;
    std::vector<int> order_;
};

}  // namespace

SlotUse::SlotUse(const Schedule& schedule)
    : reads_send(static_cast<std::size_t>(schedule.send_slots)),
      reads_recv(static_cast<std::size_t>(schedule.recv_slots)),
      writes_recv(reads_recv.size()),
      sums_send(reads_send.size()),
      sums_recv(reads_recv.size()),
      awaited(reads_send.size()) {
    const auto read = [this](Slot slot) {
        const auto position = static_cast<std::size_t>(slot.position);
        if (slot.kind == Slot::Kind::send) reads_send[position] = true;
        if (slot.kind == Slot::Kind::recv) reads_recv[position] = true;
    };
    const auto write = [this](Slot slot) {
        if (slot.kind == Slot::Kind::recv)
            writes_recv[static_cast<std::size_t>(slot.position)] = true;
    };
    Order sent(Slot::Kind::send, schedule.send_slots);
    Order received(Slot::Kind::recv, schedule.recv_slots);
    for (const auto& round : schedule.rounds) {
        for (const auto& part : round.send.parts) read(part.slot);
        for (const auto& part : round.receive.parts) write(part.slot);
        sent.add(round.send);
        received.add(round.receive);
    }
    for (const auto& copy : schedule.copies) {
        read(copy.from);
        write(copy.to);
    }
    const auto add_up = [this](Slot slot) {
        const auto position = static_cast<std::size_t>(slot.position);
        if (slot.kind == Slot::Kind::send) sums_send[position] = true;
        if (slot.kind == Slot::Kind::recv) sums_recv[position] = true;
    };
    for (const auto& sum : schedule.sums) {
        for (const auto& slot : sum.of) {
            read(slot);
            add_up(slot);
        }
        write(sum.to);
        add_up(sum.to);
    }
    for (const auto& [send_slot, slots] : schedule.awaits)
        for (const auto& slot : slots)
            if (slot.kind == Slot::Kind::recv)
                awaited[static_cast<std::size_t>(send_slot)].push_back(slot.position);
    for (std::size_t slot = 0; slot < reads_recv.size(); ++slot)
        if (writes_recv[slot]) reads_recv[slot] = false;  // what is read there has been written
    send_order = sent.all();
    recv_order = received.all();
}

SlotUse::SlotUse(std::size_t send_slots, std::size_t recv_slots, bool reads)
    : reads_send(send_slots, true),
      reads_recv(recv_slots, reads),
      writes_recv(recv_slots, true),
      sums_send(send_slots),
      sums_recv(recv_slots),
      awaited(send_slots),
      send_order(send_slots),
      recv_order(recv_slots) {
    std::iota(send_order.begin(), send_order.end(), 0);
    std::iota(recv_order.begin(), recv_order.end(), 0);
}

}  // namespace carpool::schedule
