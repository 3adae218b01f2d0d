// SPDX-License-Identifier: MIT
#include "schedule/merged.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace carpool::schedule {
namespace {

/// The messages of one phase in one direction, in an order that is the same on both their ends.
class PhaseMessages {
public:
    void add(Message message, std::int64_t longest) {
        CARPOOL_EXPECTS(!message.length_header && !message.rendezvous, message.peer);
        if (message.parts.empty()) return;
        if (bytes_of(message) <= longest) {
            const auto [found, first] = index_.try_emplace(message.peer, messages_.size());
            if (!first) return join(messages_[found->second], message);
        }
        messages_.push_back(std::move(message));
    }

    std::vector<Message> take() { return std::move(messages_); }

private:
    static void join(Message& joined, const Message& message) {
        joined.parts.insert(joined.parts.end(), message.parts.begin(), message.parts.end());
    }

    std::vector<Message> messages_;
    std::map<int, std::size_t> index_;  // per peer, the message that others join
};

class Merger {
public:
    explicit Merger(std::int64_t longest) : longest_(longest) {}

    void add(const Schedule& schedule) {
        for (const auto& [phase, send, receive] : schedule.rounds) {
            auto& [sent, received] = phases_[phase];
            sent.add(moved(send), longest_);
            received.add(moved(receive), longest_);
        }
        for (const auto& [from, to, bytes] : schedule.copies)
            merged_.copies.push_back({moved(from), moved(to), bytes});
        for (const auto& sum : schedule.sums)
            merged_.sums.push_back({moved(sum.of), moved(sum.to), sum.bytes, ops_ + sum.op});
        for (const auto& [send_slot, slots] : schedule.awaits)
            merged_.awaits.push_back({merged_.send_slots + send_slot, moved(slots)});
        merged_.send_slots += schedule.send_slots;
        merged_.recv_slots += schedule.recv_slots;
        merged_.temp_slots += schedule.temp_slots;
        ops_ += operators(schedule);
    }

    Schedule take() {
        for (auto& [phase, both] : phases_) add_rounds(phase, both);
        return std::move(merged_);
    }

private:
    struct BothWays {
        PhaseMessages sent, received;
    };

    Slot moved(Slot slot) const {
        const int before = slot.kind == Slot::Kind::send   ? merged_.send_slots
                           : slot.kind == Slot::Kind::recv ? merged_.recv_slots
                                                           : merged_.temp_slots;
        return {slot.kind, before + slot.position};
    }

    std::vector<Slot> moved(std::vector<Slot> slots) const {
        for (auto& slot : slots) slot = moved(slot);
        return slots;
    }

    Message moved(Message message) const {
        for (auto& part : message.parts) part.slot = moved(part.slot);
        return message;
    }

    void add_rounds(int phase, BothWays& both) {
        auto sends = both.sent.take();
        auto receives = both.received.take();
        for (std::size_t i = 0; i < std::max(sends.size(), receives.size()); ++i) {
            auto& round = merged_.rounds.emplace_back(Round{phase, {-1, {}}, {-1, {}}});
            if (i < sends.size()) round.send = std::move(sends[i]);
            if (i < receives.size()) round.receive = std::move(receives[i]);
        }
    }

    std::int64_t longest_;
    std::map<int, BothWays> phases_;
    Schedule merged_;  // complete but for its rounds
    int ops_ = 0;
};

}  // namespace

Schedule merged(std::span<const Schedule* const> schedules, std::int64_t longest) {
    Merger merger(longest);
    for (const auto* schedule : schedules) merger.add(*schedule);
    return merger.take();
}

}  // namespace carpool::schedule
