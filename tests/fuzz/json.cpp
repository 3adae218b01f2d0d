// SPDX-License-Identifier: MIT
// JSON of base::Json: what is read can be written, and is read again as the same.

#include "base/json.hpp"

#include "base/expects.hpp"
#include "fuzz.hpp"
#include "refused.hpp"

void fuzz::read(const std::string& input) {
    refuse_or([&] {
        const auto text = carpool::base::Json::read(input).text();
        CARPOOL_EXPECTS(carpool::base::Json::read(text).text() == text);
    });
}
