#pragma once

namespace carpool::engine {

/// Lets a step of this process be taken again and again while the user is not inside Carpool: by
/// the host's own progress, from within any MPI call, or by a thread of ours.
///
/// CARPOOL_PROGRESS in the environment says by which: host (the default), thread (where MPI allows
/// several threads, else by the host) or none.
class HostProgress {
public:
    /// What a step has come to.
    enum class Stepped {
        none_left,   ///< nothing was left to do: said once, it is not called again
        waits,       ///< nothing has ended
        some_ended,  ///< the user may go on
    };

    /// What is called. Must not throw.
    using Step = Stepped (*)();

    /// Lets the step be called from now on, until it answers none_left, by any thread, several at
    /// the same time. False if nothing here can call it. @pre it is not being called
    static bool begin(Step step);

    /// Would begin() find someone? Throws MPI_ERR_ARG, until it is right, if CARPOOL_PROGRESS is
    /// none of these: to be called before anything that may need it.
    static bool available();

    /// Ends the thread, if there is one. @pre no step is called any more
    static void finish();
};

}  // namespace carpool::engine
