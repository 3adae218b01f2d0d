// SPDX-License-Identifier: MIT
#pragma once

namespace carpool::engine {

/// If a callback of a generalized request returns an error, MPI raises it on a communicator that
/// has nothing to do with it: MPI_COMM_SELF, or MPI_COMM_WORLD before MPI 4. By then Carpool has
/// raised it on the communicator of the exchange. This class keeps MPI from raising it again, so
/// that only the handler of that communicator is called, and once. In a program by sessions
/// alone there are no such communicators, and MPI ends it.
class HostErrors {
public:
    /// Makes the MPI call that this thread is in return its error and do nothing else about it.
    /// Returns false if that is not possible.
    static bool only_return();

    /// Puts the user's handlers back; does nothing if this thread has changed none. Called where
    /// MPI or Carpool is entered next.
    static void restore() {
        if (changed_) put_back();
    }

private:
    static void put_back();
    static inline thread_local constinit bool changed_ = false;
};

}  // namespace carpool::engine
