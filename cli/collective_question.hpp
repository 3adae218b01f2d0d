// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/choice.hpp"
#include "collectives/problem.hpp"

#include <boost/json.hpp>

#include <string>
#include <vector>

namespace cli {

/// A question about a collective of all ranks, read from JSON:
///   {"collective": "gather 1000 root 3", "block_bytes": [100], "commutes": true,
///    "segment": 65536, "alpha": 1e-6, "beta": 1e-9, "sigma": 0, "ranks_per_core": 1,
///    "per_node": null, "algorithm": "auto", "rank": null}
/// per_node and within are as in node_question.hpp, or null for one node. Algorithms by node are
/// considered if there are several nodes. A single size in block_bytes is that of the only block,
/// or of the blocks of all ranks; a barrier has none. Throws std::invalid_argument, also for a
/// question that would take too long to plan.
class CollectiveQuestion {
public:
    explicit CollectiveQuestion(const boost::json::object& json);

    /// Algorithms that solve the problem, the simplest first.
    std::vector<const carpool::collectives::Algorithm*> applicable() const;

    /// The algorithms that the question is about: the one that is named, or all that apply.
    std::vector<const carpool::collectives::Algorithm*> algorithms() const;

    const carpool::collectives::Problem problem;
    const carpool::choose::Machine machine;
    const std::string algorithm;  ///< one that applies, or "auto"
    const int rank;               ///< the rank asked for, else the root, else 0
};

/// Whether one rank may have to move P^2 blocks, as the root of a star does.
bool is_square(carpool::collectives::Kind kind);

/// What the algorithm needs to solve the problem, such as "an operator that commutes".
/// @pre it does not apply
std::string needs(const carpool::collectives::Algorithm& algorithm,
                  const carpool::collectives::Problem& problem);

}  // namespace cli
