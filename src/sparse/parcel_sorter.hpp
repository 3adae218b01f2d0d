// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/comm/comm_state.hpp"
#include "sparse/delivery.hpp"
#include "sparse/parcel.hpp"
#include "sparse/pending_messages.hpp"
#include "sparse/received_message.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace carpool::sparse {

/// The tags of one exchange.
struct Tags {
    int messages;  ///< messages of parcels
    int straight;  ///< parcels that are sent directly
};

/// The parcels of one rank in one exchange: those that it sends, and those that it has received.
class ParcelSorter {
public:
    /// @param longest  bytes of a parcel that is sent with others; longer ones are sent directly
    ParcelSorter(PendingMessages& pending, Tags tags, const mpi::CommState& state,
                 std::int64_t longest)
        : pending_(pending),
          tags_(tags),
          rank_(state.rank()),
          ranks_(state.size()),
          longest_(longest) {}

    /// Adds the blocks that a rank sends. A parcel for itself is delivered, a long one is sent, and
    /// all others go into the messages that `message_for` gives for their targets.
    void load(const SendList& send_list,
              const std::function<OutgoingParcels&(int target)>& message_for);

    /// Reads a message: parcels for other ranks go into the messages for these. Throws an Error if
    /// the message is broken.
    /// @param message_for  empty where all parcels come from their origins
    void unload(ReceivedMessage message, Piggyback& piggyback,
                const std::function<OutgoingParcels&(int target)>& message_for);

    /// Whether all parcels that have been announced are here.
    /// @pre no message that was probed is still being received
    bool complete() { return pending_.all_received(); }

    Delivery take();

private:
    void keep(const ParcelHeader& header, const mpi::Block& block);
    void send_straight(const ParcelHeader& header, const mpi::Block& block);
    const std::byte* copied(const IncomingParcels::Parcel& parcel);
    void arrive(const ParcelHeader& header, const std::byte* data);
    bool is_rank(int number) const { return 0 <= number && number < ranks_; }

    PendingMessages& pending_;
    Tags tags_;
    int rank_;
    int ranks_;
    std::int64_t longest_;
    Delivery delivery_;
    std::vector<ParcelMemory> packed_;  // long parcels whose blocks are not contiguous
};

/// The demand of one rank: its parcels for other ranks, and the bytes in them.
Demand demand_of(const SendList& send_list, int rank);

}  // namespace carpool::sparse
