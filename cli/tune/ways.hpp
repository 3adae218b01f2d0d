#pragma once

#include "exchange.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tune {

/// A message: blocks, pieces of memory in all of them, bytes in all.
struct Message {
    int parts;
    int pieces;
    int bytes;
};

/// Each rank sends a message to the next one, in one of the ways between which a cut-off decides.
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

/// All that are worth timing on a node, or between nodes where ranks are on none together; alike on
/// all ranks, null where this rank is not among those of the level. @note Collective.
std::vector<std::unique_ptr<Way>> ways_of(const std::vector<Level>& levels);

}  // namespace tune
