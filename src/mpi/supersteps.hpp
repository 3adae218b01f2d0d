#pragma once

#include "routing/program.hpp"

#include <mpi.h>

#include <functional>
#include <utility>

namespace carpool::mpi {

/// Where the letters of a bulk-synchronous program travel.
struct SuperstepComm {
    MPI_Comm voters;   ///< the user's communicator, for the board: its calls have one order
    MPI_Comm letters;  ///< a private one, whose errors are returned
    int tags[2];       ///< unused on it: a rank may be one superstep ahead of another
    std::function<int(int)> to_letters;    ///< a rank of voters in letters
    std::function<int(int)> from_letters;  ///< and back
    std::function<void()> idle;            ///< called while there is nothing to do but wait
};

/// Brings the mail of one superstep. Nobody knows who will write: letters are sent synchronously,
/// and a nonblocking allreduce, which carries the board too, says when all have been received (the
/// nonblocking consensus of Hoefler, Siebert and Lumsdaine, 2010). @note Collective
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

}  // namespace carpool::mpi
