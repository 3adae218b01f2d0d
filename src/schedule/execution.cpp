// SPDX-License-Identifier: MIT
#include "schedule/execution.hpp"

#include <algorithm>
#include <utility>

namespace carpool::schedule {
namespace {

/// Stands for whatever size the reader expects.
constexpr std::int64_t as_read = -1;

std::size_t local_parts(std::span<const Schedule> schedules) {
    std::size_t parts = 0;
    for (const auto& schedule : schedules) {
        parts += 2 * schedule.copies.size() + schedule.sums.size() + schedule.awaits.size();
        for (const auto& sum : schedule.sums) parts += sum.of.size();
        for (const auto& await : schedule.awaits) parts += await.slots.size();
    }
    return parts;
}

}  // namespace

Execution::Execution(std::span<const Schedule> schedules, std::span<const MessageMatch> matches,
                     SumOrder order)
    : schedules_(schedules),
      order_(order),
      row_(schedules),
      contents_(row_.size()),
      writer_(row_.size(), none) {
    local_.reserve(local_parts(schedules));  // spans into it must stay valid
    list_messages(matches);
    for (std::size_t rank = 0; rank < schedules.size(); ++rank)
        list_local(static_cast<int>(rank), schedules[rank]);
    list_readers();
}

void Execution::list_messages(std::span<const MessageMatch> matches) {
    for (const auto& match : matches) {
        if (!match.send_round) continue;
        const bool follows = !actions_.empty() && actions_.back().where.rank == match.from &&
                             actions_.back().to == match.to &&
                             actions_.back().rendezvous == match.rendezvous;
        actions_.push_back({Action::Kind::move, at_round(match.from, *match.send_round), match.to,
                            sent_parts(schedules_, match), received_parts(schedules_, match),
                            follows, match.rendezvous});
    }
}

void Execution::list_local(int rank, const Schedule& schedule) {
    using Kind = Action::Kind;
    for (std::size_t c = 0; c < schedule.copies.size(); ++c) {
        const auto& [from, to, bytes] = schedule.copies[c];
        add_local(Kind::move, at_copy(rank, c), {&from, 1}, to, bytes);
    }
    for (std::size_t s = 0; s < schedule.sums.size(); ++s) {
        const auto& sum = schedule.sums[s];
        add_local(Kind::add, at_sum(rank, s), sum.of, sum.to, sum.bytes);
    }
    for (std::size_t a = 0; a < schedule.awaits.size(); ++a) {
        const auto& [send_slot, slots] = schedule.awaits[a];
        add_local(Kind::allow, at_await(rank, a), slots, {Slot::Kind::send, send_slot}, as_read);
    }
}

void Execution::add_local(Action::Kind kind, const Where& where, std::span<const Slot> from,
                          Slot to, std::int64_t bytes) {
    for (const auto& slot : from) local_.push_back({slot, bytes});
    local_.push_back({to, bytes});
    const auto parts = std::span<const Part>(local_).last(from.size() + 1);
    actions_.push_back({kind, where, where.rank, parts.first(from.size()), parts.last(1), false});
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
        if (actions_[a].rendezvous) continue;  // nobody reads what it brings
        for (const auto& part : actions_[a].writes) writer_[row_(actions_[a].to, part.slot)] = a;
    }
}

void Execution::run(Complaints& complaints) {
    for (std::size_t a = 0; a < actions_.size(); ++a)
        if (waits_for_[a] == 0) ready_.push_back(a);
    for (std::size_t rank = 0; rank < schedules_.size(); ++rank)
        fill_send_slots(static_cast<int>(rank));
    while (!ready_.empty()) {
        const auto action = ready_.back();
        ready_.pop_back();
        perform(action, complaints);
    }
    complain_of_wrong_lengths(complaints);
    complain_of_stuck(complaints);
    complain_of_circles(complaints);
}

void Execution::fill_send_slots(int rank) {
    const auto& schedule = schedules_[static_cast<std::size_t>(rank)];
    for (int position = 0; position < schedule.send_slots; ++position) {
        const auto slot = row_(rank, {Slot::Kind::send, position});
        if (writer_[slot] == none) fill(slot, Origin{rank, position, as_read});
    }
}

void Execution::fill(std::size_t slot, Content content) {
    if (contents_[slot]) return;  // a second writer has been complained of before
    contents_[slot] = std::move(content);
    for (auto r = first_reader_[slot]; r < first_reader_[slot + 1]; ++r) satisfy(readers_[r]);
}

void Execution::bring(int rank, Slot slot, Content content) {
    long_blocks_[row_(rank, slot)] = {rank, slot, std::move(content)};
}

void Execution::satisfy(std::size_t action) {
    if (--waits_for_[action] == 0) ready_.push_back(action);
}

void Execution::perform(std::size_t index, Complaints& complaints) {
    const auto& action = actions_[index];
    Content sum;
    for (std::size_t i = 0; i < action.reads.size(); ++i) {
        auto content = read(action, action.reads[i], complaints);
        if (action.kind == Action::Kind::add)
            sum.add(content);
        else if (action.rendezvous && i < action.writes.size())
            bring(action.to, action.writes[i].slot, std::move(content));
        else if (action.kind == Action::Kind::move && i < action.writes.size())
            fill(row_(action.to, action.writes[i].slot), std::move(content));
    }
    if (action.kind == Action::Kind::allow)
        sum = Origin{action.to, action.writes.front().slot.position, as_read};
    if (action.kind != Action::Kind::move)
        fill(row_(action.to, action.writes.front().slot), sum.normalised(order_));
    if (index + 1 < actions_.size() && actions_[index + 1].follows_previous) satisfy(index + 1);
}

Content Execution::read(const Action& action, const Part& part, Complaints& complaints) const {
    auto content = held(action.where.rank, part.slot);
    for (auto& block : content.blocks) {
        const bool fits = part.slot.kind == Slot::Kind::send || block.bytes == part.bytes;
        if (!fits && part.bytes != as_read)
            complaints.add(action.where, "reads ", part.bytes, " bytes of ", part.slot,
                           ", which holds ", block.bytes);
        block.bytes = part.bytes;
    }
    return content;
}

const Content& Execution::found(int rank, Slot slot) const {
    const auto long_block = long_blocks_.find(row_(rank, slot));
    return long_block == long_blocks_.end() ? held(rank, slot) : long_block->second.content;
}

const Part* Execution::first_absent(const Action& action) const {
    const auto absent = [&](const Part& part) { return !held(action.where.rank, part.slot); };
    const auto part = std::find_if(action.reads.begin(), action.reads.end(), absent);
    return part == action.reads.end() ? nullptr : &*part;
}

/// The action that a stuck action waits for, or none.
std::size_t Execution::blocker(std::size_t index) const {
    const auto& action = actions_[index];
    if (action.follows_previous && waits_for_[index - 1] > 0) return index - 1;
    const auto* part = first_absent(action);
    return part == nullptr ? none : writer_[row_(action.where.rank, part->slot)];
}

/// A length header has announced the same block, whatever its size.
void Execution::complain_of_wrong_lengths(Complaints& complaints) const {
    for (const auto& [number, brought] : long_blocks_) {
        auto told = contents_[number];
        if (!told) continue;  // the sender of the header is stuck
        for (auto& block : told.blocks) block.bytes = brought.content.blocks.front().bytes;
        if (told != brought.content)
            complaints.add({brought.rank}, brought.slot, " gets ", to_text(brought.content),
                           " by a rendezvous message, but its length header told of ",
                           to_text(told));
    }
}

void Execution::complain_of_stuck(Complaints& complaints) const {
    for (std::size_t a = 0; a < actions_.size(); ++a) {
        if (waits_for_[a] == 0) continue;
        const auto* part = first_absent(actions_[a]);
        if (part == nullptr)
            complaints.add(actions_[a].where, "is never executed: it waits for ",
                           actions_[a - 1].where, " to the same rank");
        else
            complaints.add(actions_[a].where, "is never executed: it waits for ", part->slot);
    }
}

/// Every stuck action waits for at most one other, so the walk from a member of a circle leads
/// round it; each action is visited once.
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
