#pragma once

#include "mpi/comm_state.hpp"
#include "sparse/received_message.hpp"

#include <optional>
#include <vector>

namespace carpool::sparse {

/// Messages of one tag from whoever writes. Nothing here waits.
class ProbedReceives {
public:
    /// @param state  outlives it
    ProbedReceives(const mpi::CommState& state, int tag) : state_(state), tag_(tag) {}

    /// The next message that has come whole; nothing if none has. Once met, a message is taken in
    /// whatever else comes.
    std::optional<Message> arrived();

    /// Is none that has been met still coming in?
    bool all_in() const { return coming_.empty(); }

private:
    struct Coming {
        Message message;
        mpi::Request request = {};
    };

    void meet();

    const mpi::CommState& state_;
    int tag_;
    std::vector<Coming> coming_;
};

}  // namespace carpool::sparse
