// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/side_copy.hpp"
#include "call/bound_call.hpp"
#include "call/filler.hpp"
#include "call/kept_calls.hpp"
#include "neighbor/call.hpp"
#include "neighbor/known_sizes.hpp"
#include "neighbor/topology/edge_ends.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace carpool::neighbor {

/// Fills neighborhood collectives.
class NeighborFiller : public call::CallFiller {
public:
    /// @param topology  along whose edges the call goes
    /// @param buffers  to which the exchange is bound at first
    /// @param longest  the longest block that travels in its messages, if they have length headers
    NeighborFiller(std::shared_ptr<const Topology> topology, engine::Buffers buffers,
                   std::optional<std::int64_t> longest)
        : CallFiller(std::move(buffers), longest), topology_(std::move(topology)) {}

    const Topology& topology() const { return *topology_; }

    /// As CallFiller::take_schedule().
    bool take_schedule(const schedule::Schedule& schedule, const AgreedSizes& agreed) {
        return CallFiller::take_schedule(schedule, agreed.sized && agreed.block_bytes.size() == 1);
    }

    bool is_bound_to(const CheckedNeighborCall& arguments) const {
        return CallFiller::is_bound_to(arguments.buffers.send, arguments.buffers.recv);
    }

    /// Makes room to note such arguments, so that note() allocates nothing. Their arrays may be
    /// gone.
    void make_room_for(const NeighborArguments& arguments);

    /// Notes that the call is bound to these arguments, which a program repeats; unless a handle
    /// among them may come to stand for something else.
    /// @param read  what has been read of them. @pre is_bound_to(read)
    void note(const NeighborArguments& arguments, CheckedNeighborCall& read,
              call::SizeClass size_class);

    /// The class of sizes of the arguments, if the call is known to be bound to just these.
    std::optional<call::SizeClass> class_if_noted(const NeighborArguments& arguments) const;

    /// True if the same blocks are empty as in the call: one along lists sends no messages for
    /// them.
    bool has_same_empty_blocks(const CheckedNeighborCall& arguments) const;

    /// Fills the call; returns false if the arguments need other messages. The call takes the
    /// memory of the blocks, and leaves its own in their place.
    /// @pre the arguments have the form of the call
    bool fill(call::BoundCall& bound, CheckedNeighborCall& arguments, const AgreedSizes& agreed);

    /// What the call states about this rank's ends of the edges, with the blocks that arrive.
    /// @pre a block per edge
    EdgeEnds ends() const;

    /// The balance of ends(), computed once after each fill().
    std::uint64_t balance();

private:
    /// The arguments of a call, as the program gave them.
    struct Noted {
        arguments::SideCopy send;
        arguments::SideCopy recv;
        call::SizeClass size_class;
    };

    void find_temp_bytes(std::span<const std::int64_t> block_bytes);

    std::shared_ptr<const Topology> topology_;
    Noted noted_ = {};
    bool is_noted_ = false;                 // the call is bound to what is noted
    std::optional<std::uint64_t> balance_;  // empty until it is asked for after a fill()
};

/// The filler of a kept call.
inline NeighborFiller& filler_of(const call::BoundCall& call) {
    return *static_cast<NeighborFiller*>(call.read.get());
}

/// The form of a call. Local.
call::CallForm form_of(const NeighborArguments& arguments);

/// The class of the sizes of a call's blocks, by which all ranks choose.
call::SizeClass size_class_of(const CheckedNeighborCall& call, const AgreedSizes& agreed);

}  // namespace carpool::neighbor
