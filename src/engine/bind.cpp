// SPDX-License-Identifier: MIT
#include "engine/bind.hpp"

#include "base/expects.hpp"
#include "engine/receive_lengths.hpp"
#include "schedule/duplicate_messages.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace carpool::engine {

using schedule::Slot;

/// One pass through the schedule, which fills a BoundSchedule from its beginning.
class Binder::Filler {
public:
    using TempBytes = std::span<const std::int64_t>;

    /// @param temp_bytes  nothing if blocks are as long as the schedule says
    Filler(Binder& binder, const Buffers& buffers, std::optional<TempBytes> temp_bytes,
           BoundSchedule& bound)
        : binder_(binder),
          schedule_(binder.schedule_),
          dependencies_(binder.dependencies_),
          transports_(binder.transports_),
          buffers_(buffers),
          temp_bytes_(temp_bytes),
          bound_(bound) {}

    void fill() {
        if (!schedule_.copies.empty() || !schedule_.sums.empty()) {
            bound_.first_copies.clear();
            bound_.last_copies.clear();
        }
        for (const auto& round : schedule_.rounds)
            if (!round.receive.parts.empty()) add_receive(round.receive);
        for (const auto& round : schedule_.rounds)
            if (!round.send.parts.empty()) add_send(round.send);
        for (const auto& copy : schedule_.copies) add_copy(copy);
        for (const auto& sum : schedule_.sums) add_sum(sum);
        bound_.first_copies.compact();
        bound_.last_copies.compact();
        move_all(buffers_.before, bound_.before);
        move_all(buffers_.after, bound_.after);
    }

private:
    static void move_all(const std::vector<Move>& moves, std::vector<Work>& works) {
        if (works.size() != moves.size()) works.resize(moves.size());
        for (std::size_t i = 0; i < moves.size(); ++i)
            works[i].become_copy(moves[i].from, moves[i].to);
    }

    /// Where the block of a receive or temporary slot can be read once it has come.
    Location& location_of(Slot slot) {
        const int base = slot.kind == Slot::Kind::recv ? 0 : schedule_.recv_slots;
        return binder_.locations_[static_cast<std::size_t>(base + slot.position)];
    }

    /// The user's memory of a slot; none for a temporary slot unless it must be typed.
    const mpi::Block& block_of(Slot slot) const {
        static const mpi::Block none;
        if (slot.kind == Slot::Kind::temp && buffers_.temp.empty()) return none;
        const auto& blocks = slot.kind == Slot::Kind::send   ? buffers_.send
                             : slot.kind == Slot::Kind::recv ? buffers_.recv
                                                             : buffers_.temp;
        CARPOOL_EXPECTS(
            slot.position >= 0 && static_cast<std::size_t>(slot.position) < blocks.size(),
            slot.kind, slot.position, blocks.size());
        return blocks[static_cast<std::size_t>(slot.position)];
    }

    Location own_location(const schedule::Message& message, const schedule::Part& part) const {
        const auto& found = block_of(part.slot);
        const auto* const block = found.shape ? &found : nullptr;
        if (!temp_bytes_ || message.length_header) return {block, nullptr, part.bytes};
        const auto slot = static_cast<std::size_t>(part.slot.position);
        return {block, nullptr, block != nullptr ? block->shape.bytes() : (*temp_bytes_)[slot]};
    }

    /// Whether a message is one block and nothing else.
    static bool is_one_block(const schedule::Message& message) {
        return message.parts.size() == 1 && !message.length_header;
    }

    void add_receive(const schedule::Message& message) {
        auto& bound = bound_.receives[receives_++];
        bound.reset(message);
        if (!temp_bytes_) bound.reread = is_reread(message);
        if (is_one_block(message)) {
            const auto slot = message.parts.front().slot;
            const auto& block = block_of(slot);
            if (bound.bind_receive_in_place(block)) {
                // a length header has announced the block of a rendezvous message
                if (!message.rendezvous) location_of(slot) = {&block, nullptr, block.shape.bytes()};
                return;
            }
        }
        auto& parts = binder_.parts_;
        parts.clear();
        for (const auto& part : message.parts) parts.push_back(own_location(message, part));
        if (message.length_header)
            bind_incoming_headed_message(bound, parts, message.parts.front().bytes,
                                         sources_of(message), transports_);
        else
            bind_receive(bound, parts, transports_, binder_.packing_);
        if (message.rendezvous) return;  // a length header has announced its blocks
        for (std::size_t i = 0; i < parts.size(); ++i)
            location_of(message.parts[i].slot) = std::move(parts[i]);
    }

    /// The same whatever the message is filled with.
    bool is_reread(const schedule::Message& message) const {
        return std::ranges::any_of(message.parts, [this](const auto& part) {
            return dependencies_.has_readers(part.slot);
        });
    }

    void add_send(const schedule::Message& message) {
        auto& bound = bound_.sends[sends_++];
        bound.reset(message);
        if (is_one_block(message)) {
            const auto slot = message.parts.front().slot;
            const auto* const block =
                dependencies_.received(slot) ? location_of(slot).block : &block_of(slot);
            if (block != nullptr && bound.bind_send_in_place(*block)) return;
        }
        auto& parts = binder_.parts_;
        parts.clear();
        for (const auto& part : message.parts)
            parts.push_back(dependencies_.received(part.slot) ? location_of(part.slot)
                                                              : own_location(message, part));
        if (message.length_header)
            bind_outgoing_headed_message(bound, parts, message.parts.front().bytes, transports_);
        else
            bind_send(bound, parts, transports_, binder_.packing_);
    }

    /// Per part, the rank whose block it is, if the part is for this rank.
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

    /// Checks the size of a block that stays on this rank, since no message checks it.
    void check_sizes(const schedule::Copy& copy) const {
        const auto& from = block_of(copy.from);
        const auto& to = block_of(copy.to);
        if (!from.shape || !to.shape || from.shape.bytes() == to.shape.bytes()) return;
        const bool own = copy.from.kind == Slot::Kind::send || buffers_.sources.empty();
        throw wrong_length(own ? transports_.rank() : source_of(copy.from), from.shape.bytes(),
                           transports_.rank(), to.shape);
    }

    void add_copy(const schedule::Copy& copy) {
        check_sizes(copy);
        if (dependencies_.has_readers(copy.to))
            return bound_.works[works_++].become_copy(block_of(copy.from), block_of(copy.to));
        const bool first = dependencies_.ready_at_start(copy.from);
        auto& copies = first ? bound_.first_copies : bound_.last_copies;
        const bool sent = copy.from.kind == Slot::Kind::send;
        if (!sent && location_of(copy.from).headed_message != nullptr) {
            const auto& come = location_of(copy.from);
            return come.headed_message->deliver(come.part, block_of(copy.to), source_of(copy.to));
        }
        const auto* staged = sent ? nullptr : location_of(copy.from).staged;
        if (staged != nullptr)
            copies.add(staged, block_of(copy.to));
        else
            copies.add(block_of(copy.from), block_of(copy.to));
    }

    void add_sum(const schedule::Sum& sum) {
        auto& of = binder_.summands_;
        of.clear();
        for (const auto& slot : sum.of) of.push_back(&block_of(slot));
        const auto op = static_cast<std::size_t>(sum.op);
        CARPOOL_EXPECTS(op < buffers_.ops.size(), sum.op, buffers_.ops.size());
        auto& work = dependencies_.has_readers(sum.to) ? bound_.works[works_++]
                                                       : bound_.last_works[last_works_++];
        work.become_sum(of, block_of(sum.to), buffers_.ops[op]);
        if (begins_early(sum)) work.begin_in(bound_.first_copies);
    }

    /// Whether the summand with which a sum begins is there before the sum's first message, so that
    /// it can be copied before that comes.
    bool begins_early(const schedule::Sum& sum) const {
        return dependencies_.ready_at_start(sum.of.back()) &&
               std::ranges::any_of(sum.of, [this](auto slot) {
                   return slot.kind != Slot::Kind::send && dependencies_.received(slot);
               });
    }

    Binder& binder_;
    const schedule::Schedule& schedule_;
    const schedule::Dependencies& dependencies_;
    const Transports& transports_;
    const Buffers& buffers_;
    std::optional<TempBytes> temp_bytes_;
    BoundSchedule& bound_;
    std::size_t receives_ = 0;  // how many are filled; likewise for what follows
    std::size_t sends_ = 0;
    std::size_t works_ = 0;
    std::size_t last_works_ = 0;
};

Binder::Binder(const schedule::Schedule& schedule, const Transports& transports, Packing packing)
    : schedule_(schedule),
      transports_(transports),
      packing_(packing),
      dependencies_(schedule),
      locations_(static_cast<std::size_t>(schedule.recv_slots + schedule.temp_slots)) {}

BoundSchedule Binder::bind(const Buffers& buffers) {
    auto bound = with_room();
    Filler(*this, buffers, std::nullopt, bound).fill();
    return bound;  // moving it does not move its contents
}

void Binder::fill(const Buffers& buffers, std::span<const std::int64_t> temp_bytes,
                  BoundSchedule& bound) {
    Filler(*this, buffers, temp_bytes, bound).fill();
}

void Binder::fill(const Buffers& buffers, BoundSchedule& bound) {
    Filler(*this, buffers, std::nullopt, bound).fill();
}

/// A BoundSchedule with room for all that the schedule has.
BoundSchedule Binder::with_room() {
    BoundSchedule bound;
    bound.arrivals = std::move(dependencies_.arrivals);
    bound.tasks = std::move(dependencies_.tasks);
    bound.receives.resize(bound.arrivals.size());
    for (const auto& round : schedule_.rounds)
        if (!round.receive.parts.empty()) bound.phases.push_back(round.phase);
    bound.sends.resize(static_cast<std::size_t>(schedule::messages_sent(schedule_)));
    bound.works.resize(bound.tasks.size() - bound.sends.size());
    const auto is_last = [this](const auto& sum) { return !dependencies_.has_readers(sum.to); };
    bound.last_works.resize(
        static_cast<std::size_t>(std::ranges::count_if(schedule_.sums, is_last)));
    number_contents(bound);
    return bound;
}

void Binder::number_contents(BoundSchedule& bound) const {
    const auto duplicate_messages = schedule::first_of_duplicates(schedule_);
    for (std::size_t s = 0; s < duplicate_messages.size(); ++s)
        bound.sends[s].transfer.content = duplicate_messages[s];
}

}  // namespace carpool::engine
