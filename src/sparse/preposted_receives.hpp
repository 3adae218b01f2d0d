#pragma once

#include "engine/loose_messages.hpp"
#include "engine/transfers.hpp"
#include "sparse/pending_messages.hpp"
#include "sparse/received_message.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace carpool::sparse {

/// Messages of one tag from ranks that are known to write one each, of lengths that are not known:
/// memory for the head waits for it, so MPI need not be asked what has come, and what is longer
/// has its tail in a message of its own. Nothing here waits.
class PrepostedReceives {
public:
    /// @param state  outlives it
    /// @param head   bytes for which memory waits, alike for all ranks; least_message or more
    PrepostedReceives(const mpi::CommState& state, int tag, std::size_t head,
                      std::vector<int> sources);

    /// Each of them will write. @pre all that they have written before has been taken
    void expect();

    /// To a rank that expects it; its first bytes say how long it is (parcel.hpp).
    void send(PendingMessages& pending, int target, std::vector<std::byte> message) const;

    /// A message that has come whole.
    struct Completed {
        std::size_t partner;      ///< as given, from 0 on
        ReceivedMessage message;  ///< lent until they are expected again
    };

    /// The next one; nothing if none has come.
    std::optional<Completed> completed();

private:
    /// The part of a long message that does not fit into the head.
    struct Tail {
        std::size_t partner;
        std::size_t receive;
        ReceivedMessage whole;
    };

    std::span<std::byte> head_of(std::size_t partner) const;
    std::optional<Completed> with_head_only();
    std::optional<Completed> with_tail();
    bool grows(std::size_t partner);

    const mpi::CommState& state_;
    int tag_;
    std::size_t head_;
    std::vector<int> sources_;
    std::vector<ParcelMemory> memory_;  // of the heads
    engine::Transfers heads_;
    std::vector<int> ended_;     // room for the heads that have come
    std::span<const int> come_;  // of these those that nobody has looked at
    std::optional<engine::LooseMessages> loose_;
    std::vector<Tail> tails_;
};

}  // namespace carpool::sparse
