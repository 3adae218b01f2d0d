#pragma once

#include "call/size_learning.hpp"
#include "collectives/choice.hpp"
#include "group/binding.hpp"
#include "mpi/comm_state.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace carpool::group {

/// Plans a problem by several algorithms. Where blocks of different sizes travel through other
/// ranks these learn the sizes first, one algorithm after another.
class Plans {
public:
    /// @param tag  used only until it has ended
    Plans(std::vector<collectives::Choice> choices, const collectives::Problem& problem,
          const mpi::CommState& state, int tag);

    /// One step without waiting; true at the end.
    bool test();

    /// One for each choice. @pre ended
    std::vector<Plan> take() { return std::move(plans_); }

private:
    bool must_learn(const collectives::Choice& choice) const;
    void learn(const collectives::Choice& choice);

    std::vector<collectives::Choice> choices_;
    const collectives::Problem& problem_;
    const mpi::CommState& state_;
    int tag_;
    std::vector<Plan> plans_;
    std::optional<call::SizeLearning> learning_;  ///< for the next one
};

}  // namespace carpool::group
