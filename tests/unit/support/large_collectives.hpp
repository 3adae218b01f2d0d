// SPDX-License-Identifier: MIT
#pragma once

#include "collective_checks.hpp"

#include <cstdint>

namespace collective_ranks {

/// Checks every algorithm once, with an operator that commutes and, if allowed, with one that does
/// not. Algorithms of P^2 messages take minutes on many ranks; make nightly runs them too.
inline void check_all(int ranks, std::int64_t otherwise) {
    const auto most_messages = static_cast<std::int64_t>(
        number_from_environment("CARPOOL_MOST_MESSAGES", static_cast<std::uint64_t>(otherwise)));
    for (const auto kind : carpool::collectives::kinds())
        for (const auto& a : carpool::collectives::algorithms(kind))
            for (const bool commutes : {true, false}) {
                auto problem = equal_blocks(kind, ranks, 8 * 1024);
                problem.root = has_root(kind) ? ranks / 3 : 0;
                problem.commutes = commutes;
                problem.segment = 1024;
                if ((commutes || reduces(kind)) && a.applies(problem) &&
                    a.messages(problem) <= most_messages)
                    check(a, {problem});
            }
}

}  // namespace collective_ranks
