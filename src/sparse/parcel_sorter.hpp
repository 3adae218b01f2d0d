#pragma once

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
    int messages;  ///< of parcels
    int straight;  ///< parcels by themselves
};

/// The parcels of one rank in one exchange: those that it gives, and those that have come for it.
class ParcelSorter {
public:
    /// @param longest  bytes of a parcel that travels with others; longer ones go straight
    ParcelSorter(PendingMessages& pending, Tags tags, int rank, std::int64_t longest)
        : pending_(pending), tags_(tags), rank_(rank), longest_(longest) {}

    /// Sorts out what a rank gives: a parcel for itself is there, a long one leaves, the others go
    /// into the messages that `message_for` has for their targets.
    void load(const SendList& send_list, const std::function<Outgoing&(int target)>& message_for);

    /// Takes in a message: what is for others goes into the messages for them.
    void unload(ReceivedMessage message, Piggyback& piggyback,
                const std::function<Outgoing&(int target)>& message_for);

    /// Has all come that has been announced? @pre no message is on its way that was probed
    bool complete() { return pending_.all_received(); }

    Delivery take();

private:
    void keep(const ParcelHeader& header, const mpi::Block& block);
    void send_straight(const ParcelHeader& header, const mpi::Block& block);
    const std::byte* copied(const Incoming::Parcel& parcel);
    void arrive(const ParcelHeader& header, const std::byte* data);

    PendingMessages& pending_;
    Tags tags_;
    int rank_;
    std::int64_t longest_;
    Delivery delivery_;
    std::vector<ParcelMemory> packed_;  // what leaves straight and does not lie in one piece
};

/// What the ranks are to know of it: parcels for others, and bytes in them.
Demand demand_of(const SendList& send_list, int rank);

}  // namespace carpool::sparse
