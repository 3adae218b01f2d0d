// SPDX-License-Identifier: MIT
#include "choose/phase_load.hpp"

#include "schedule/slot_row.hpp"

#include <algorithm>

namespace carpool::choose {
namespace {

PhaseLoad& phase_in(std::vector<PhaseLoad>& phases, int phase) {
    const auto p = static_cast<std::size_t>(phase);
    if (p >= phases.size()) phases.resize(p + 1);
    return phases[p];
}

/// In which phase each slot is filled.
class FillPhases {
public:
    explicit FillPhases(const schedule::Schedule& schedule)
        : row_({&schedule, 1}), phase_(row_.size()) {}

    int& at(schedule::Slot slot) { return phase_[row_(0, slot)]; }

private:
    schedule::SlotRow row_;
    std::vector<int> phase_;
};

}  // namespace

Traffic traffic_of(const schedule::Message& message) {
    return {1, static_cast<std::int64_t>(message.parts.size()), schedule::bytes_of(message)};
}

bool PhaseLoad::leaves_node() const {
    const auto network = index_of(Level::network);
    return sent[network].messages + received[network].messages > 0;
}

std::int64_t PhaseLoad::messages() const {
    return std::max(of_both_levels(sent).messages, of_both_levels(received).messages);
}

PhaseLoad most(const PhaseLoad& a, const PhaseLoad& b) {
    return {most(a.sent, b.sent),
            most(a.received, b.received),
            most(a.adapter, b.adapter),
            std::max(a.copied, b.copied),
            std::max(a.copied_blocks, b.copied_blocks),
            std::max(a.summed, b.summed),
            std::max(a.repeats, b.repeats),
            std::max(a.share_leaving, b.share_leaving),
            a.others_wait && b.others_wait};
}

std::vector<PhaseLoad> with_repeats(const std::vector<PhaseLoad>& phases) {
    std::vector<PhaseLoad> result;
    for (const auto& phase : phases) {
        auto like = phase;
        if (!result.empty()) like.repeats = result.back().repeats;
        if (!result.empty() && result.back() == like)
            result.back().repeats += phase.repeats;
        else
            result.push_back(phase);
    }
    return result;
}

std::vector<PhaseLoad> phases_of(const schedule::Schedule& schedule, int rank,
                                 const Machine& machine) {
    std::vector<PhaseLoad> phases;
    if (!schedule.rounds.empty()) phase_in(phases, schedule.rounds.back().phase);
    FillPhases filled(schedule);
    for (const auto& [number, send, receive] : schedule.rounds) {
        auto& phase = phase_in(phases, number);
        if (!send.parts.empty()) {
            phase.sent[index_of(machine.level(rank, send.peer))] += traffic_of(send);
            phase.copied += schedule::copied_bytes(send);
        }
        if (receive.parts.empty()) continue;
        phase.received[index_of(machine.level(rank, receive.peer))] += traffic_of(receive);
        phase.copied += schedule::copied_bytes(receive);
        for (const auto& part : receive.parts) filled.at(part.slot) = number;
    }
    if (phases.empty()) return phases;
    for (const auto& copy : schedule.copies) {
        filled.at(copy.to) = filled.at(copy.from);
        phase_in(phases, filled.at(copy.to)).copied += copy.bytes;
    }
    for (const auto& sum : schedule.sums) {
        int& last = filled.at(sum.to);
        for (const auto& slot : sum.of) last = std::max(last, filled.at(slot));
        phase_in(phases, last).summed += sum.bytes * (std::ssize(sum.of) - 1);
    }
    return phases;
}

}  // namespace carpool::choose
