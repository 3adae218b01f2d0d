#pragma once

#include "engine/loose_messages.hpp"
#include "sparse/received_message.hpp"

#include <optional>
#include <vector>

namespace carpool::sparse {

/// Messages of one tag from whoever writes. Nothing here waits.
class ProbedReceives {
public:
    /// @param messages     outlive it; others of them may also be received
    /// @param synchronous  may they be?
    ProbedReceives(engine::LooseMessages& messages, int tag, bool synchronous)
        : messages_(messages), tag_(tag), synchronous_(synchronous) {}

    /// The next message that has come whole; nothing if none has. A message that has been met is
    /// received, whatever comes after it.
    std::optional<ReceivedMessage> arrived();

    /// Has all been met that has been sent? @pre nobody sends any more
    bool all_met() const { return synchronous_ || !messages_.is_behind(); }

    /// Have all messages that were met come whole?
    bool all_in() const { return coming_.empty(); }

private:
    std::optional<engine::UnexpectedMessage> next() {
        return synchronous_ ? messages_.probe(tag_) : messages_.probe_unsynchronous(tag_);
    }

    engine::LooseMessages& messages_;
    int tag_;
    bool synchronous_;
    std::vector<engine::UnexpectedMessage> coming_;
};

}  // namespace carpool::sparse
