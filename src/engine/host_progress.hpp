// SPDX-License-Identifier: MIT
#pragma once

namespace carpool::engine {

/// Calls a step of this process again and again while the user is outside Carpool: the host MPI's
/// own progress calls it, from within any MPI call, or a thread of Carpool.
///
/// CARPOOL_PROGRESS in the environment says by which: host (the default), thread (if MPI allows
/// several threads, else host) or none.
class HostProgress {
public:
    /// The result of a step.
    enum class StepOutcome {
        none_left,   ///< nothing is left to do: the step is not called again
        waits,       ///< nothing has ended
        some_ended,  ///< something has ended: the user may go on
    };

    /// The function that is called. Must not throw.
    using Step = StepOutcome (*)();

    /// From now on the step is called, until it returns none_left: by any thread, by several at the
    /// same time. Returns false if nothing on this system can call it.
    /// @pre it is not being called
    static bool begin(Step step);

    /// Whether begin() would succeed. Throws MPI_ERR_ARG, at every call, if CARPOOL_PROGRESS has
    /// none of these values: must be called before anything that may need progress.
    static bool available();

    /// Ends the thread, if there is one. @pre no step is called any more
    static void finish();
};

}  // namespace carpool::engine
