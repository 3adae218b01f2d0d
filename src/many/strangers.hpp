#pragma once

#include "many/message.hpp"
#include "mpi/lane.hpp"

#include <optional>
#include <vector>

namespace carpool::many {

/// Messages of one tag from whoever writes. Nothing here waits.
class Strangers {
public:
    /// @param lane  outlives it
    Strangers(const mpi::Lane& lane, int tag) : lane_(lane), tag_(tag) {}

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

    const mpi::Lane& lane_;
    int tag_;
    std::vector<Coming> coming_;
};

}  // namespace carpool::many
