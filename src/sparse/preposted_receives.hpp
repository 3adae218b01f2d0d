// SPDX-License-Identifier: MIT
#pragma once

#include "engine/loose_messages.hpp"
#include "engine/transfers.hpp"
#include "sparse/pending_messages.hpp"
#include "sparse/received_message.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace carpool::sparse {

/// Messages of one tag from ranks that are known to send one each, of unknown lengths. A receive is
/// posted for the head of each, so MPI need not be probed; the tail of a longer message comes in a
/// message of its own. No function here waits.
class PrepostedReceives {
public:
    /// @param state  must outlive it
    /// @param head   bytes of each receive, the same on all ranks; least_message or more
    PrepostedReceives(const mpi::CommState& state, int tag, std::size_t head,
                      std::vector<int> sources);

    /// Posts the receives: each source is going to send a message. @pre all earlier messages have
    /// been taken
    void expect();

    /// Sends to a rank that expects it; the message begins with its length (parcel.hpp).
    void send(PendingMessages& pending, int target, std::vector<std::byte> message) const;

    /// A message that has arrived completely.
    struct CompletedMessage {
        std::size_t partner;      ///< the number of its source in the list given
        ReceivedMessage message;  ///< valid until the next expect()
    };

    /// The next completed message, or nothing.
    std::optional<CompletedMessage> completed();

private:
    /// The part of a long message that does not fit into the head.
    struct Tail {
        std::size_t partner;
        std::size_t receive;
        ReceivedMessage whole;
    };

    std::span<std::byte> head_of(std::size_t partner) const;
    std::optional<CompletedMessage> with_head_only();
    std::optional<CompletedMessage> with_tail();
    bool grows(std::size_t partner);

    const mpi::CommState& state_;
    int tag_;
    std::size_t head_;
    std::vector<int> sources_;
    std::vector<ParcelMemory> memory_;        // of the heads
    std::deque<engine::Transfer> transfers_;  // of the heads; heads_ refers to them
    engine::Transfers heads_;
    std::vector<int> ended_;     // room for the numbers of completed heads
    std::span<const int> come_;  // those of them that have not been looked at
    std::optional<engine::LooseMessages> loose_;
    std::vector<Tail> tails_;
};

}  // namespace carpool::sparse
