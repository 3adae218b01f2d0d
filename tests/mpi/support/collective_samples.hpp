// SPDX-License-Identifier: MIT
#pragma once

#include "collective_trial.hpp"
#include "moving.hpp"
#include "predefined_operators.hpp"
#include "summing.hpp"
#include "user_operators.hpp"
#include "world.hpp"

#include <deque>
#include <iterator>
#include <random>
#include <vector>

namespace carpool::tests {

/// Draws random collectives. They live no longer than the samples.
class CollectiveSamples {
public:
    CollectiveSamples() {
        auto of_user = user_.all();
        std::move(of_user.begin(), of_user.end(), std::back_inserter(kinds));
    }

    /// Draws a scenario, as this rank of comm sees it. @param rng  in the same state on all ranks
    Scenario draw(Collective what, MPI_Comm comm, std::mt19937& rng) const {
        const int ranks = size_of(comm), root = static_cast<int>(rng() % 1024u) % ranks;
        const int count = any({0, 1, 3, 3, 40, 200}, rng);
        const bool in_place = may_be_in_place(what) && rng() % 3 == 0;
        const bool irregular = is_irregular(what) && rng() % 3 != 0;
        const auto seed = static_cast<unsigned>(rng() % 100000);
        if (reduces(what))
            return summing(
                {what, ranks, root, in_place, irregular, count, kinds[rng() % kinds.size()], seed},
                rank_in(comm));
        return moving({what, ranks, root, in_place, irregular, count,
                       &families[rng() % families.size()], seed},
                      rank_in(comm));
    }

    static Manner draw_manner(Collective what, std::mt19937& rng) {
        const auto algorithms = algorithms_of(what);
        Manner manner;
        manner.algorithm = algorithms[rng() % algorithms.size()];
        manner.form = inits[rng() % std::size(inits)];
        manner.transfer = any({"auto", "pack", "types"}, rng);
        manner.requests = any({"auto", "persistent", "immediate"}, rng);
        manner.segment = any({"65536", "1", "100"}, rng);
        manner.choice = any({"auto", "model", "measure"}, rng);
        return manner;
    }

    /// Draws a manner whose algorithm applies.
    static Manner draw_manner(const Scenario& scenario, MPI_Comm comm, std::mt19937& rng) {
        while (true) {
            auto manner = draw_manner(scenario.call.what, rng);
            if (applies(manner.algorithm, scenario, size_of(comm))) return manner;
        }
    }

    std::deque<TypeFamily> families = type_families();
    std::vector<Kind> kinds = PredefinedOperators::all();

private:
    template <class Value>
    static Value any(std::initializer_list<Value> values, std::mt19937& rng) {
        return values.begin()[rng() % values.size()];
    }

    UserOperators user_;
};

}  // namespace carpool::tests
