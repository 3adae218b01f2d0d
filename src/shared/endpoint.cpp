// SPDX-License-Identifier: MIT
#include "shared/endpoint.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

namespace carpool::shared {
namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void refuse(const char* what, std::uint64_t number) {
    throw BrokenMessage(
        std::string("another process has written a broken message to shared memory: ") + what +
        " is " + std::to_string(number));
}

/// Where that many bytes lie at an offset of the endpoint's memory.
const std::byte* place_in(Bytes memory, std::uint64_t offset, std::uint64_t bytes) {
    if (offset > memory.size()) refuse("its offset", offset);
    if (bytes > memory.size() - offset) refuse("its length", bytes);
    return memory.data() + offset;
}

/// Where the content of a message is. A length below 0 counts as too long.
template <typename AnyEntry>
const std::byte* content_of(const AnyEntry& entry, Bytes memory) {
    const auto bytes = static_cast<std::uint64_t>(entry.bytes);
    switch (entry.place) {
        case ContentPlace::in_entry:
            if (bytes > AnyEntry::capacity) refuse("its length", bytes);
            return entry.content;
        case ContentPlace::staged: {
            std::uint64_t offset = 0;
            std::memcpy(&offset, entry.content, sizeof offset);
            return place_in(memory, offset, bytes);
        }
        case ContentPlace::elsewhere:
            if (entry.bytes < 0) refuse("its length", bytes);
            return entry.content;
    }
    refuse("its kind", static_cast<std::uint64_t>(entry.place));
}

/// The envelope of a message whose content stays where it is.
template <typename AnyEntry>
Envelope envelope_in(const AnyEntry& entry, std::uint64_t number, Bytes memory) {
    constexpr bool is_multicast = std::is_same_v<AnyEntry, MulticastEntry>;
    return {number, is_multicast, entry.place, entry.bytes, content_of(entry, memory)};
}

Envelope copied(const Envelope& envelope) {
    Envelope result{0, envelope.multicast, envelope.place, envelope.bytes};
    if (envelope.place == ContentPlace::elsewhere) return result;
    const auto bytes = static_cast<std::size_t>(envelope.bytes);
    result.copy = std::make_unique_for_overwrite<std::byte[]>(bytes);
    std::memcpy(result.copy.get(), envelope.content, bytes);
    result.content = result.copy.get();
    return result;
}

void match(PostedReceive& posted_receive, Envelope envelope) {
    posted_receive.envelope = std::move(envelope);
    posted_receive.matched.store(true, std::memory_order_release);
}

}  // namespace

/// Finds out how many ring entries from that number on are free. Returns false if none is.
bool Endpoint::raise_head_limit(std::uint64_t number) const {
    auto end = number;
    while (end < number + Acks::entries && is_acknowledged(end)) ++end;
    if (end > number) head_limit_.store(end, std::memory_order_release);
    return end > number;
}

std::uint64_t Endpoint::send(const Address& to, ContentPlace place, std::int64_t bytes,
                             std::span<const std::byte> content) {
    CARPOOL_EXPECTS(content.size() <= RingEntry::capacity, content.size());
    return write(to, place, [&](std::byte* entry) {
        if (!content.empty()) std::memcpy(entry, content.data(), content.size());
        return bytes;
    });
}

std::uint64_t Endpoint::send_staged(const Address& to, std::int64_t bytes, std::size_t offset) {
    const auto staged_at = static_cast<std::uint64_t>(offset);
    return send(to, ContentPlace::staged, bytes, std::as_bytes(std::span(&staged_at, 1)));
}

void Endpoint::post(PostedReceive& posted_receive) {
    posted_receive.matched.store(false, std::memory_order_relaxed);
    const std::lock_guard lock(receiving_);
    const auto found = find_unexpected(posted_receive.address);
    if (found.among == nullptr) return posted_receives_.push_back(&posted_receive);
    match(posted_receive, take(found));
}

void Endpoint::cancel(PostedReceive& posted_receive) {
    const std::lock_guard lock(receiving_);
    std::erase(posted_receives_, &posted_receive);
    if (posted_receive.matched.exchange(false, std::memory_order_relaxed))
        release(posted_receive.envelope);
}

/// The multicast that a message comes after was written before the message, so the next poll finds
/// it at the latest.
void Endpoint::take_in() {
    const std::lock_guard lock(receiving_);
    for (bool more = true; more;) {
        const bool multicast = has_multicast();
        more = take_in_envelopes();
        if (multicast && take_in_multicast()) more = true;
    }
}

/// Takes in messages until one comes after a multicast that has not been read. Returns whether
/// there were any.
bool Endpoint::take_in_envelopes() {
    bool some = false;
    for (; has_envelope(); some = true) {
        const auto number = tail_.load(std::memory_order_relaxed) + 1;
        const auto& entry = theirs_.entries[entry_of(number)];
        if (entry.after_multicast > multicast_tail_.load(std::memory_order_relaxed)) return some;
        take_in({entry.context, entry.tag}, envelope_in(entry, number, memory_));
        tail_.store(number, std::memory_order_release);
        free_entries_before(number, unexpected_envelopes_);
    }
    return some;
}

/// A multicast for other processes may be overwritten meanwhile, and so may those behind it: then
/// the oldest that is left comes next. One that is for this process does not change. Returns false
/// while it is being overwritten.
bool Endpoint::take_in_multicast() {
    const auto next = multicast_tail_.load(std::memory_order_relaxed) + 1;
    const auto& entry = multicasts_.multicast_ring->entries[entry_of(next)];
    const auto number = entry.number.load(std::memory_order_acquire);
    if (number < next) return false;
    if ((number - next) % Acks::entries != 0) refuse("its number", number);
    const auto reader_set = entry.reader_set.load(std::memory_order_acquire);
    const bool unchanged = entry.number.load(std::memory_order_relaxed) == number;
    if (number == next && unchanged && is_in(reader_set))
        take_in({entry.context, entry.tag}, envelope_in(entry, number, memory_));
    multicast_tail_.store(number == next ? next : number - Acks::entries,
                          std::memory_order_release);
    free_entries_before(number, unexpected_multicasts_);
    return true;
}

void Endpoint::take_in(const Address& address, Envelope envelope) {
    if (auto* const posted_receive = take_posted(address))
        return match(*posted_receive, std::move(envelope));
    unexpected(envelope.multicast).add({arrivals_++, address, std::move(envelope)});
    count_unexpected();
}

bool Endpoint::is_in(std::uint16_t reader_set) const {
    constexpr std::size_t word_bits = 64;
    if (reader_set >= MulticastEntries::most_reader_sets) refuse("its reader set", reader_set);
    const auto offset =
        multicasts_.multicast_ring->reader_sets[reader_set].load(std::memory_order_acquire);
    if (offset % sizeof(std::uint64_t) != 0) refuse("the offset of its readers", offset);
    const auto word = multicasts_.reader / word_bits * sizeof(std::uint64_t);
    const auto* const bits = reinterpret_cast<const std::uint64_t*>(
        place_in(memory_, offset, word + sizeof(std::uint64_t)) + word);
    return (*bits >> multicasts_.reader % word_bits & 1) != 0;
}

/// Removes and returns the first posted receive for that address; null if there is none.
PostedReceive* Endpoint::take_posted(const Address& address) {
    const auto found = std::find_if(posted_receives_.begin(), posted_receives_.end(),
                                    [&](const auto* one) { return one->address == address; });
    if (found == posted_receives_.end()) return nullptr;
    auto* const posted_receive = *found;
    posted_receives_.erase(found);
    return posted_receive;
}

/// The messages that wait in their ring entries are at the end of the queue: older ones have been
/// copied.
void Endpoint::free_entries_before(std::uint64_t number, UnexpectedQueue& queue) {
    const auto waiting = queue.waiting();
    for (auto one = waiting.rbegin(); one != waiting.rend() && one->envelope.number != 0; ++one) {
        if (one->envelope.number + Acks::entries / 2 > number) continue;
        const auto in_entry = std::exchange(one->envelope, copied(one->envelope));
        ack(in_entry);
    }
}

void Endpoint::release(Envelope& envelope) {
    if (envelope.number != 0) ack(envelope);
    envelope = {};
}

void Endpoint::count_unexpected() {
    unexpected_.store(
        unexpected_envelopes_.waiting().size() + unexpected_multicasts_.waiting().size(),
        std::memory_order_relaxed);
}

/// Envelopes and multicasts of one address are read in the order in which they arrived.
Endpoint::QueuedMessage Endpoint::find_unexpected(const Address& address) {
    auto* const envelope = unexpected_envelopes_.find(address);
    auto* const multicast = unexpected_multicasts_.find(address);
    const bool is_envelope =
        envelope != nullptr && (multicast == nullptr || envelope->arrival < multicast->arrival);
    if (is_envelope) return {&unexpected_envelopes_, envelope};
    return multicast != nullptr ? QueuedMessage{&unexpected_multicasts_, multicast}
                                : QueuedMessage{};
}

Envelope Endpoint::take(const QueuedMessage& found) {
    auto envelope = found.among->take(*found.one);
    count_unexpected();
    return envelope;
}

std::optional<Envelope> Endpoint::take_unexpected(const Address& address) {
    poll();
    const std::lock_guard lock(receiving_);
    const auto found = find_unexpected(address);
    if (found.among == nullptr) return std::nullopt;
    auto envelope = take(found);
    if (envelope.number == 0) return envelope;
    auto copy = copied(envelope);
    release(envelope);
    return copy;
}

std::optional<int> Endpoint::first_unexpected(std::uint64_t context) {
    poll();
    const std::lock_guard lock(receiving_);
    const UnexpectedEnvelope* first = nullptr;
    for (auto* const queue : {&unexpected_envelopes_, &unexpected_multicasts_})
        for (const auto& one : queue->waiting()) {
            if (one.address.context != context) continue;
            if (first == nullptr || one.arrival < first->arrival) first = &one;
            break;
        }
    return first != nullptr ? std::optional<int>(first->address.tag) : std::nullopt;
}

std::size_t Endpoint::discard(std::uint64_t context) {
    poll();
    const std::lock_guard lock(receiving_);
    std::size_t count = 0;
    for (auto* const queue : {&unexpected_envelopes_, &unexpected_multicasts_})
        count += queue->erase_if([&](UnexpectedEnvelope& one) {
            const bool erased = one.address.context == context;
            if (erased) release(one.envelope);
            return erased;
        });
    count_unexpected();
    return count;
}

}  // namespace carpool::shared
