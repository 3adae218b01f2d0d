#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace carpool::routing {

/// What one rank does in an exchange with fixed partners: one message to each and from each, in
/// phases. What comes in a phase goes on in a later one.
struct PartnerSchedule {
    struct Phase {
        std::vector<int> targets;
        std::vector<int> sources;
    };
    std::vector<Phase> phases;

    /// The message that takes a parcel for that rank on from here, counted through all phases.
    std::function<std::size_t(int target)> message_for;

    std::size_t most_partners;  ///< that any rank hears from
};

/// To those at each value of each digit of the distance in ranks, the lowest digit first.
/// @param factors  values of each digit from the lowest on, whose product is at least the ranks
/// @param node  ranks of a node, if the first digit is to lead to those of the same node only
PartnerSchedule digit_partners(int rank, int ranks, const std::vector<int>& factors, int node = 1);

/// To rank 0 and from there. Where ranks share cores the fewest messages win.
PartnerSchedule star_partners(int rank, int ranks);

}  // namespace carpool::routing
