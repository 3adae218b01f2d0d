// SPDX-License-Identifier: MIT
#pragma once

#include "choose/machine.hpp"
#include "halo/domain.hpp"
#include "node_question.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <boost/json.hpp>

#include <cstdint>
#include <string>

namespace cli {

/// A question about the halo of an array of which all ranks own equal parts, read from JSON:
///   {"grid": "torus 4x4x4", "stencil": "moore 3 1",
///    "halo": {"shape": [64, 64, 64], "width": null, "element_bytes": 8},
///    "alpha": 1e-6, "beta": 1e-9, "sigma": 0, "ports": 1, "algorithm": "auto", "rank": null}
/// and, if nodes are distinguished, what NodeQuestion reads. The shape is that of a rank's own
/// cells. Without a width the halo is as wide as the stencil reaches. Throws std::invalid_argument.
struct HaloQuestion {
    explicit HaloQuestion(const boost::json::object& json);

    carpool::halo::Domain domain;
    carpool::topology::Neighborhood stencil;  ///< the cells that are read for one
    carpool::topology::Neighborhood hops;     ///< by which the halo arrives
    std::int64_t element_bytes;
    carpool::choose::CostModel model;
    NodeQuestion nodes;
    std::string algorithm;
    int rank;
};

/// Compares the rules that can carry the halo.
boost::json::object explain(const HaloQuestion& question);

}  // namespace cli
