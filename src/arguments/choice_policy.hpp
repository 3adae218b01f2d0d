// SPDX-License-Identifier: MIT
#pragma once

namespace carpool::arguments {

/// How the candidate of a call is chosen.
enum class ChoicePolicy {
    model,      ///< by costs
    automatic,  ///< by costs or, if several candidates cost about the same, by a measurement
    measure,    ///< by measuring all candidates in each _init and each kind of blocking call
    host,       ///< the host MPI's collective if it has one, else by costs
};

}  // namespace carpool::arguments
