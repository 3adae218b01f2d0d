#pragma once

#include "call/bound_call.hpp"
#include "engine/bind.hpp"
#include "neighbor/call.hpp"
#include "neighbor/known_sizes.hpp"
#include "neighbor/routes.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace carpool::neighbor {

/// A digest of what all ranks know of a call. Those with the same are alike: their blocks have
/// sizes within a factor of two, or sizes that only pairs of ranks know.
std::uint64_t digest_of(const CheckedNeighborCall& call, const Agreed& agreed);

/// What a call was bound from, so that it can be bound again to the arguments of one that is alike.
/// Both go by the same schedule, whatever their sizes: either only the two ends of an edge know
/// these, and then no message is left out and none rests on its way; or all blocks are alike.
class NeighborRebinding {
public:
    /// @param unsized route  by which blocks rest on their way, or null
    /// @param sources  whose block comes to each receive slot, where messages may have other
    /// lengths
    NeighborRebinding(const UnsizedRoute* unsized_route, std::vector<int> sources);

    /// May its schedule be bound again?
    bool may_rebind(const schedule::Schedule& schedule, const Agreed& agreed);

    /// Binds it to what a call says, which is not needed afterwards; false if that cannot be.
    bool rebind(call::BoundCall& bound, CheckedNeighborCall& call, const Agreed& agreed);

private:
    bool fits(const CheckedNeighborCall& call, const Agreed& agreed) const;

    const UnsizedRoute* unsized_route_;
    std::vector<std::int64_t> temp_bytes_;
    engine::Buffers buffers_ = {};
};

}  // namespace carpool::neighbor
