// SPDX-License-Identifier: MIT
#include "report/note_made.hpp"

#include "mpi/attribute.hpp"
#include "mpi/comm/in_use.hpp"
#include "mpi/error.hpp"
#include "report/comm_label.hpp"
#include "report/profile.hpp"
#include "report/report.hpp"

#include <memory>
#include <string>

namespace carpool::report {

/// If it cannot be noted, the report does without.
void note_made(const char* function, MPI_Comm parent, MPI_Comm made) {
    if (made == MPI_COMM_NULL || !report_is_asked || !mpi::in_use(made)) return;
    auto* const profile = Profile::wanted();
    if (profile == nullptr) return;
    mpi::mistake_in([&] {
        const auto what = std::string(function) + " of " + label_of(parent).one;
        const CommOrigin origin{"the " + ordinal(profile->number_of_making(what)) + " " + what};
        mpi::Attribute<CommOrigin>::attach(made, std::make_shared<CommOrigin>(origin));
    });
}

}  // namespace carpool::report
