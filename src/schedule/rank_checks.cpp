#include "schedule/rank_checks.hpp"

#include "schedule/slot_row.hpp"

#include <limits>
#include <optional>
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

/// Which round or copy of one rank writes each slot.
class Writers {
public:
    Writers(int rank, const Schedule& schedule, Complaints& complaints)
        : schedule_(schedule), complaints_(complaints), row_({&schedule, 1}), writer_(row_.size()) {
        for (std::size_t r = 0; r < schedule.rounds.size(); ++r)
            for (const auto& part : schedule.rounds[r].receive.parts)
                note(part.slot, at_round(rank, r));
        for (std::size_t c = 0; c < schedule.copies.size(); ++c)
            note(schedule.copies[c].to, at_copy(rank, c));
    }

    /// The phase in which a slot is filled, before all others for a send slot; nothing if never.
    std::optional<int> phase(Slot slot) const {
        for (std::size_t links = 0; links <= schedule_.copies.size(); ++links) {
            if (slot.kind == Slot::Kind::send) return -1;
            const auto& writer = writer_[row_(0, slot)];
            if (!writer) return std::nullopt;
            if (writer->part == Where::Part::round) return schedule_.rounds[writer->number].phase;
            slot = schedule_.copies[writer->number].from;
        }
        return std::nullopt;  // copies in a circle
    }

private:
    void note(Slot slot, const Where& where) {
        if (slot.kind == Slot::Kind::send) {
            complaints_.add(where, slot, " is written, but send slots are only read");
            return;
        }
        auto& writer = writer_[row_(0, slot)];
        if (writer)
            complaints_.add(where, slot, " is written a second time, first by ", *writer);
        else
            writer = where;
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
}

void check_writes_and_reads(int rank, const Schedule& schedule, Complaints& complaints) {
    const Writers writers(rank, schedule, complaints);
    for (std::size_t r = 0; r < schedule.rounds.size(); ++r)
        for (const auto& part : schedule.rounds[r].send.parts)
            check_read(at_round(rank, r), part.slot, schedule.rounds[r].phase, writers, complaints);
    for (std::size_t c = 0; c < schedule.copies.size(); ++c)
        check_read(at_copy(rank, c), schedule.copies[c].from, after_all_phases, writers,
                   complaints);
}

}  // namespace carpool::schedule
