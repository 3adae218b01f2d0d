#pragma once

#include "many/delivery.hpp"
#include "many/message.hpp"
#include "many/parcel.hpp"
#include "many/wire.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace carpool::many {

/// The tags of one exchange.
struct Tags {
    int messages;  ///< of parcels
    int straight;  ///< parcels by themselves
};

/// The parcels of one rank in one exchange: those that it gives, and those that have come for it.
class Hold {
public:
    /// @param longest  bytes of a parcel that travels with others; longer ones go straight
    Hold(Wire& wire, Tags tags, int rank, std::int64_t longest)
        : wire_(wire), tags_(tags), rank_(rank), longest_(longest) {}

    /// Sorts out what a rank gives: a parcel for itself is there, a long one leaves, the others go
    /// into the messages that `message_for` has for their targets.
    void load(const Cargo& cargo, const std::function<Outgoing&(int target)>& message_for);

    /// Takes in a message: what is for others goes into the messages for them.
    void unload(Message message, News& news,
                const std::function<Outgoing&(int target)>& message_for);

    /// Has all come that has been announced?
    bool complete() { return wire_.all_received(); }

    Delivery take();

private:
    void keep(const Label& label, const mpi::Block& block);
    void send_straight(const Label& label, const mpi::Block& block);
    const std::byte* copied(const Incoming::Parcel& parcel);
    void arrive(const Label& label, const std::byte* data);

    Wire& wire_;
    Tags tags_;
    int rank_;
    std::int64_t longest_;
    Delivery delivery_;
    std::vector<Memory> packed_;  // what leaves straight and does not lie in one piece
};

/// What the ranks are to know of it: parcels for others, and bytes in them.
Account account_of(const Cargo& cargo, int rank);

}  // namespace carpool::many
