// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.hpp"
#include "call/bound_call.hpp"
#include "engine/bind.hpp"
#include "ghosts/ghost_map.hpp"
#include "neighbor/ghosts/ghost_call.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace carpool::neighbor {

/// The arguments and buffers to which a call on a map is bound.
struct GhostBinding {
    const ghosts::GhostMap* map;
    CheckedGhostCall call;
    engine::Buffers buffers;

    /// Fills the bound call with the arrays of another one; returns false, and changes nothing, if
    /// they lie elsewhere than its own, on a GPU or not. Local. @pre of the same form
    bool fill(call::BoundCall& bound, CheckedGhostCall other);
};

/// The blocking and nonblocking calls on a map that were bound to arrays. A later call with the
/// same arrays starts one again. Once there are a few, a call with new arrays takes one of the same
/// form. All this is local: it changes no message.
///
/// The thread that makes the calls finds and fills them; keep() may be called by another one, which
/// progresses an earlier call.
class KeptGhostCalls {
public:
    /// A call with these arguments that no request uses; null if there is none, or if an argument
    /// is wrong.
    /// @param owned   the number of entries in each array of owned values
    /// @param ghosts  the number of entries in each array of ghosts
    std::shared_ptr<call::BoundCall> find(const GhostArguments& arguments, std::int64_t owned,
                                          std::int64_t ghosts);

    /// Keeps a call. If there are many, drops the one that has not been used for longest.
    /// @pre BoundCall::read is a GhostBinding
    void keep(std::shared_ptr<call::BoundCall> call);

private:
    using Calls = std::vector<std::shared_ptr<call::BoundCall>>;

    std::shared_ptr<call::BoundCall> with_arrays(const GhostArguments& arguments);
    std::shared_ptr<call::BoundCall> taken_with_form(const GhostArguments& arguments);

    base::Mutex mutex_;
    Calls kept_;  // the one used last comes last
};

}  // namespace carpool::neighbor
