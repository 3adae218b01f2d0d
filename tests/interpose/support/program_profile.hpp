// SPDX-License-Identifier: MIT
#pragma once

#include "../checks.hpp"
#include "collective.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace interposed {

/// What a random program is like.
struct ProgramProfile {
    int calls;
    int comms;    ///< communicators at the beginning
    bool renews;  ///< whether it makes more of them
    int one_in;   ///< so many calls, at an average, has a mistake before it
    std::vector<Collective> kinds;
    std::vector<Form> forms;

    /// Half of the programs make a few kinds of calls on one communicator, more often than the 50
    /// times after which Carpool takes them by default.
    static ProgramProfile drawn(Random& random) {
        const bool narrow = random.below(2) == 0;
        const bool taken_by_default = narrow && random.below(4) != 0;
        ProgramProfile profile;
        profile.calls = narrow ? 75 + random.below(76) : 20 + random.below(131);
        profile.comms = narrow ? 1 : 1 + random.below(3);
        profile.renews = !narrow;
        profile.one_in = std::array{3, 8, 40}[std::size_t(random.below(3))];
        profile.kinds = taken_by_default
                            ? kinds_taken_by_default()
                            : std::vector(all_collectives.begin(), all_collectives.end());
        profile.forms.assign(forms_of_calls.begin(), forms_of_calls.end());
        if (narrow || random.below(3) != 0) keep_some(random, profile.kinds, narrow ? 2 : 4);
        if (random.below(3) != 0) keep_some(random, profile.forms, 2);
        return profile;
    }

private:
    static std::vector<Collective> kinds_taken_by_default() {
        using enum Collective;
        return {neighbor_alltoall,   neighbor_alltoallv, neighbor_alltoallw, neighbor_allgather,
                neighbor_allgatherv, alltoall,           alltoallv,          alltoallw};
    }

    /// Keeps between one and `most` of the values, in a random order.
    template <typename Value>
    static void keep_some(Random& random, std::vector<Value>& values, int most) {
        for (auto i = values.size(); i > 1; --i)
            std::swap(values[i - 1], values[std::size_t(random.below(int(i)))]);
        values.resize(std::size_t(1 + random.below(most)));
    }
};

}  // namespace interposed
