#pragma once

#include "call/bound_call.hpp"
#include "call/kept_calls.hpp"
#include "engine/bind.hpp"
#include "neighbor/call.hpp"
#include "neighbor/known_sizes.hpp"
#include "neighbor/routes.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace carpool::neighbor {

/// Fills a bound call with other arguments of its form.
///
/// What a rank does in a call follows from the operation and the routes. Calls without a vote leave
/// out no message, so the lengths of blocks change nothing in the schedule except how long the
/// blocks are that are forwarded.
class NeighborFilling {
public:
    /// @param topology  along whose edges the call goes
    /// @param call  to which it is bound at first
    /// @param unsized_route  by which blocks are forwarded, or null
    /// @param sources  the rank whose block arrives in each receive slot, if messages may differ in
    /// length
    NeighborFilling(std::shared_ptr<const Topology> topology, const CheckedNeighborCall& call,
                    const UnsizedRoute* unsized_route, std::vector<int> sources);

    const Topology& topology() const { return *topology_; }

    /// True if the schedule can be filled with blocks of other lengths.
    bool may_fill(const schedule::Schedule& schedule, const Agreed& agreed);

    /// True if the call is bound to just these arguments.
    bool is_bound_to(const CheckedNeighborCall& arguments) const;

    /// Fills the call; returns false if the arguments need other messages. The call takes the
    /// memory of the blocks, and leaves its own in their place.
    /// @pre the arguments have the form of the call
    bool fill(call::BoundCall& bound, CheckedNeighborCall& arguments, const Agreed& agreed);

private:
    void find_temp_bytes(std::span<const std::int64_t> block_bytes);
    bool all_ride(const engine::Buffers& blocks) const;

    std::shared_ptr<const Topology> topology_;
    const UnsizedRoute* unsized_route_;
    bool fills_ = false;            // the schedule serves blocks of other lengths
    bool bound_ = true;             // buffers_ has what the exchange is bound to
    std::vector<int> temp_blocks_;  // as in the schedule
    std::vector<std::int64_t> temp_bytes_;
    engine::Buffers buffers_ = {};
};

/// What fills a call that was kept.
inline NeighborFilling& filling_of(const call::BoundCall& call) {
    return *static_cast<NeighborFilling*>(call.read.get());
}

/// The form of a call. Local.
call::CallForm form_of(const NeighborArguments& arguments);

/// The class of the sizes of a call's blocks, by which all ranks choose.
call::SizeClass size_class_of(const CheckedNeighborCall& call, const Agreed& agreed);

}  // namespace carpool::neighbor
