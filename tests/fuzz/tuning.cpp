// SPDX-License-Identifier: MIT
// Tuning files: choices can be added to every file that is understood, and are found in it.

#include "base/expects.hpp"
#include "choose/tuning_text.hpp"
#include "fuzz.hpp"
#include "refused.hpp"

using namespace carpool;

void fuzz::read(const std::string& input) {
    choose::name_of_mpi(input);
    for (const std::string mpi : {"MPICH", "Open MPI 5.0.11"})
        refuse_or([&] {
            const auto tuned = choose::tuned_in(input, mpi);
            const auto text = choose::with_choices(input, mpi, {{"barrier, 4 ranks", "tree"}});
            const auto again = choose::tuned_in(text, mpi);
            CARPOOL_EXPECTS(again.choice("barrier, 4 ranks") == "tree");
            for (const auto& [problem, taken] : tuned.choices)
                if (problem != "barrier, 4 ranks") CARPOOL_EXPECTS(again.choice(problem) == taken);
        });
}
