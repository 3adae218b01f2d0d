// SPDX-License-Identifier: MIT
#include "schedule/resized.hpp"

namespace carpool::schedule {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

template <typename Sized>
void leave_out_empty(std::vector<Sized>& all) {
    std::erase_if(all, [](const Sized& one) { return one.bytes == 0; });
}

class Resizer {
public:
    explicit Resizer(const SlotBytes& bytes) : bytes_(bytes) {}

    std::int64_t of(Slot slot) const {
        const auto& kind = slot.kind == Slot::Kind::send   ? bytes_.send
                           : slot.kind == Slot::Kind::recv ? bytes_.recv
                                                           : bytes_.temp;
        return kind[index(slot.position)];
    }

    void resize(Message& message) const {
        for (auto& part : message.parts) part.bytes = of(part.slot);
    }

private:
    const SlotBytes& bytes_;
};

class SlotPermutation {
public:
    SlotPermutation(std::span<const int> send, std::span<const int> recv)
        : send_(send), recv_(recv) {}

    void permute(Slot& slot) const {
        const auto order = slot.kind == Slot::Kind::send   ? send_
                           : slot.kind == Slot::Kind::recv ? recv_
                                                           : std::span<const int>();
        if (!order.empty()) slot.position = order[index(slot.position)];
    }
    void permute(Message& message) const {
        for (auto& part : message.parts) permute(part.slot);
    }

private:
    std::span<const int> send_;
    std::span<const int> recv_;
};

}  // namespace

Schedule resized(Schedule schedule, const SlotBytes& bytes, Empty empty) {
    const Resizer sizes(bytes);
    for (auto& round : schedule.rounds) {
        sizes.resize(round.send);
        sizes.resize(round.receive);
    }
    for (auto& copy : schedule.copies) copy.bytes = sizes.of(copy.to);
    if (empty == Empty::kept) return schedule;
    for (auto& round : schedule.rounds) {
        leave_out_empty(round.send.parts);
        leave_out_empty(round.receive.parts);
    }
    leave_out_empty(schedule.copies);
    return schedule;
}

namespace {

/// Calls visit(slot, bytes) for each block that is sent, received or made.
template <typename AnySchedule, typename Visit>
void visit_blocks(AnySchedule& schedule, const Visit& visit) {
    for (auto& round : schedule.rounds)
        for (auto* message : {&round.send, &round.receive})
            for (auto& part : message->parts) visit(part.slot, part.bytes);
    for (auto& copy : schedule.copies) visit(copy.to, copy.bytes);
    for (auto& sum : schedule.sums) visit(sum.to, sum.bytes);
}

}  // namespace

Schedule shortened(Schedule schedule) {
    visit_blocks(schedule, [](Slot, std::int64_t& bytes) { --bytes; });
    return schedule;
}

Schedule scaled(Schedule schedule, std::int64_t factor) {
    visit_blocks(schedule, [factor](Slot, std::int64_t& bytes) { bytes *= factor; });
    return schedule;
}

std::vector<std::int64_t> sizes_of_temps(const Schedule& schedule) {
    std::vector<std::int64_t> sizes(index(schedule.temp_slots));
    visit_blocks(schedule, [&](Slot slot, std::int64_t bytes) {
        if (slot.kind == Slot::Kind::temp) sizes[index(slot.position)] = bytes;
    });
    return sizes;
}

Schedule reordered(Schedule schedule, std::span<const int> send_order, int send_slots,
                   std::span<const int> recv_order, int recv_slots) {
    const SlotPermutation permutation(send_order, recv_order);
    for (auto& round : schedule.rounds) {
        permutation.permute(round.send);
        permutation.permute(round.receive);
    }
    for (auto& copy : schedule.copies) {
        permutation.permute(copy.from);
        permutation.permute(copy.to);
    }
    for (auto& sum : schedule.sums) {
        for (auto& slot : sum.of) permutation.permute(slot);
        permutation.permute(sum.to);
    }
    if (!send_order.empty()) schedule.send_slots = send_slots;
    if (!recv_order.empty()) schedule.recv_slots = recv_slots;
    return schedule;
}

}  // namespace carpool::schedule
