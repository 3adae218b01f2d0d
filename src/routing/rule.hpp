#pragma once

#include "routing/plan.hpp"
#include "topology/neighborhood.hpp"

#include <span>
#include <string_view>

namespace carpool::routing {

/// Says through which ranks blocks travel. Everything else is shared by all rules.
struct Rule {
    std::string_view name;
    std::string_view summary;
    bool automatic;  ///< a candidate of "auto"; no rule that another one always beats
    Plan (*plan)(const topology::Neighborhood&, Pattern);
};

/// All rules, the simplest first. A new rule is one file and one line in registry.cpp.
std::span<const Rule* const> rules();

/// The rule of that name, or null.
const Rule* find_rule(std::string_view name);

extern const Rule direct;
extern const Rule torus;
extern const Rule cartesian;

}  // namespace carpool::routing
