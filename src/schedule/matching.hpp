// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/complaints.hpp"
#include "schedule/schedule.hpp"

#include <optional>
#include <span>
#include <vector>

namespace carpool::schedule {

/// The k-th message from one rank to another and the k-th receive posted for it, by their rounds.
/// Rendezvous messages are counted apart.
struct MessageMatch {
    int from;
    int to;
    std::optional<std::size_t> send_round;     ///< nothing: a receive without its send
    std::optional<std::size_t> receive_round;  ///< nothing: a send without its receive
    bool rendezvous = false;
};

/// All messages in order of sender, receiver, kind, round; complains where the two ends differ.
///
/// @pre all peers lie in range
std::vector<MessageMatch> match_messages(std::span<const Schedule> schedules,
                                         Complaints& complaints);

/// The parts at the two ends of a match; none if that end does not exist.
std::span<const Part> sent_parts(std::span<const Schedule> schedules, const MessageMatch& match);
std::span<const Part> received_parts(std::span<const Schedule> schedules,
                                     const MessageMatch& match);

}  // namespace carpool::schedule
