// SPDX-License-Identifier: MIT
#pragma once

#include "agree/typed_memory.hpp"
#include "call/bound_call.hpp"
#include "call/filler.hpp"
#include "call/kept_calls.hpp"
#include "collectives/algorithm.hpp"
#include "ordinary/arguments.hpp"
#include "ordinary/call.hpp"
#include "ordinary/unsized_algorithm.hpp"
#include "schedule/schedule.hpp"

#include <memory>
#include <vector>

namespace carpool::ordinary {

/// Fills ordinary collectives.
class CollectiveFiller : public call::CallFiller {
public:
    /// @param call  whose blocks the exchange is bound to at first
    /// @param unsized_algorithm  that the call uses, or null
    CollectiveFiller(std::shared_ptr<CheckedCollective> call,
                     const collectives::Algorithm& algorithm,
                     const UnsizedAlgorithm* unsized_algorithm);

    /// As CallFiller::take_schedule().
    bool take_schedule(const schedule::Schedule& schedule) {
        return CallFiller::take_schedule(schedule, false);
    }

    /// Never true of a call that is cut into pieces, since its buffers are these.
    bool is_bound_to(const CheckedCollective& arguments) const {
        return pieces_ == 1 &&
               CallFiller::is_bound_to(arguments.blocks.send, arguments.blocks.recv);
    }

    /// Fills the call; returns false if the arguments need other messages. The call takes the
    /// memory of the blocks, and leaves its own in their place.
    /// @pre the arguments have the form of the call
    bool fill(call::BoundCall& bound, CheckedCollective& arguments);

private:
    void find_temp_bytes(const collectives::Problem& problem);

    std::shared_ptr<CheckedCollective> call_;  // owns the copies to which it is bound at first
    const collectives::Algorithm* algorithm_;
    int pieces_;
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
