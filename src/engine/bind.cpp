#include "engine/bind.hpp"

#include "base/expects.hpp"
#include "engine/receive_lengths.hpp"
#include "schedule/twins.hpp"

#include <algorithm>
#include <utility>

namespace carpool::engine {
namespace {

using schedule::Slot;

class Binder {
public:
    Binder(const schedule::Schedule& schedule, const Buffers& buffers, const Transports& transports,
           Packing packing)
        : schedule_(schedule),
          buffers_(buffers),
          transports_(transports),
          packing_(packing),
          dependencies_(schedule),
          locations_(static_cast<std::size_t>(schedule.recv_slots + schedule.temp_slots)) {}

    Bound bind() {
        for (const auto& round : schedule_.rounds)
            if (!round.receive.parts.empty()) add_receive(round);
        for (const auto& round : schedule_.rounds)
            if (!round.send.parts.empty()) add_send(round.send);
        for (const auto& copy : schedule_.copies) add_copy(copy);
        for (const auto& sum : schedule_.sums) add_sum(sum);
        for (const auto& [from, to] : buffers_.before)
            bound_.before.push_back(Work::copy(from, to));
        for (const auto& [from, to] : buffers_.after) bound_.after.push_back(Work::copy(from, to));
        number_contents();
        bound_.tasks = std::move(dependencies_.tasks);
        bound_.arrivals = std::move(dependencies_.arrivals);
        return std::move(bound_);
    }

private:
    /// Where the block of a receive or temporary slot can be read once it has come.
    Location& location_of(Slot slot) {
        const int base = slot.kind == Slot::Kind::recv ? 0 : schedule_.recv_slots;
        return locations_[static_cast<std::size_t>(base + slot.position)];
    }

    /// The user's memory of a slot, none for a temporary one unless it must be typed.
    mpi::Block block_of(Slot slot) const {
        if (slot.kind == Slot::Kind::temp && buffers_.temp.empty()) return {};
        const auto& blocks = slot.kind == Slot::Kind::send   ? buffers_.send
                             : slot.kind == Slot::Kind::recv ? buffers_.recv
                                                             : buffers_.temp;
        CARPOOL_EXPECTS(
            slot.position >= 0 && static_cast<std::size_t>(slot.position) < blocks.size(),
            slot.kind, slot.position, blocks.size());
        return blocks[static_cast<std::size_t>(slot.position)];
    }

    void add_receive(const schedule::Round& round) {
        const auto& message = round.receive;
        bound_.phases.push_back(round.phase);
        std::vector<Location> locations;
        locations.reserve(message.parts.size());
        for (const auto& part : message.parts)
            locations.push_back({block_of(part.slot), nullptr, part.bytes});
        auto& bound = bound_.receives.emplace_back(bound_receive(message, locations));
        bound.reread =
            std::any_of(message.parts.begin(), message.parts.end(),
                        [this](const auto& part) { return dependencies_.has_readers(part.slot); });
        if (message.apart) return;  // its blocks are those of which a shipment tells
        for (std::size_t i = 0; i < locations.size(); ++i)
            location_of(message.parts[i].slot) = std::move(locations[i]);
    }

    BoundMessage bound_receive(const schedule::Message& message, std::vector<Location>& parts) {
        if (message.waybill)
            return bind_incoming_shipment(parts, parts.front().bytes, message.peer,
                                          sources_of(message), transports_);
        auto bound = bind_receive(parts, message.peer, transports_, packing_);
        bound.transfer.apart = message.apart;
        return bound;
    }

    void add_send(const schedule::Message& message) {
        std::vector<Location> locations;
        locations.reserve(message.parts.size());
        for (const auto& part : message.parts)
            locations.push_back(dependencies_.received(part.slot)
                                    ? location_of(part.slot)
                                    : Location{block_of(part.slot), nullptr, part.bytes});
        bound_.sends.push_back(bound_send(message, locations));
    }

    void number_contents() {
        const auto twins = schedule::first_twins(schedule_);
        for (std::size_t s = 0; s < twins.size(); ++s) bound_.sends[s].transfer.content = twins[s];
    }

    BoundMessage bound_send(const schedule::Message& message, const std::vector<Location>& parts) {
        if (message.waybill)
            return bind_outgoing_shipment(parts, message.parts.front().bytes, message.peer,
                                          transports_);
        auto bound = bind_send(parts, message.peer, transports_, packing_);
        bound.transfer.apart = message.apart;
        return bound;
    }

    /// Whose block each part is, as far as it is for this rank.
    std::vector<int> sources_of(const schedule::Message& message) const {
        std::vector<int> sources;
        for (const auto& [slot, bytes] : message.parts)
            sources.push_back(slot.kind == Slot::Kind::recv ? source_of(slot) : MPI_PROC_NULL);
        return sources;
    }

    int source_of(Slot slot) const {
        const auto position = static_cast<std::size_t>(slot.position);
        CARPOOL_EXPECTS(position < buffers_.sources.size(), slot.position, buffers_.sources.size());
        return buffers_.sources[position];
    }

    /// What stays on a rank, no message has checked.
    void check_sizes(const schedule::Copy& copy) const {
        const auto from = block_of(copy.from);
        const auto to = block_of(copy.to);
        if (!from.shape || !to.shape || from.shape->bytes() == to.shape->bytes()) return;
        const bool own = copy.from.kind == Slot::Kind::send || buffers_.sources.empty();
        throw wrong_length(own ? transports_.rank() : source_of(copy.from), from.shape->bytes(),
                           transports_.rank(), to.shape->bytes());
    }

    void add_copy(const schedule::Copy& copy) {
        check_sizes(copy);
        if (dependencies_.has_readers(copy.to)) {
            bound_.works.push_back(Work::copy(block_of(copy.from), block_of(copy.to)));
            return;
        }
        const bool first = dependencies_.ready_at_start(copy.from);
        auto& copies = first ? bound_.first_copies : bound_.last_copies;
        const bool sent = copy.from.kind == Slot::Kind::send;
        if (!sent && location_of(copy.from).shipment != nullptr) {
            const auto& come = location_of(copy.from);
            return come.shipment->deliver(come.part, block_of(copy.to), source_of(copy.to));
        }
        const auto* staged = sent ? nullptr : location_of(copy.from).staged;
        if (staged != nullptr)
            copies.add(staged, block_of(copy.to));
        else
            copies.add(block_of(copy.from), block_of(copy.to));
    }

    void add_sum(const schedule::Sum& sum) {
        std::vector<mpi::Block> of;
        for (const auto& slot : sum.of) of.push_back(block_of(slot));
        auto& works = dependencies_.has_readers(sum.to) ? bound_.works : bound_.last_works;
        const auto op = static_cast<std::size_t>(sum.op);
        CARPOOL_EXPECTS(op < buffers_.ops.size(), sum.op, buffers_.ops.size());
        auto& work = works.emplace_back(Work::sum(of, block_of(sum.to), buffers_.ops[op]));
        if (begins_early(sum)) bound_.first_copies.add(work.take_first());
    }

    /// Is what it begins with there before its first message, so that it need not be copied then?
    bool begins_early(const schedule::Sum& sum) const {
        return dependencies_.ready_at_start(sum.of.back()) &&
               std::ranges::any_of(sum.of, [this](auto slot) {
                   return slot.kind != Slot::Kind::send && dependencies_.received(slot);
               });
    }

    const schedule::Schedule& schedule_;
    const Buffers& buffers_;
    const Transports& transports_;
    Packing packing_;
    Dependencies dependencies_;
    Bound bound_;
    std::vector<Location> locations_;  // receive slots, then temporary ones
};

}  // namespace

Bound bind(const schedule::Schedule& schedule, const Buffers& buffers, const Transports& transports,
           Packing packing) {
    return Binder(schedule, buffers, transports, packing).bind();
}

}  // namespace carpool::engine
