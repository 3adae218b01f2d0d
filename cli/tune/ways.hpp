// SPDX-License-Identifier: MIT
#pragma once

#include "exchange.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tune {

/// A message: its blocks, and the contiguous pieces and the bytes of all blocks together.
struct Message {
    int parts;
    int pieces;
    int bytes;
};

/// Each rank sends a message to the next one, by one of the transports between which a cut-off
/// decides.
class Way : public Exchange {
public:
    /// @param name  memory, whole, packed or typed: through memory, or by MPI as one piece, packed,
    ///              or by a datatype
    Way(const Level& level, std::string name, const Message& message);

    const std::string& name() const { return name_; }
    const Message& message() const { return message_; }

private:
    std::string name_;
    Message message_;
};

/// All exchanges worth timing: on a node or, if each rank is on a node of its own, between nodes.
/// The same on all ranks; null if this rank is not in the communicator of the level.
/// @note Collective.
std::vector<std::unique_ptr<Way>> ways_of(const std::vector<Level>& levels);

}  // namespace tune
