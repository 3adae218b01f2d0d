// SPDX-License-Identifier: MIT
#pragma once

#include "call/family.hpp"
#include "neighbor/call.hpp"
#include "neighbor/candidate.hpp"
#include "neighbor/known_sizes.hpp"
#include "neighbor/topology/routes.hpp"
#include "neighbor/topology/topology.hpp"
#include "schedule/operation.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>

namespace carpool::neighbor {

/// The operation that replaces a reduction whose operator does not commute: it delivers every block
/// unchanged from its source.
schedule::Operation gathering(schedule::Operation reduction);

/// Drafts of the schedules of candidates on this rank: with sizes that all ranks know, with length
/// headers, or with sizes still to be learnt. A view of a call.
class ScheduleDrafts {
public:
    struct Known {
        const Topology* topology;
        schedule::Operation operation;
        const CheckedNeighborCall* call;  ///< null if it could not be read
        const AgreedSizes* agreed;
        const UnsizedRoute* unsized_route;  ///< null if the call uses none
        std::int64_t longest;  ///< longest block to combine, if routes do not depend on sizes
        bool votes;            ///< do ranks agree before the first message?
        bool confirms;         ///< or while messages are under way?
    };

    explicit ScheduleDrafts(const Known& known) : known_(known) {}

    /// True if blocks without bytes are sent, too. If ranks do not vote, a missing message cannot
    /// tell them what is wrong, and later calls fill the schedule with blocks of other sizes.
    bool keeps_empty() const { return !known_.votes && agreed().sized; }

    /// True if messages have length headers. They do not if all blocks take one hop, because its
    /// two ends know the sizes.
    bool has_length_headers(const RuleCandidate& candidate) const {
        return known_.unsized_route != nullptr && candidate.phases() > 1;
    }

    /// True if long blocks are sent directly and short ones combined. This requires that all ranks
    /// know that the sizes of forwarded blocks are to be learnt. Routes that were planned for the
    /// sizes separate long blocks already.
    bool divides(const RuleCandidate& candidate) const;

    /// The draft for a candidate. Blocks that take one hop have the sizes that its two ends know.
    /// @pre the call could be read
    call::ScheduleDraft of(const RuleCandidate& candidate) const;

private:
    const AgreedSizes& agreed() const { return *known_.agreed; }
    call::ScheduleDraft in_order(const RuleCandidate& candidate) const;
    call::ScheduleDraft with_length_headers(const RuleCandidate& candidate) const;
    schedule::Schedule with_agreed_sizes(const RuleCandidate& candidate) const;
    schedule::Schedule as_agreed(schedule::Schedule schedule) const;
    std::int64_t longest_combined(const RuleCandidate& candidate) const;
    schedule::SlotBytes own_sizes() const;

    Known known_;
};

}  // namespace carpool::neighbor
