// SPDX-License-Identifier: MIT
#include "schedule/matching.hpp"

#include <algorithm>
#include <tuple>

namespace carpool::schedule {
namespace {

struct End {
    int from;
    int to;
    bool rendezvous;
    std::size_t round;
};

auto pair_of(const End& end) { return std::tie(end.from, end.to, end.rendezvous); }
bool same_pair(const End& a, const End& b) { return pair_of(a) == pair_of(b); }
bool pair_before(const End& a, const End& b) { return pair_of(a) < pair_of(b); }

std::vector<End> sorted(std::vector<End> ends) {
    std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) {
        return std::tie(a.from, a.to, a.rendezvous, a.round) <
               std::tie(b.from, b.to, b.rendezvous, b.round);
    });
    return ends;
}

std::vector<End> sends(std::span<const Schedule> schedules) {
    std::vector<End> ends;
    for (std::size_t rank = 0; rank < schedules.size(); ++rank)
        for (std::size_t r = 0; r < schedules[rank].rounds.size(); ++r)
            if (const auto& message = schedules[rank].rounds[r].send; !message.parts.empty())
                ends.push_back({static_cast<int>(rank), message.peer, message.rendezvous, r});
    return sorted(std::move(ends));
}

std::vector<End> receives(std::span<const Schedule> schedules) {
    std::vector<End> ends;
    for (std::size_t rank = 0; rank < schedules.size(); ++rank)
        for (std::size_t r = 0; r < schedules[rank].rounds.size(); ++r)
            if (const auto& message = schedules[rank].rounds[r].receive; !message.parts.empty())
                ends.push_back({message.peer, static_cast<int>(rank), message.rendezvous, r});
    return sorted(std::move(ends));
}

/// Both lists are sorted, so the k-th ends of one kind and one pair of ranks meet.
std::vector<MessageMatch> merged(const std::vector<End>& sends, const std::vector<End>& receives) {
    std::vector<MessageMatch> matches;
    matches.reserve(std::max(sends.size(), receives.size()));
    auto send = sends.begin();
    auto receive = receives.begin();
    while (send != sends.end() || receive != receives.end()) {
        const bool has_send =
            send != sends.end() && (receive == receives.end() || !pair_before(*receive, *send));
        const bool has_receive =
            receive != receives.end() && (!has_send || same_pair(*send, *receive));
        const End& pair = has_send ? *send : *receive;
        auto& match =
            matches.emplace_back(MessageMatch{pair.from, pair.to, {}, {}, pair.rendezvous});
        if (has_send) match.send_round = (send++)->round;
        if (has_receive) match.receive_round = (receive++)->round;
    }
    return matches;
}

void check_parts(const MessageMatch& match, std::span<const Part> sent,
                 std::span<const Part> received, Complaints& complaints) {
    const Where sender = at_round(match.from, *match.send_round);
    const Where receiver = at_round(match.to, *match.receive_round);
    if (sent.size() != received.size()) {
        complaints.add(receiver, "expects ", received.size(), " parts, but ", sender, " sends ",
                       sent.size());
        return;
    }
    for (std::size_t i = 0; i < sent.size(); ++i)
        if (sent[i].bytes != received[i].bytes)
            complaints.add(receiver, received[i].slot, " expects ", received[i].bytes,
                           " bytes, but ", sender, " sends ", sent[i].bytes, " from ",
                           sent[i].slot);
}

int phase_at(std::span<const Schedule> schedules, int rank, std::size_t round) {
    return schedules[static_cast<std::size_t>(rank)].rounds[round].phase;
}

void check_phases(const MessageMatch& match, std::span<const Schedule> schedules,
                  Complaints& complaints) {
    const int sent = phase_at(schedules, match.from, *match.send_round);
    const int received = phase_at(schedules, match.to, *match.receive_round);
    if (sent != received)
        complaints.add(at_round(match.to, *match.receive_round), "receives in phase ", received,
                       ", but ", at_round(match.from, *match.send_round), " sends in phase ", sent);
}

void check_ends(const MessageMatch& match, std::span<const Schedule> schedules,
                Complaints& complaints) {
    if (!match.receive_round)
        complaints.add(at_round(match.from, *match.send_round), "rank ", match.to,
                       " has no receive for the message sent to it");
    else if (!match.send_round)
        complaints.add(at_round(match.to, *match.receive_round), "rank ", match.from,
                       " never sends the message expected from it");
    else {
        if (!match.rendezvous) check_phases(match, schedules, complaints);
        check_parts(match, sent_parts(schedules, match), received_parts(schedules, match),
                    complaints);
    }
}

}  // namespace

std::vector<MessageMatch> match_messages(std::span<const Schedule> schedules,
                                         Complaints& complaints) {
    auto matches = merged(sends(schedules), receives(schedules));
    for (const auto& match : matches) check_ends(match, schedules, complaints);
    return matches;
}

std::span<const Part> sent_parts(std::span<const Schedule> schedules, const MessageMatch& match) {
    if (!match.send_round) return {};
    return schedules[static_cast<std::size_t>(match.from)].rounds[*match.send_round].send.parts;
}

std::span<const Part> received_parts(std::span<const Schedule> schedules,
                                     const MessageMatch& match) {
    if (!match.receive_round) return {};
    const auto& schedule = schedules[static_cast<std::size_t>(match.to)];
    return schedule.rounds[*match.receive_round].receive.parts;
}

}  // namespace carpool::schedule
