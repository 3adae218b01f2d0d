#pragma once

#include "call/cache.hpp"
#include "group/binding.hpp"

#include <memory>

namespace carpool::group {

/// The latest calls on a communicator, whose attribute it is, that ended once.
struct Recent {
    call::Cache<Bound> calls;

    static std::shared_ptr<Recent> on_dup(const std::shared_ptr<Recent>&) { return nullptr; }
    void on_free() { calls.clear(); }
};

}  // namespace carpool::group
