#pragma once

#include "mpi/comm_state.hpp"
#include "routing/program.hpp"

#include <mpi.h>

#include <utility>

namespace carpool::engine {

/// Where the letters of a bulk-synchronous program travel.
struct SuperstepComm {
    /// @note Collective over the communicator, whose state this is.
    /// @pre the state is ready, and outlives it
    SuperstepComm(mpi::CommState& comm_state, MPI_Comm user_comm)
        : SuperstepComm(comm_state, user_comm, comm_state.next_turn().tag) {}

    mpi::CommState& state;
    MPI_Comm comm;  ///< the user's, for the board: its calls have one order
    int tags[2];    ///< of letters: a rank may be one superstep ahead of another

private:
    SuperstepComm(mpi::CommState& comm_state, MPI_Comm user_comm, int tag)
        : state(comm_state), comm(user_comm), tags{tag, tag + 1} {}
};

/// Brings the mail of one superstep. Nobody knows who will write: letters are sent synchronously,
/// and a nonblocking allreduce, which carries the board too, says when all have been received (the
/// nonblocking consensus of Hoefler, Siebert and Lumsdaine, 2010). Progresses this process'
/// activities meanwhile. @note Collective
routing::Mail carried(routing::Mail said, const SuperstepComm& comm, int tag);

/// Runs this rank's program together with those of all others. @note Collective
template <typename T>
T run(routing::Program<T> program, const SuperstepComm& comm) {
    routing::Conversation conversation;
    program.join(conversation);
    conversation.waiting.resume();
    for (int step = 0; !program.ended(); ++step) {
        conversation.heard = carried(std::move(conversation.said), comm, comm.tags[step % 2]);
        conversation.waiting.resume();
    }
    return program.take();
}

}  // namespace carpool::engine
