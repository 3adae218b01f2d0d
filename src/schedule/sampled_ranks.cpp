// SPDX-License-Identifier: MIT
#include "schedule/sampled_ranks.hpp"

#include <algorithm>

namespace carpool::schedule {
namespace {

/// The rounds with a message to a peer, or from it, in their order.
std::vector<std::size_t> rounds_with(const Schedule& schedule, Message Round::* side, int peer) {
    std::vector<std::size_t> rounds;
    for (std::size_t r = 0; r < schedule.rounds.size(); ++r) {
        const auto& message = schedule.rounds[r].*side;
        if (message.peer == peer && !message.parts.empty()) rounds.push_back(r);
    }
    return rounds;
}

/// The elements with these numbers.
template <typename T>
std::vector<T> chosen(const std::vector<T>& all, const std::set<std::size_t>& numbers) {
    std::vector<T> result;
    for (const auto number : numbers) result.push_back(all[number]);
    return result;
}

}  // namespace

void SampledRanks::add(int rank) {
    samples_.insert(rank);
    const auto rounds = known(rank).schedule.rounds;
    for (int position = 0; position < known(rank).schedule.recv_slots; ++position)
        need(rank, {Slot::Kind::recv, position});
    for (std::size_t r = 0; r < rounds.size(); ++r) {
        if (!rounds[r].send.parts.empty()) keep_send(rank, r);
        if (!rounds[r].receive.parts.empty()) keep_receive(rank, r);
        keep_all(rank, rounds[r].send.peer);
        keep_all(rounds[r].receive.peer, rank);
    }
    trace_all();
}

SampledRanks::Known& SampledRanks::known(int rank) {
    const auto found = known_.find(rank);
    if (found != known_.end()) return found->second;
    auto schedule = schedule_of_(rank);
    auto writers = writers_of(schedule);
    return known_.emplace(rank, Known{std::move(schedule), std::move(writers)}).first->second;
}

std::multimap<SampledRanks::Place, SampledRanks::Writer> SampledRanks::writers_of(
    const Schedule& schedule) {
    using Kind = Writer::Kind;
    std::multimap<Place, Writer> writers;
    const auto add = [&](const Slot& slot, Kind kind, std::size_t number) {
        writers.emplace(Place{slot.kind, slot.position}, Writer{kind, number});
    };
    for (std::size_t r = 0; r < schedule.rounds.size(); ++r)
        for (const auto& part : schedule.rounds[r].receive.parts) add(part.slot, Kind::receive, r);
    for (std::size_t c = 0; c < schedule.copies.size(); ++c)
        add(schedule.copies[c].to, Kind::copy, c);
    for (std::size_t s = 0; s < schedule.sums.size(); ++s) add(schedule.sums[s].to, Kind::sum, s);
    return writers;
}

void SampledRanks::need(int rank, const Slot& slot) {
    const std::pair needed{rank, Place{slot.kind, slot.position}};
    if (needed_.insert(needed).second) to_trace_.push_back(needed);
}

void SampledRanks::trace_all() {
    while (!to_trace_.empty()) {
        const auto [rank, place] = to_trace_.back();
        to_trace_.pop_back();
        trace(rank, place);
    }
}

void SampledRanks::trace(int rank, const Place& place) {
    auto& here = known(rank);
    const auto [first, last] = here.writers.equal_range(place);
    for (auto writer = first; writer != last; ++writer) {
        const auto number = writer->second.number;
        switch (writer->second.kind) {
            case Writer::Kind::receive:
                keep_receive(rank, number);
                break;
            case Writer::Kind::copy:
                here.copies.insert(number);
                need(rank, here.schedule.copies[number].from);
                break;
            case Writer::Kind::sum:
                here.sums.insert(number);
                for (const auto& slot : here.schedule.sums[number].of) need(rank, slot);
                break;
        }
    }
}

void SampledRanks::keep_send(int rank, std::size_t round) {
    auto& here = known(rank);
    if (!here.sends.insert(round).second) return;
    for (const auto& part : here.schedule.rounds[round].send.parts) need(rank, part.slot);
}

/// Keeps the other end as well: messages between two ranks are matched in their order.
void SampledRanks::keep_receive(int rank, std::size_t round) {
    auto& here = known(rank);
    if (!here.receives.insert(round).second) return;
    const int peer = here.schedule.rounds[round].receive.peer;
    if (!exists(peer)) return;
    const auto receives = rounds_with(here.schedule, &Round::receive, peer);
    const auto sends = rounds_with(known(peer).schedule, &Round::send, rank);
    const auto number = static_cast<std::size_t>(
        std::find(receives.begin(), receives.end(), round) - receives.begin());
    if (number < sends.size()) keep_send(peer, sends[number]);
}

/// Keeps both ends of all messages from a rank to another.
void SampledRanks::keep_all(int from, int to) {
    if (!exists(from) || !exists(to)) return;
    for (const auto round : rounds_with(known(from).schedule, &Round::send, to))
        keep_send(from, round);
    for (const auto round : rounds_with(known(to).schedule, &Round::receive, from))
        keep_receive(to, round);
}

/// Rounds keep their numbers, so complaints name them as they are.
Schedule SampledRanks::needed_of(const Known& known) {
    auto schedule = known.schedule;
    for (std::size_t r = 0; r < schedule.rounds.size(); ++r) {
        if (!known.sends.contains(r)) schedule.rounds[r].send.parts.clear();
        if (!known.receives.contains(r)) schedule.rounds[r].receive.parts.clear();
    }
    schedule.copies = chosen(schedule.copies, known.copies);
    schedule.sums = chosen(schedule.sums, known.sums);
    return schedule;
}

std::vector<Schedule> SampledRanks::schedules() const {
    std::vector<Schedule> schedules(static_cast<std::size_t>(ranks_));
    for (const auto& [rank, known] : known_)
        schedules[static_cast<std::size_t>(rank)] = needed_of(known);
    return schedules;
}

Postcondition SampledRanks::expected(const ExpectedAt& expected_at) const {
    Postcondition expected(static_cast<std::size_t>(ranks_));
    for (const auto& [rank, known] : known_) {
        auto& places = expected[static_cast<std::size_t>(rank)];
        places = expected_at(rank);
        if (samples_.contains(rank)) continue;
        const auto writers = writers_of(needed_of(known));
        for (std::size_t i = 0; i < places.size(); ++i)
            if (!writers.contains({Slot::Kind::recv, static_cast<int>(i)})) places[i] = {};
    }
    return expected;
}

}  // namespace carpool::schedule
