#pragma once

#include "routing/plan.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <span>
#include <string_view>

namespace carpool::routing {

/// Says through which ranks blocks travel. Everything else is shared by all rules.
///
/// A plan is relative to its origin and alike on all ranks. The grid says where dimensions wrap
/// around, so that routes never leave a mesh; most rules have no need of it.
struct Rule {
    std::string_view name;
    std::string_view summary;
    bool automatic;  ///< a candidate of "auto"; no rule that another one always beats
    Plan (*plan)(const topology::Grid&, const topology::Neighborhood&, Pattern);
};

/// All rules, the simplest first. A new rule is one file and one line in registry.cpp.
std::span<const Rule* const> rules();

/// The rule of that name, or null.
const Rule* find_rule(std::string_view name);

extern const Rule direct;
extern const Rule torus;
extern const Rule cartesian;
extern const Rule basis;

}  // namespace carpool::routing
