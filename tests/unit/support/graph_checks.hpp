// SPDX-License-Identifier: MIT
#pragma once

#include "graph_exchange.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

/// Checks that every rule for graphs delivers every block. @param what  names the case in a failure
inline void check_every_rule(const GraphExchange& exchange, const std::string& what) {
    for (const auto* rule : carpool::routing::graph_rules()) {
        const auto complaints = exchange.complaints(*rule);
        BOOST_TEST(complaints.empty(), what << ", " << rule->name << ", "
                                            << carpool::schedule::name_of(exchange.operation)
                                            << ": " << joined(complaints));
    }
}
