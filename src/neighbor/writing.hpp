#pragma once

#include "call/family.hpp"
#include "neighbor/call.hpp"
#include "neighbor/candidate.hpp"
#include "neighbor/known_sizes.hpp"
#include "neighbor/routes.hpp"
#include "neighbor/topology.hpp"
#include "schedule/operation.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>

namespace carpool::neighbor {

/// What an operator that does not commute gets: all blocks as they are, from their sources.
schedule::Operation gathering(schedule::Operation reduction);

/// How a candidate is written on this rank: with sizes that all ranks know, with length headers, or
/// with sizes that are learnt; and what of it stays where a block is empty. A view of a call.
class Writing {
public:
    struct Known {
        const Topology* topology;
        schedule::Operation operation;
        const CheckedNeighborCall* call;  ///< null if it could not be read
        const Agreed* agreed;
        const UnsizedRoute* unsized_route;  ///< null if it does not go by one
        std::int64_t longest;  ///< block that is combined where nobody has planned for its size
        bool asks;             ///< do ranks agree before the first message?
        bool confirms;         ///< or beside the messages?
    };

    explicit Writing(const Known& known) : known_(known) {}

    // Where nobody asks, a message that does not come would not tell what is wrong. So none is left
    // out for want of bytes; but where other positions have some, one message says what all have.

    bool keeps_empty() const { return !known_.asks && agreed().sized && agreed().all_empty(); }
    bool signs_sizes() const;

    /// Do messages have length headers? Not if all blocks go in one hop, whose two ends know the
    /// sizes.
    bool has_length_headers(const RuleCandidate& candidate) const {
        return known_.unsized_route != nullptr && candidate.phases() > 1;
    }

    /// Do long blocks go straight, and short ones combined? Only where all ranks know that they
    /// learn the sizes of what they pass on; where routes were planned for these sizes, they do so
    /// already.
    bool divides(const RuleCandidate& candidate) const;

    /// What goes in one hop has sizes that its two ends know. @pre call
    call::Written written(const RuleCandidate& candidate) const;

private:
    const Agreed& agreed() const { return *known_.agreed; }
    call::Written in_order(const RuleCandidate& candidate) const;
    call::Written with_length_headers(const RuleCandidate& candidate) const;
    schedule::Schedule with_agreed_sizes(const RuleCandidate& candidate) const;
    schedule::Schedule as_agreed(schedule::Schedule schedule) const;
    std::int64_t longest_combined(const RuleCandidate& candidate) const;
    schedule::SlotBytes own_sizes() const;

    Known known_;
};

}  // namespace carpool::neighbor
