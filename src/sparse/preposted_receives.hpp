#pragma once

#include "mpi/comm_state.hpp"
#include "sparse/pending_messages.hpp"
#include "sparse/received_message.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
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
    /// @param head  bytes for which memory waits, alike for all ranks; 48 or more
    PrepostedReceives(const mpi::CommState& state, int tag, std::size_t head,
                      std::vector<int> sources);
    PrepostedReceives(const PrepostedReceives&) = delete;
    PrepostedReceives& operator=(const PrepostedReceives&) = delete;

    /// Each of them will write. @pre all that they have written before has been taken
    void expect();

    /// To a rank that expects it; its first bytes say how long it is (parcel.hpp).
    void send(PendingMessages& pending, int target, std::vector<std::byte> message) const;

    struct Arrival {
        std::size_t partner;  ///< as given, from 0 on
        Message message;      ///< lent until they are expected again
    };

    /// The next message that has come whole; nothing if none has.
    std::optional<Arrival> arrived();

private:
    void receive(std::size_t partner, std::byte* to, std::int64_t count);
    bool grows(std::size_t partner);
    std::span<const std::byte> head_of(std::size_t partner) const;

    const mpi::CommState& state_;
    int tag_;
    std::size_t head_;
    std::vector<int> sources_;
    Memory heads_;
    std::vector<Message> tails_;         // with their heads
    std::vector<MPI_Request> requests_;  // of the heads, then of the tails
};

}  // namespace carpool::sparse
