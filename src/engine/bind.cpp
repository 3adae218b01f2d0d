#include "engine/bind.hpp"

#include <algorithm>
#include <unordered_map>

namespace carpool::engine {
namespace {

using schedule::Slot;

class Binder {
public:
    Binder(const schedule::Schedule& schedule, const Buffers& buffers, Packing packing)
        : schedule_(schedule),
          buffers_(buffers),
          packing_(packing),
          received_(static_cast<std::size_t>(schedule.recv_slots + schedule.temp_slots)) {}

    Bound bind() {
        for (const auto& round : schedule_.rounds)
            if (!round.receive.parts.empty()) add_receive(round.receive);
        for (const auto& round : schedule_.rounds)
            if (!round.send.parts.empty()) add_send(round.send);
        for (const auto& copy : schedule_.copies) add_copy(copy);
        return std::move(bound_);
    }

private:
    /// What is known of a receive or temporary slot once its receive is bound.
    struct Received {
        Place place;
        int receive = -1;
    };

    Received& received(Slot slot) {
        const int base = slot.kind == Slot::Kind::recv ? 0 : schedule_.recv_slots;
        return received_[static_cast<std::size_t>(base + slot.position)];
    }

    /// The user's block of a slot, none for a temporary one.
    mpi::Block block_of(Slot slot) const {
        if (slot.kind == Slot::Kind::temp) return {};
        const auto& blocks = slot.kind == Slot::Kind::send ? buffers_.send : buffers_.recv;
        return blocks[static_cast<std::size_t>(slot.position)];
    }

    void add_receive(const schedule::Message& message) {
        std::vector<Place> places;
        places.reserve(message.parts.size());
        for (const auto& part : message.parts)
            places.push_back({block_of(part.slot), nullptr, part.bytes});
        const int index = static_cast<int>(bound_.receives.size());
        bound_.receives.push_back({bind_receive(places, message.peer, packing_), {}});
        for (std::size_t i = 0; i < places.size(); ++i)
            received(message.parts[i].slot) = {std::move(places[i]), index};
    }

    void add_send(const schedule::Message& message) {
        const int index = static_cast<int>(bound_.sends.size());
        auto& send = bound_.sends.emplace_back();
        std::vector<Place> places;
        places.reserve(message.parts.size());
        for (const auto& part : message.parts) {
            if (part.slot.kind == Slot::Kind::send) {
                places.push_back({block_of(part.slot), nullptr, part.bytes});
                continue;
            }
            const auto& from = received(part.slot);
            places.push_back(from.place);
            wait_for(from.receive, index);
        }
        send.message = bind_send(places, message.peer, packing_);
        follow_same_peer(message.peer, index);
    }

    void wait_for(int receive, int send) {
        auto& unlocks = bound_.receives[static_cast<std::size_t>(receive)].unlocks;
        if (!unlocks.empty() && unlocks.back() == send) return;
        unlocks.push_back(send);
        ++bound_.sends[static_cast<std::size_t>(send)].waits_for;
    }

    /// Messages to one peer share a tag, so they must leave in the order of their rounds.
    void follow_same_peer(int peer, int send) {
        const auto [last, first_one] = last_to_.try_emplace(peer, send);
        if (first_one) return;
        bound_.sends[static_cast<std::size_t>(last->second)].next_same_peer = send;
        ++bound_.sends[static_cast<std::size_t>(send)].waits_for;
        last->second = send;
    }

    void add_copy(const schedule::Copy& copy) {
        const bool first = copy.from.kind == Slot::Kind::send;
        const Place from =
            first ? Place{block_of(copy.from), nullptr, copy.bytes} : received(copy.from).place;
        auto& copies = first ? bound_.first_copies : bound_.last_copies;
        if (!from.block.shape) return copies.scatters.scatter(from.staged, block_of(copy.to));
        auto* const scratch = copies.scratch
                                  .emplace_back(std::make_unique_for_overwrite<std::byte[]>(
                                      static_cast<std::size_t>(copy.bytes)))
                                  .get();
        copies.gathers.gather(from.block, scratch);
        copies.scatters.scatter(scratch, block_of(copy.to));
    }

    const schedule::Schedule& schedule_;
    const Buffers& buffers_;
    Packing packing_;
    Bound bound_;
    std::vector<Received> received_;        // receive slots, then temporary ones
    std::unordered_map<int, int> last_to_;  // per peer, the latest send
};

}  // namespace

Bound bind(const schedule::Schedule& schedule, const Buffers& buffers, Packing packing) {
    return Binder(schedule, buffers, packing).bind();
}

}  // namespace carpool::engine
