// SPDX-License-Identifier: MIT
#pragma once

#include "collective_checks.hpp"
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

/// Draws random collectives, whose types and operators it owns.
class RandomCollectives {
public:
    RandomCollectives() {
        auto of_user = user_.all();
        std::move(of_user.begin(), of_user.end(), std::back_inserter(kinds));
    }

    /// Draws a collective, as this rank of comm sees it. @param rng  in the same state on all ranks
    CollectiveCase draw(Collective what, MPI_Comm comm, std::mt19937& rng) const {
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

    static CollectiveVariant draw_variant(Collective what, std::mt19937& rng) {
        const auto algorithms = algorithms_of(what);
        CollectiveVariant variant;
        variant.algorithm = algorithms[rng() % algorithms.size()];
        variant.form = inits[rng() % std::size(inits)];
        variant.transfer = any({"auto", "pack", "types"}, rng);
        variant.requests = any({"auto", "persistent", "immediate"}, rng);
        variant.segment = any({"65536", "1", "100"}, rng);
        variant.choice = any({"auto", "model", "measure"}, rng);
        return variant;
    }

    /// Draws a variant whose algorithm applies.
    static CollectiveVariant draw_variant(const CollectiveCase& one_case, MPI_Comm comm,
                                          std::mt19937& rng) {
        while (true) {
            auto variant = draw_variant(one_case.call.what, rng);
            if (applies(variant.algorithm, one_case, size_of(comm))) return variant;
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
