#pragma once

#include "call/bound_call.hpp"
#include "call/cache.hpp"
#include "collectives/algorithm.hpp"
#include "engine/bind.hpp"
#include "ordinary/arguments.hpp"
#include "ordinary/call.hpp"
#include "ordinary/known_to_all.hpp"
#include "ordinary/settings.hpp"
#include "ordinary/unsized_algorithm.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace carpool::ordinary {

/// What a call was bound from, so that it can be bound again to other arguments.
///
/// What a rank does in a call follows from the operation, the algorithm and the root. Calls without
/// a vote leave out no message, so the lengths of blocks change nothing in the schedule except how
/// long the blocks are that are forwarded. Binding a call again costs a tenth of planning it.
class CollectiveRebinding {
public:
    /// @param unsized_algorithm  that the call uses, or null
    CollectiveRebinding(std::shared_ptr<CheckedCollective> call,
                        const collectives::Algorithm& algorithm,
                        const UnsizedAlgorithm* unsized_algorithm);

    /// True if the schedule can be bound again.
    bool may_rebind(const schedule::Schedule& schedule);

    /// Binds the call to these arguments; returns false if that is not possible, or if an argument
    /// is wrong. Either way, the call loses what it was bound to before.
    /// @pre the arguments have the form of the call
    bool rebind(call::BoundCall& bound, const CollectiveArguments& arguments,
                const CollectiveSettings& settings);

private:
    bool is_like(const collectives::Problem& problem, const CollectiveSettings& settings) const;
    void find_temp_bytes();
    bool all_ride() const;

    std::shared_ptr<CheckedCollective> call_;
    const collectives::Algorithm* algorithm_;
    const UnsizedAlgorithm* unsized_algorithm_;
    int pieces_;
    std::vector<int> temp_blocks_;  // as in the schedule
    std::vector<std::int64_t> temp_bytes_;
    engine::Buffers buffers_ = {};  // memory for binding the call again
};

/// The form of a call: calls with the same form and the same algorithm have the same schedule.
/// @param by_size  true if the digests of the calls count, too
call::Cache<call::BoundCall>::Form form_of(const CollectiveArguments& arguments,
                                           const KnownToAll& known, bool by_size);

/// The rank whose block arrives in each receive slot of a call.
std::vector<int> sources_of(const collectives::Problem& problem);

}  // namespace carpool::ordinary
