#pragma once

namespace carpool::arguments {

/// Who says by which candidate a call is done.
enum class ChosenBy {
    model,      ///< costs
    automatic,  ///< costs; where they leave several near each other, a measurement in a meeting
    measure,    ///< a measurement of all candidates in each _init and each kind of blocking call
    host,       ///< MPI's own collective does it, where it has one; else costs
};

}  // namespace carpool::arguments
