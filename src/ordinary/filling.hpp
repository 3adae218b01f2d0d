#pragma once

#include "agree/typed_memory.hpp"
#include "call/bound_call.hpp"
#include "call/kept_calls.hpp"
#include "collectives/algorithm.hpp"
#include "engine/bind.hpp"
#include "ordinary/arguments.hpp"
#include "ordinary/call.hpp"
#include "ordinary/unsized_algorithm.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace carpool::ordinary {

/// Fills a bound call with other arguments of its form.
///
/// What a rank does in a call follows from the operation, the algorithm and the root. Calls without
/// a vote leave out no message, so the lengths of blocks change nothing in the schedule except how
/// long the blocks are that are forwarded.
class CollectiveFilling {
public:
    /// @param call  to which the call is bound at first
    /// @param unsized_algorithm  that the call uses, or null
    CollectiveFilling(std::shared_ptr<CheckedCollective> call,
                      const collectives::Algorithm& algorithm,
                      const UnsizedAlgorithm* unsized_algorithm);

    /// True if the schedule can be filled with blocks of other lengths.
    bool may_fill(const schedule::Schedule& schedule);

    /// True if the call is bound to just these arguments.
    bool is_bound_to(const CheckedCollective& arguments) const;

    /// Fills the call; returns false if the arguments need other messages. The call takes the
    /// memory of the blocks, and leaves its own in their place.
    /// @pre the arguments have the form of the call
    bool fill(call::BoundCall& bound, CheckedCollective& arguments);

private:
    void find_temp_bytes(const collectives::Problem& problem);
    bool all_ride(const agree::CollectiveBlocks& blocks) const;

    std::shared_ptr<CheckedCollective> call_;
    const collectives::Algorithm* algorithm_;
    const UnsizedAlgorithm* unsized_algorithm_;
    int pieces_;
    bool fills_ = false;            // the schedule serves blocks of other lengths
    bool bound_ = true;             // buffers_ has what the exchange is bound to
    std::vector<int> temp_blocks_;  // as in the schedule
    std::vector<std::int64_t> temp_bytes_;
    engine::Buffers buffers_ = {};
    agree::TypedMemory copies_ = {};
};

/// The form of a call. Local.
call::CallForm form_of(const CollectiveArguments& arguments);

/// The class of the sizes of a call's blocks, by which all ranks choose. Calls of one class have
/// blocks whose sizes are within a factor of two.
/// @param preferred  the algorithm that the environment prefers applies to them
call::SizeClass size_class_of(const CheckedCollective& call, bool preferred);

/// The rank whose block arrives in each receive slot of a call.
std::vector<int> sources_of(const collectives::Problem& problem);

}  // namespace carpool::ordinary
