// SPDX-License-Identifier: MIT
#pragma once

#include <boost/json.hpp>

namespace cli {

/// The answer to any question, whose "command" says what it is about. Throws an exception that says
/// what is wrong with the question.
boost::json::object answer(const boost::json::object& question);

}  // namespace cli
