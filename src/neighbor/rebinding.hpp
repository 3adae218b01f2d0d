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

/// The form of a call: calls of one form can be bound again to each other's arguments. Local.
std::uint64_t form_of(const CheckedNeighborCall& call, const Agreed& agreed);

/// What a call was bound from, so that it can be bound again to the arguments of a call with the
/// same digest. Both calls use the same schedule, whatever their sizes. Either only the two ends of
/// an edge know the sizes: then no message is left out, and no block is stored on its way unless
/// messages have length headers. Or all blocks have the same size.
class NeighborRebinding {
public:
    /// @param unsized_route  by which blocks are forwarded, or null
    /// @param sources  the rank whose block arrives in each receive slot, if messages may differ in
    /// length
    NeighborRebinding(const UnsizedRoute* unsized_route, std::vector<int> sources);

    /// True if the schedule can be bound again.
    bool may_rebind(const schedule::Schedule& schedule, const Agreed& agreed);

    /// Binds the schedule to the buffers of a call, which is not needed afterwards. Returns false
    /// if that is not possible.
    bool rebind(call::BoundCall& bound, CheckedNeighborCall& call, const Agreed& agreed);

private:
    bool fits(const CheckedNeighborCall& call, const Agreed& agreed) const;

    const UnsizedRoute* unsized_route_;
    std::vector<std::int64_t> temp_bytes_;
    engine::Buffers buffers_ = {};
};

}  // namespace carpool::neighbor
