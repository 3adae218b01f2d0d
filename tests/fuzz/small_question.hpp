// SPDX-License-Identifier: MIT
#pragma once

#include <boost/json.hpp>

namespace fuzz {

/// Is the question answered soon, and does it name no file? Others are left out: they are no
/// mistakes.
bool is_small(const boost::json::object& question);

}  // namespace fuzz
