// SPDX-License-Identifier: MIT
#pragma once

#include "../graphs/graph_cases.hpp"
#include "routing/rule.hpp"

#include <vector>

namespace families {

/// The graphs of the unit tests, and more: graphs of every class on some ranks.
std::vector<NamedGraph> graphs(int ranks);

/// Options on which a rule's routes depend change with the number of ranks.
carpool::routing::RouteOptions options_for(int ranks);

}  // namespace families
