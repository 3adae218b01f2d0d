// SPDX-License-Identifier: MIT
#pragma once

#include "engine/loose_messages.hpp"
#include "sparse/received_message.hpp"

#include <optional>
#include <vector>

namespace carpool::sparse {

/// Messages of one tag from any rank. No function here waits.
class ProbedReceives {
public:
    /// @param messages     must outlive it; other messages may be received by them, too
    /// @param synchronous  whether messages of this tag may be synchronous
    ProbedReceives(engine::LooseMessages& messages, int tag, bool synchronous)
        : messages_(messages), tag_(tag), synchronous_(synchronous) {}

    /// The next message that has arrived completely, or nothing. Each message that has been probed
    /// is received, whatever follows it.
    std::optional<ReceivedMessage> arrived();

    /// Whether all messages that were sent have been probed. @pre no rank sends any more
    bool all_probed() const { return synchronous_ || !messages_.is_behind(); }

    /// Whether all messages that were probed have arrived completely.
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
