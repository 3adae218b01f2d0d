// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace carpool::routing {

/// One rank's part in an exchange with fixed partners: in each phase it sends one message to each
/// target and receives one from each source. What arrives in a phase is forwarded in a later one.
struct PartnerSchedule {
    struct Phase {
        std::vector<int> targets;
        std::vector<int> sources;
    };
    std::vector<Phase> phases;

    /// The index, counted through all phases, of the message that carries a parcel for `target`
    /// onward.
    std::function<std::size_t(int target)> message_for;

    std::size_t most_partners;  ///< the most sources of any rank
};

/// One phase per digit of the distance in ranks, the lowest first; its partners are the ranks at
/// each value of the digit but 0.
/// @param factors  number of values of each digit, the lowest first; their product is at least
/// `ranks`
/// @param node  ranks per node, if the first digit is to lead only to ranks of the same node
PartnerSchedule digit_partners(int rank, int ranks, const std::vector<int>& factors, int node = 1);

/// Every rank sends to rank 0, which sends to every rank. Where ranks share cores, the schedule
/// with the fewest messages is the fastest.
PartnerSchedule star_partners(int rank, int ranks);

}  // namespace carpool::routing
