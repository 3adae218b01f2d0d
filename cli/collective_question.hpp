#pragma once

#include "collectives/choice.hpp"
#include "collectives/problem.hpp"

#include <boost/json.hpp>

#include <string>
#include <vector>

namespace cli {

/// What is asked about a collective of all ranks, read from JSON:
///   {"collective": "gather 1000 root 3", "block_bytes": [100], "commutes": true,
///    "segment": 65536, "alpha": 1e-6, "beta": 1e-9, "sigma": 0, "ranks_per_core": 1,
///    "per_node": null, "algorithm": "auto", "rank": null}
/// per_node, and within, are as in node_question.hpp, or null for one node: algorithms that go by
/// nodes are told of where there are several.
/// One size in block_bytes is that of the one block that there is, or of the blocks of all ranks; a
/// barrier has none. Throws std::invalid_argument, also for what would take too long to plan.
class CollectiveQuestion {
public:
    explicit CollectiveQuestion(const boost::json::object& json);

    /// Algorithms that solve the problem, the simplest first.
    std::vector<const carpool::collectives::Algorithm*> applicable() const;

    /// Algorithms that the question is about: the one that is named, or all that apply.
    std::vector<const carpool::collectives::Algorithm*> algorithms() const;

    const carpool::collectives::Problem problem;
    const carpool::choose::Machine machine;
    const std::string algorithm;  ///< which applies, or "auto"
    const int rank;               ///< the root unless one was asked for, or 0
};

/// May one rank alone have to move P^2 blocks, as the root of a star does?
bool is_square(carpool::collectives::Kind kind);

/// What the algorithm needs to solve the problem, such as "an operator that commutes".
/// @pre it does not apply
std::string needs(const carpool::collectives::Algorithm& algorithm,
                  const carpool::collectives::Problem& problem);

}  // namespace cli
