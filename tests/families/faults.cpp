// SPDX-License-Identifier: MIT
#include "faults.hpp"

#include "schedule/complaints.hpp"
#include "schedule/execution.hpp"
#include "schedule/matching.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace families {
namespace {

using carpool::schedule::Message;
using carpool::schedule::Part;
using carpool::schedule::Round;
using carpool::schedule::Schedule;
using carpool::schedule::Slot;
using carpool::schedule::Sum;
using carpool::schedule::SumOrder;

template <typename Place>
Place* any_of(std::vector<Place*> places, RandomSource& random) {
    if (places.empty()) return nullptr;
    return places[static_cast<std::size_t>(random.between(0, static_cast<int>(places.size()) - 1))];
}

/// Any element of a list of the schedules that is fit for a fault.
template <typename Element, typename IsFit>
Element* any(Schedules& all, std::vector<Element> Schedule::* list, RandomSource& random,
             IsFit is_fit) {
    std::vector<Element*> places;
    for (auto& schedule : all)
        for (auto& element : schedule.*list)
            if (is_fit(element)) places.push_back(&element);
    return any_of(std::move(places), random);
}

bool is_sent(const Schedule& schedule, Slot slot) {
    return std::ranges::any_of(schedule.rounds, [&](const Round& round) {
        return std::ranges::any_of(round.send.parts,
                                   [&](const Part& part) { return part.slot == slot; });
    });
}

bool is_read(const Schedule& schedule, Slot slot) {
    return is_sent(schedule, slot) ||
           std::ranges::any_of(schedule.copies,
                               [&](const auto& copy) { return copy.from == slot; }) ||
           std::ranges::any_of(schedule.sums,
                               [&](const auto& sum) { return std::ranges::count(sum.of, slot); });
}

/// Whether what is written there is a result, or is read.
bool counts(const Schedule& schedule, Slot slot) {
    return slot.kind == Slot::Kind::recv || is_read(schedule, slot);
}

/// A message that is sent, and where it is received.
struct Ends {
    std::size_t from, send_round;
    std::size_t to, receive_round;
};

/// The n-th round of a rank, counted from `n`, with a message to or from a peer.
std::size_t nth_round(const Schedule& schedule, Message Round::* way, int peer, int n) {
    for (std::size_t r = 0; r < schedule.rounds.size(); ++r) {
        const auto& message = schedule.rounds[r].*way;
        if (!message.parts.empty() && message.peer == peer && n-- == 0) return r;
    }
    return schedule.rounds.size();
}

std::vector<Ends> all_messages(const Schedules& all) {
    std::vector<Ends> messages;
    for (std::size_t from = 0; from < all.size(); ++from) {
        std::vector<int> sent(all.size());
        for (std::size_t r = 0; r < all[from].rounds.size(); ++r) {
            const auto& message = all[from].rounds[r].send;
            if (message.parts.empty()) continue;
            const auto to = static_cast<std::size_t>(message.peer);
            messages.push_back(
                {from, r, to,
                 nth_round(all[to], &Round::receive, static_cast<int>(from), sent[to]++)});
        }
    }
    return messages;
}

bool drop_a_message(Schedules& all, SumOrder, RandomSource& random) {
    const auto messages = all_messages(all);
    if (messages.empty()) return false;
    const auto& ends = messages[static_cast<std::size_t>(
        random.between(0, static_cast<int>(messages.size()) - 1))];
    all[ends.from].rounds[ends.send_round].send.parts.clear();
    all[ends.to].rounds[ends.receive_round].receive.parts.clear();
    return true;
}

bool has_message(const Round& round) {
    return !round.send.parts.empty() || !round.receive.parts.empty();
}

bool drop_a_round(Schedules& all, SumOrder, RandomSource& random) {
    auto* const round = any(all, &Schedule::rounds, random, has_message);
    if (round == nullptr) return false;
    round->send.parts.clear();
    round->receive.parts.clear();
    return true;
}

bool drop_a_block(Schedules& all, SumOrder, RandomSource& random) {
    auto* const round =
        any(all, &Schedule::rounds, random, [](const Round& r) { return !r.send.parts.empty(); });
    if (round == nullptr) return false;
    round->send.parts.pop_back();
    return true;
}

/// Two blocks that differ: some exchanges send a block twice in a message. Sums of any order may
/// take their summands from either place.
bool exchange_two_blocks(Schedules& all, SumOrder order, RandomSource& random) {
    const bool sums = std::ranges::any_of(all, [](const Schedule& s) { return !s.sums.empty(); });
    if (sums && order == SumOrder::any) return false;
    carpool::schedule::Complaints none;
    const auto matches = carpool::schedule::match_messages(all, none);
    carpool::schedule::Execution correct(all, matches, order);
    correct.run(none);
    std::vector<Message*> places;
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        for (auto& round : all[rank].rounds) {
            if (round.send.parts.empty()) continue;
            const auto content = [&](const Part& part) {
                auto found = correct.found(static_cast<int>(rank), part.slot);
                for (auto& block : found.blocks) block.bytes = part.bytes;
                return found.normalised(order);
            };
            if (content(round.send.parts.front()) != content(round.send.parts.back()))
                places.push_back(&round.send);
        }
    auto* const message = any_of(std::move(places), random);
    if (message == nullptr) return false;
    std::swap(message->parts.front(), message->parts.back());
    return true;
}

bool send_to_another_rank(Schedules& all, SumOrder, RandomSource& random) {
    auto* const round =
        any(all, &Schedule::rounds, random, [](const Round& r) { return !r.send.parts.empty(); });
    if (round == nullptr || all.size() < 2) return false;
    round->send.peer = (round->send.peer + 1) % static_cast<int>(all.size());
    return true;
}

/// Into a temporary slot that nothing else uses.
bool receive_elsewhere(Schedules& all, SumOrder, RandomSource& random) {
    std::vector<std::pair<Schedule*, Part*>> places;
    for (auto& schedule : all)
        for (auto& round : schedule.rounds)
            for (auto& part : round.receive.parts)
                if (counts(schedule, part.slot)) places.emplace_back(&schedule, &part);
    if (places.empty()) return false;
    const auto& [schedule, part] =
        places[static_cast<std::size_t>(random.between(0, static_cast<int>(places.size()) - 1))];
    part->slot = {Slot::Kind::temp, schedule->temp_slots++};
    return true;
}

bool is_written(const Schedule& schedule, Slot slot, int before) {
    return std::ranges::any_of(schedule.rounds, [&](const Round& round) {
        return round.phase < before &&
               std::ranges::any_of(
                   round.receive.parts, [&](const auto& part) { return part.slot == slot; });
    });
}

/// Forwards a message in the phase in which it arrives: both of its ends move there.
bool send_a_phase_too_early(Schedules& all, SumOrder, RandomSource& random) {
    auto messages = all_messages(all);
    std::erase_if(messages, [&](const Ends& ends) {
        const auto& round = all[ends.from].rounds[ends.send_round];
        return std::ranges::none_of(round.send.parts, [&](const auto& part) {
            return is_written(all[ends.from], part.slot, round.phase);
        });
    });
    if (messages.empty()) return false;
    const auto& [from, send_round, to, receive_round] = messages[static_cast<std::size_t>(
        random.between(0, static_cast<int>(messages.size()) - 1))];
    auto& sent = all[from].rounds[send_round].send;
    auto& received = all[to].rounds[receive_round].receive;
    all[from].rounds.insert(all[from].rounds.begin(), {0, std::move(sent), {-1, {}}});
    all[from].rounds[send_round + 1].send = {-1, {}};
    if (from == to) return true;  // no longer in the same place
    all[to].rounds.insert(all[to].rounds.begin(), {0, {-1, {}}, std::move(received)});
    all[to].rounds[receive_round + 1].receive = {-1, {}};
    return true;
}

bool drop_a_copy(Schedules& all, SumOrder, RandomSource& random) {
    std::vector<Schedule*> places;
    for (auto& schedule : all)
        if (!schedule.copies.empty()) places.push_back(&schedule);
    auto* const schedule = any_of(std::move(places), random);
    if (schedule == nullptr) return false;
    schedule->copies.pop_back();
    return true;
}

/// Any sum of several summands that is a result, or goes into one.
Sum* any_sum(Schedules& all, RandomSource& random) {
    std::vector<Sum*> places;
    for (auto& schedule : all)
        for (auto& sum : schedule.sums)
            if (sum.of.front() != sum.of.back() && counts(schedule, sum.to)) places.push_back(&sum);
    return any_of(std::move(places), random);
}

bool leave_out_a_summand(Schedules& all, SumOrder, RandomSource& random) {
    auto* const sum = any_sum(all, random);
    if (sum == nullptr) return false;
    sum->of.pop_back();
    return true;
}

bool add_a_summand_twice(Schedules& all, SumOrder order, RandomSource& random) {
    auto* const sum = order == SumOrder::repeated ? nullptr : any_sum(all, random);
    if (sum == nullptr) return false;
    sum->of.push_back(sum->of.front());
    return true;
}

bool exchange_two_summands(Schedules& all, SumOrder order, RandomSource& random) {
    auto* const sum = order == SumOrder::exact ? any_sum(all, random) : nullptr;
    if (sum == nullptr) return false;
    std::swap(sum->of.front(), sum->of.back());
    return true;
}

constexpr std::array all_faults{
    Fault{"a message dropped at both ends", drop_a_message},
    Fault{"a round of one rank dropped", drop_a_round},
    Fault{"a block dropped", drop_a_block},
    Fault{"two blocks of a message exchanged", exchange_two_blocks},
    Fault{"a message to another rank", send_to_another_rank},
    Fault{"a block received elsewhere", receive_elsewhere},
    Fault{"a message one phase too early", send_a_phase_too_early},
    Fault{"a copy dropped", drop_a_copy},
    Fault{"a summand left out", leave_out_a_summand},
    Fault{"a summand added twice", add_a_summand_twice},
    Fault{"two summands exchanged", exchange_two_summands},
};

}  // namespace

std::span<const Fault> faults() { return all_faults; }

}  // namespace families
