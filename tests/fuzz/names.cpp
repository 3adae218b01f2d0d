// SPDX-License-Identifier: MIT
// Names of rules with their limits, of operations, and of digits, as settings and questions have
// them: what is read can be written, and is read again as the same.

#include "base/expects.hpp"
#include "collectives/algorithm.hpp"
#include "fuzz.hpp"
#include "routing/digits.hpp"
#include "routing/rule.hpp"
#include "schedule/operation.hpp"

using namespace carpool;

namespace {

void read_digits(const std::string& text) {
    const auto digits = routing::digits_from_text(text);
    if (!digits) return;
    const auto written = routing::text_of(*digits);
    CARPOOL_EXPECTS(routing::text_of(*routing::digits_from_text(written)) == written);
    constexpr int ranks = 100;
    if (digits->suffice(ranks)) routing::digits_of(digits->of(ranks));
}

void read_rule(const std::string& text) {
    const auto rule = routing::rule_from_text(text);
    if (!rule) return;
    const auto written = routing::text_of(*rule);
    CARPOOL_EXPECTS(routing::text_of(*routing::rule_from_text(written)) == written);
}

void read_operation(const std::string& text) {
    if (const auto operation = schedule::find_operation(text))
        CARPOOL_EXPECTS(schedule::name_of(*operation) == text);
    if (const auto kind = collectives::find_kind(text))
        CARPOOL_EXPECTS(collectives::name_of(*kind) == text);
    for (const auto kind : collectives::kinds())
        if (const auto* const found = collectives::find_algorithm(kind, text))
            CARPOOL_EXPECTS(found->name == text && found->kind == kind);
}

}  // namespace

void fuzz::read(const std::string& input) {
    read_digits(input);
    read_rule(input);
    read_operation(input);
}
