#include "schedule/execution.hpp"

#include <algorithm>

namespace carpool::schedule {

Execution::Execution(std::span<const Schedule> schedules, std::span<const Match> matches)
    : schedules_(schedules), row_(schedules), blocks_(row_.size()), writer_(row_.size(), none) {
    list_actions(matches);
    list_readers();
}

void Execution::list_actions(std::span<const Match> matches) {
    for (const auto& match : matches) {
        if (!match.send_round) continue;
        const bool follows = !actions_.empty() && actions_.back().where.rank == match.from &&
                             actions_.back().to == match.to;
        actions_.push_back({at_round(match.from, *match.send_round), match.to,
                            sent_parts(schedules_, match), received_parts(schedules_, match),
                            follows});
    }
    std::size_t copies = 0;
    for (const auto& schedule : schedules_) copies += schedule.copies.size();
    copied_.reserve(2 * copies);  // spans into it must stay valid
    for (std::size_t rank = 0; rank < schedules_.size(); ++rank) {
        for (std::size_t c = 0; c < schedules_[rank].copies.size(); ++c) {
            const auto& copy = schedules_[rank].copies[c];
            copied_.push_back({copy.from, copy.bytes});
            copied_.push_back({copy.to, copy.bytes});
            const auto parts = std::span<const Part>(copied_).last(2);
            const auto self = static_cast<int>(rank);
            actions_.push_back({at_copy(self, c), self, parts.first(1), parts.last(1), false});
        }
    }
}

void Execution::list_readers() {
    first_reader_.assign(row_.size() + 2, 0);
    for (const auto& action : actions_) {
        waits_for_.push_back(action.reads.size() + (action.follows_previous ? 1 : 0));
        for (const auto& part : action.reads)
            ++first_reader_[row_(action.where.rank, part.slot) + 2];
    }
    for (std::size_t i = 2; i < first_reader_.size(); ++i) first_reader_[i] += first_reader_[i - 1];
    readers_.resize(first_reader_.back());
    for (std::size_t a = 0; a < actions_.size(); ++a) {
        for (const auto& part : actions_[a].reads)
            readers_[first_reader_[row_(actions_[a].where.rank, part.slot) + 1]++] = a;
        for (const auto& part : actions_[a].writes) writer_[row_(actions_[a].to, part.slot)] = a;
    }
}

void Execution::run(Complaints& complaints) {
    for (std::size_t rank = 0; rank < schedules_.size(); ++rank) {
        for (int position = 0; position < schedules_[rank].send_slots; ++position) {
            const auto self = static_cast<int>(rank);
            constexpr std::int64_t as_read = -1;
            fill(row_(self, {Slot::Kind::send, position}), {self, position, as_read});
        }
    }
    while (!ready_.empty()) {
        const auto action = ready_.back();
        ready_.pop_back();
        perform(action, complaints);
    }
    complain_of_stuck(complaints);
    complain_of_circles(complaints);
}

void Execution::fill(std::size_t slot, const Origin& block) {
    if (blocks_[slot]) return;  // a second writer was complained of before
    blocks_[slot] = block;
    for (auto r = first_reader_[slot]; r < first_reader_[slot + 1]; ++r) satisfy(readers_[r]);
}

void Execution::satisfy(std::size_t action) {
    if (--waits_for_[action] == 0) ready_.push_back(action);
}

void Execution::perform(std::size_t index, Complaints& complaints) {
    const auto& action = actions_[index];
    for (std::size_t i = 0; i < action.reads.size(); ++i) {
        const auto& [slot, bytes] = action.reads[i];
        auto block = *found(action.where.rank, slot);
        if (slot.kind != Slot::Kind::send && block.bytes != bytes)
            complaints.add(action.where, "reads ", bytes, " bytes of ", slot, ", which holds ",
                           block.bytes);
        block.bytes = bytes;
        if (i < action.writes.size()) fill(row_(action.to, action.writes[i].slot), block);
    }
    if (index + 1 < actions_.size() && actions_[index + 1].follows_previous) satisfy(index + 1);
}

const Part* Execution::first_absent(const Action& action) const {
    const auto absent = [&](const Part& part) { return !found(action.where.rank, part.slot); };
    const auto part = std::find_if(action.reads.begin(), action.reads.end(), absent);
    return part == action.reads.end() ? nullptr : &*part;
}

/// The action that a stuck one waits for; none where no such action exists.
std::size_t Execution::blocker(std::size_t index) const {
    const auto& action = actions_[index];
    if (action.follows_previous && waits_for_[index - 1] > 0) return index - 1;
    const auto* part = first_absent(action);
    return part == nullptr ? none : writer_[row_(action.where.rank, part->slot)];
}

void Execution::complain_of_stuck(Complaints& complaints) const {
    for (std::size_t a = 0; a < actions_.size(); ++a) {
        if (waits_for_[a] == 0) continue;
        const auto* part = first_absent(actions_[a]);
        if (part == nullptr)
            complaints.add(actions_[a].where, "never leaves, it waits for ", actions_[a - 1].where,
                           " to the same rank");
        else
            complaints.add(actions_[a].where, "never leaves, it waits for ", part->slot);
    }
}

/// Every stuck action waits for at most one other, so a circle is met on the way from one of its
/// members; each action is walked over once.
void Execution::complain_of_circles(Complaints& complaints) const {
    std::vector<std::size_t> walk(actions_.size(), none);
    for (std::size_t start = 0; start < actions_.size(); ++start) {
        if (waits_for_[start] == 0) continue;
        auto at = start;
        for (; at != none && waits_for_[at] > 0 && walk[at] == none; at = blocker(at))
            walk[at] = start;
        if (at == none || walk[at] != start) continue;
        std::ostringstream circle;
        auto next = at;
        do {
            next = blocker(next);
            circle << " waits for " << actions_[next].where << (next == at ? "" : ", which");
        } while (next != at);
        complaints.add(actions_[at].where, "deadlock, it", circle.str());
    }
}

}  // namespace carpool::schedule
