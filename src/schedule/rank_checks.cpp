// SPDX-License-Identifier: MIT
#include "schedule/rank_checks.hpp"

#include "schedule/slot_row.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace carpool::schedule {
namespace {

void check_part(const Where& where, const Schedule& schedule, const Part& part,
                Complaints& complaints) {
    const int slots = slots_of_kind(schedule, part.slot.kind);
    if (part.slot.position < 0 || part.slot.position >= slots)
        complaints.add(where, part.slot, " is out of range, there are ", slots, " such slots");
    if (part.bytes < 0) complaints.add(where, part.slot, " has ", part.bytes, " bytes");
}

void check_message(const Where& where, const Schedule& schedule, const Message& message, int ranks,
                   Complaints& complaints) {
    if (message.parts.empty()) return;
    if (message.peer < 0 || message.peer >= ranks)
        complaints.add(where, "peer ", message.peer, " is out of range, there are ", ranks,
                       " ranks");
    for (const auto& part : message.parts) check_part(where, schedule, part, complaints);
}

void check_phases(int rank, const Schedule& schedule, Complaints& complaints) {
    int before = 0;
    for (std::size_t r = 0; r < schedule.rounds.size(); ++r) {
        const int phase = schedule.rounds[r].phase;
        if (phase < before)
            complaints.add(at_round(rank, r), "phase ", phase, " comes after phase ", before);
        before = phase;
    }
}

/// The round, copy, sum or await of one rank that writes each slot.
class Writers {
public:
    Writers(int rank, const Schedule& schedule, Complaints& complaints)
        : schedule_(schedule), complaints_(complaints), row_({&schedule, 1}), writer_(row_.size()) {
        for (std::size_t a = 0; a < schedule.awaits.size(); ++a)
            note({Slot::Kind::send, schedule.awaits[a].send_slot}, at_await(rank, a));
        for (std::size_t r = 0; r < schedule.rounds.size(); ++r)
            if (const auto& message = schedule.rounds[r].receive; !message.rendezvous)
                for (const auto& part : message.parts) note(part.slot, at_round(rank, r));
        for (std::size_t c = 0; c < schedule.copies.size(); ++c)
            note(schedule.copies[c].to, at_copy(rank, c));
        for (std::size_t s = 0; s < schedule.sums.size(); ++s)
            note(schedule.sums[s].to, at_sum(rank, s));
        check_long_blocks(rank);
    }

    /// The phase in which a slot is filled: -1, before all others, for a send slot that awaits
    /// nothing; nothing if it is never filled.
    std::optional<int> phase(Slot slot) const { return phase(slot, longest_way()); }

private:
    std::size_t longest_way() const {
        return schedule_.copies.size() + schedule_.sums.size() + schedule_.awaits.size();
    }

    std::optional<int> phase(Slot slot, std::size_t links) const {
        const auto& writer = writer_[row_(0, slot)];
        if (!writer && slot.kind == Slot::Kind::send) return -1;
        if (!writer) return std::nullopt;
        if (writer->part == Where::Part::round) return schedule_.rounds[writer->number].phase;
        if (links == 0) return std::nullopt;  // in a circle
        std::optional<int> latest = -1;
        for (const auto& source : sources(*writer)) {
            const auto filled = phase(source, links - 1);
            if (!filled) return std::nullopt;
            latest = std::max(*latest, *filled);
        }
        return latest;
    }

    /// What a copy, a sum or an await reads.
    std::span<const Slot> sources(const Where& local) const {
        switch (local.part) {
            case Where::Part::copy:
                return {&schedule_.copies[local.number].from, 1};
            case Where::Part::sum:
                return schedule_.sums[local.number].of;
            default:
                return schedule_.awaits[local.number].slots;
        }
    }

    void note(Slot slot, const Where& where) {
        if (slot.kind == Slot::Kind::send && where.part != Where::Part::await) {
            complaints_.add(where, slot, " is written, but send slots are only read");
            return;
        }
        auto& writer = writer_[row_(0, slot)];
        if (writer)
            complaints_.add(where, slot, " is written a second time, first by ", *writer);
        else
            writer = where;
    }

    /// A length header announces each block that comes by a rendezvous message: the header, or a
    /// copy of it, is the first to write the slot.
    void check_long_blocks(int rank) {
        std::vector<bool> came(writer_.size());
        for (std::size_t r = 0; r < schedule_.rounds.size(); ++r) {
            const auto& message = schedule_.rounds[r].receive;
            if (!message.rendezvous) continue;
            for (const auto& part : message.parts) {
                const auto slot = row_(0, part.slot);
                if (part.slot.kind != Slot::Kind::recv || !tells_length(writer_[slot]))
                    complaints_.add(at_round(rank, r), part.slot,
                                    " has a rendezvous message, but no length header");
                if (came[slot])
                    complaints_.add(at_round(rank, r), part.slot,
                                    " has a second rendezvous message");
                came[slot] = true;
            }
        }
    }

    bool tells_length(const std::optional<Where>& writer) const {
        if (!writer) return false;
        if (writer->part == Where::Part::copy) return true;
        return writer->part == Where::Part::round &&
               schedule_.rounds[writer->number].receive.length_header;
    }

    const Schedule& schedule_;
    Complaints& complaints_;
    SlotRow row_;
    std::vector<std::optional<Where>> writer_;
};

constexpr int after_all_phases = std::numeric_limits<int>::max();

void check_read(const Where& where, Slot slot, int phase, const Writers& writers,
                Complaints& complaints) {
    const auto written = writers.phase(slot);
    if (!written)
        complaints.add(where, slot, " is read, but never written");
    else if (*written >= phase)
        complaints.add(where, slot, " is read in phase ", phase, " before it is written, in phase ",
                       *written);
}

}  // namespace

void check_ranges(int rank, const Schedule& schedule, int ranks, Complaints& complaints) {
    check_phases(rank, schedule, complaints);
    for (std::size_t r = 0; r < schedule.rounds.size(); ++r) {
        const auto& round = schedule.rounds[r];
        check_message(at_round(rank, r), schedule, round.send, ranks, complaints);
        check_message(at_round(rank, r), schedule, round.receive, ranks, complaints);
    }
    for (std::size_t c = 0; c < schedule.copies.size(); ++c) {
        const auto& copy = schedule.copies[c];
        check_part(at_copy(rank, c), schedule, {copy.from, copy.bytes}, complaints);
        check_part(at_copy(rank, c), schedule, {copy.to, copy.bytes}, complaints);
    }
    for (std::size_t s = 0; s < schedule.sums.size(); ++s) {
        const auto& sum = schedule.sums[s];
        for (const auto& slot : sum.of)
            check_part(at_sum(rank, s), schedule, {slot, sum.bytes}, complaints);
        check_part(at_sum(rank, s), schedule, {sum.to, sum.bytes}, complaints);
        if (sum.of.empty()) complaints.add(at_sum(rank, s), "has no summands");
    }
    for (std::size_t a = 0; a < schedule.awaits.size(); ++a) {
        const auto& await = schedule.awaits[a];
        check_part(at_await(rank, a), schedule, {{Slot::Kind::send, await.send_slot}, 0},
                   complaints);
        for (const auto& slot : await.slots)
            check_part(at_await(rank, a), schedule, {slot, 0}, complaints);
    }
}

void check_writes_and_reads(int rank, const Schedule& schedule, Complaints& complaints) {
    const Writers writers(rank, schedule, complaints);
    for (std::size_t r = 0; r < schedule.rounds.size(); ++r)
        for (const auto& part : schedule.rounds[r].send.parts)
            check_read(at_round(rank, r), part.slot, schedule.rounds[r].phase, writers, complaints);
    for (std::size_t c = 0; c < schedule.copies.size(); ++c)
        check_read(at_copy(rank, c), schedule.copies[c].from, after_all_phases, writers,
                   complaints);
    for (std::size_t s = 0; s < schedule.sums.size(); ++s)
        for (const auto& slot : schedule.sums[s].of)
            check_read(at_sum(rank, s), slot, after_all_phases, writers, complaints);
    for (std::size_t a = 0; a < schedule.awaits.size(); ++a)
        for (const auto& slot : schedule.awaits[a].slots)
            check_read(at_await(rank, a), slot, after_all_phases, writers, complaints);
}

}  // namespace carpool::schedule
