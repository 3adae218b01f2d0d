#include "schedule/merged.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace carpool::schedule {
namespace {

/// All messages of one direction by phase, those of one phase in an order on which both their ends
/// agree.
class Traffic {
public:
    explicit Traffic(std::int64_t longest) : longest_(longest) {}

    void add(int phase, Message message) {
        CARPOOL_EXPECTS(!message.waybill && !message.apart, phase, message.peer);
        if (message.parts.empty()) return;
        auto& of_phase = by_phase_[phase];
        if (bytes_of(message) > longest_) {
            of_phase.messages.push_back(std::move(message));
            return;
        }
        const auto [ride, first] =
            of_phase.rides.try_emplace(message.peer, of_phase.messages.size());
        if (first) {
            of_phase.messages.push_back(std::move(message));
            return;
        }
        auto& parts = of_phase.messages[ride->second].parts;
        parts.insert(parts.end(), message.parts.begin(), message.parts.end());
    }

    std::vector<int> phases() const {
        std::vector<int> phases;
        for (const auto& [phase, of_phase] : by_phase_) phases.push_back(phase);
        return phases;
    }

    std::vector<Message> take(int phase) { return std::move(by_phase_[phase].messages); }

private:
    struct Phase {
        std::vector<Message> messages;
        std::map<int, std::size_t> rides;  // per peer, the message that others join
    };

    std::int64_t longest_;
    std::map<int, Phase> by_phase_;
};

class Merger {
public:
    explicit Merger(std::int64_t longest) : sent_(longest), received_(longest) {}

    void add(const Schedule& schedule) {
        for (const auto& [phase, send, receive] : schedule.rounds) {
            sent_.add(phase, moved(send));
            received_.add(phase, moved(receive));
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
        auto phases = sent_.phases();
        const auto received = received_.phases();
        phases.insert(phases.end(), received.begin(), received.end());
        std::sort(phases.begin(), phases.end());
        phases.erase(std::unique(phases.begin(), phases.end()), phases.end());
        for (const int phase : phases) add_rounds(phase);
        return std::move(merged_);
    }

private:
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

    void add_rounds(int phase) {
        auto sends = sent_.take(phase);
        auto receives = received_.take(phase);
        for (std::size_t i = 0; i < std::max(sends.size(), receives.size()); ++i) {
            auto& round = merged_.rounds.emplace_back(Round{phase, {-1, {}}, {-1, {}}});
            if (i < sends.size()) round.send = std::move(sends[i]);
            if (i < receives.size()) round.receive = std::move(receives[i]);
        }
    }

    Traffic sent_;
    Traffic received_;
    Schedule merged_;  // but for its rounds
    int ops_ = 0;
};

}  // namespace

Schedule merged(std::span<const Schedule* const> schedules, std::int64_t longest) {
    Merger merger(longest);
    for (const auto* schedule : schedules) merger.add(*schedule);
    return merger.take();
}

}  // namespace carpool::schedule
