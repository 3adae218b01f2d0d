// SPDX-License-Identifier: MIT
// Questions to the planner of the command `carpool`, in JSON.

#include "base/expects.hpp"
#include "dispatch.hpp"
#include "fuzz.hpp"
#include "refused.hpp"
#include "small_question.hpp"

#include <boost/json.hpp>

namespace json = boost::json;

void fuzz::read(const std::string& input) {
    refuse_or<std::exception>([&] {
        const auto question = json::parse(input).as_object();
        if (!is_small(question)) return;
        const auto text = json::serialize(cli::answer(question));
        CARPOOL_EXPECTS(!text.empty());
    });
}
