// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

namespace carpool::base {

/// A function that is called with one rank after the other. Made of std::ref(lambda), it allocates
/// nothing.
using RankVisitor = std::function<void(int)>;

}  // namespace carpool::base
