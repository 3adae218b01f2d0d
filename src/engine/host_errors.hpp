#pragma once

namespace carpool::engine {

/// What a callback of a generalized request returns as an error, MPI raises on a communicator that
/// has nothing to do with it: MPI_COMM_SELF, or MPI_COMM_WORLD before MPI 4. The error has been
/// raised already then, on the communicator of the exchange, so that what that one's handler says
/// is done, and once.
class HostErrors {
public:
    /// Lets the MPI call that this thread is in return its error and do nothing else about it.
    static void only_return();

    /// Puts the user's handlers back; nothing if this thread has changed none. To be called from
    /// where MPI or Carpool are entered next.
    static void restore() {
        if (changed_) put_back();
    }

private:
    static void put_back();
    static inline thread_local constinit bool changed_ = false;
};

}  // namespace carpool::engine
