#pragma once

#include "call/bound_call.hpp"
#include "call/cache.hpp"
#include "collectives/algorithm.hpp"
#include "engine/bind.hpp"
#include "group/alike.hpp"
#include "group/arguments.hpp"
#include "group/call.hpp"
#include "group/settings.hpp"
#include "group/unsized_algorithm.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace carpool::group {

/// What a call was bound from, so that it can be bound again to other arguments.
///
/// What a rank does in a call follows from what is called, the algorithm and the root. Calls that
/// ask nobody leave out no message, so the lengths of blocks change nothing of it, but how long the
/// blocks are that rest on their way. To bind a call again costs a tenth of planning it.
class CollectiveRebinding {
public:
    /// @param unsized algorithm  by which the call goes, or null
    CollectiveRebinding(std::shared_ptr<CheckedCollective> call,
                        const collectives::Algorithm& algorithm,
                        const UnsizedAlgorithm* unsized_algorithm);

    /// May its schedule be bound again?
    bool may_rebind(const schedule::Schedule& schedule);

    /// Binds the call to these arguments; false if it cannot be, or something is wrong with them.
    /// What it was bound to before is lost either way.
    /// @pre the form of the call is theirs
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
    engine::Buffers buffers_ = {};  // memory for those that it is bound to again
};

/// Calls of one form that go by the same algorithm go by the same schedule.
/// @param by_size  calls that are not alike differ in it
call::Cache<call::BoundCall>::Form form_of(const CollectiveArguments& arguments,
                                           const KnownToAll& known, bool by_size);

/// Whose block comes to each receive slot of a call.
std::vector<int> sources_of(const collectives::Problem& problem);

}  // namespace carpool::group
