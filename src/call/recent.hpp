#pragma once

#include "call/bound_call.hpp"
#include "call/cache.hpp"

#include <memory>

namespace carpool::call {

/// The latest calls on a communicator, whose attribute it is, that ended once.
struct Recent {
    Cache<BoundCall> calls;

    static std::shared_ptr<Recent> on_dup(const std::shared_ptr<Recent>&) { return nullptr; }
    void on_free() { calls.clear(); }
};

}  // namespace carpool::call
