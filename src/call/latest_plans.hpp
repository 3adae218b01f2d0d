// SPDX-License-Identifier: MIT
#pragma once

#include "base/kept_by_key.hpp"
#include "engine/preparation.hpp"

#include <cstdint>

namespace carpool::call {

/// The plans of the latest blocking and nonblocking calls on a communicator, by operation (the
/// value of its claim), for users who ask for them.
class LatestPlans : public base::KeptByKey<std::int64_t, engine::Summary> {};

}  // namespace carpool::call
