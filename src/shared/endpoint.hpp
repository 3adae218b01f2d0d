// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.hpp"
#include "shared/envelope.hpp"
#include "shared/unexpected_queue.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace carpool::shared {

/// Another process with which this one shares memory. Messages to it and from it are delivered in
/// order. Any thread may call any function. No function waits.
///
/// Envelopes travel in ring entries. A ring entry is reused when its message has been read, in
/// whatever order that happens. Some messages that no receive expects yet wait in their ring
/// entries; if there are more, they are copied, so that they do not block other messages. The same
/// holds for multicasts.
class Endpoint {
public:
    /// Where the endpoint's multicasts are, and which of them are for this process.
    struct MulticastSource {
        /// The other process's, which is only read.
        const MulticastEntries* multicast_ring = nullptr;
        std::size_t reader = 0;   ///< which of its mailboxes is for this process
        std::size_t mailbox = 0;  ///< which of this process's mailboxes is for it
    };

    /// @param own     this process's mailbox for the endpoint
    /// @param theirs  the endpoint's mailbox for this process, which is only read
    /// @param memory  the endpoint's segment, as it is mapped
    Endpoint(Mailbox& own, const Mailbox& theirs, std::span<const std::byte> memory,
             MulticastSource multicasts)
        : own_(own), theirs_(theirs), memory_(memory), multicasts_(multicasts) {}
    Endpoint(Mailbox& own, const Mailbox& theirs, std::span<const std::byte> memory)
        : Endpoint(own, theirs, memory, MulticastSource{}) {}

    // Messages to the endpoint

    /// Is a ring entry free? Another thread may take it meanwhile.
    bool has_free_entry() const {
        const auto next = head_.load(std::memory_order_relaxed) + 1;
        return next < head_limit_.load(std::memory_order_acquire) || raise_head_limit(next);
    }

    /// Prefetches the next ring entry, while something else is done.
    void prefetch_entry() const {
        constexpr int to_write = 1;
        const auto next = head_.load(std::memory_order_relaxed) + 1;
        __builtin_prefetch(&own_.entries[entry_of(next)], to_write);
    }

    /// Writes a message. Returns its number, or 0 if no ring entry is free and nothing has been
    /// written.
    /// @param put  writes the content and returns its size in bytes. @pre It fits into a ring entry
    template <typename Put>
    std::uint64_t write(const Address& to, ContentPlace place, Put put) {
        const std::lock_guard lock(sending_);
        if (!has_free_entry()) return 0;
        const auto number = head_.load(std::memory_order_relaxed) + 1;
        auto& entry = own_.entries[entry_of(number)];
        entry.context = to.context;
        entry.tag = to.tag;
        entry.place = place;
        entry.after_multicast = latest_multicast_.load(std::memory_order_acquire);
        entry.bytes = put(entry.content);
        entry.number.store(number, std::memory_order_release);
        head_.store(number, std::memory_order_relaxed);
        return number;
    }

    /// Writes a message with that content in its ring entry.
    /// @param bytes  the size of the message, wherever its bytes are
    std::uint64_t send(const Address& to, ContentPlace place, std::int64_t bytes,
                       std::span<const std::byte> content);

    /// Writes a message whose bytes lie at an offset of this process's segment.
    std::uint64_t send_staged(const Address& to, std::int64_t bytes, std::size_t offset);

    bool has_read(std::uint64_t number) const {
        return theirs_.acks.read[entry_of(number)].load(std::memory_order_acquire) >= number;
    }

    std::size_t mailbox() const { return multicasts_.mailbox; }

    /// The multicast of that number is for this endpoint, too: it reads later messages after that
    /// one.
    void note_multicast(std::uint64_t multicast) {
        latest_multicast_.store(multicast, std::memory_order_release);
    }

    bool has_read_multicast(std::uint64_t number) const {
        return theirs_.multicast_acks.read[entry_of(number)].load(std::memory_order_acquire) >=
               number;
    }

    // Messages from the endpoint

    /// Posts a receive, behind all others of the same address. @pre It is not posted already
    void post(PostedReceive& posted_receive);

    /// Withdraws a posted receive. If a message has matched it, the message is lost.
    void cancel(PostedReceive& posted_receive);

    /// Takes in the messages that have arrived. Throws BrokenMessage, as all functions do that take
    /// in messages, if the endpoint has written one that points outside of its memory.
    void poll() {
        if (has_envelope() || has_multicast()) take_in();
    }

    /// Acknowledges that the message's bytes have been read.
    void release(Envelope& envelope);

    /// Has any message arrived that no receive expects? Most often none has, and that is cheap to
    /// find out.
    bool has_unexpected() {
        poll();  // shows what another thread that has taken in a message has counted
        return unexpected_.load(std::memory_order_relaxed) != 0;
    }

    /// A copy of the next message of that address that has arrived and that no receive expects.
    std::optional<Envelope> take_unexpected(const Address& address);

    /// The tag of the first message with that context that has arrived and that no receive expects.
    std::optional<int> first_unexpected(std::uint64_t context);

    /// Is there a message that has to wait for a multicast? The next poll may find both.
    bool is_behind() {
        poll();
        return has_envelope();
    }

    /// Discards all unexpected messages with that context and returns how many there were.
    std::size_t discard(std::uint64_t context);

private:
    /// An unexpected message and the queue that holds it; null if there is none.
    struct QueuedMessage {
        UnexpectedQueue* among = nullptr;
        UnexpectedEnvelope* one = nullptr;
    };

    QueuedMessage find_unexpected(const Address& address);
    Envelope take(const QueuedMessage& found);
    void count_unexpected();
    UnexpectedQueue& unexpected(bool multicast) {
        return multicast ? unexpected_multicasts_ : unexpected_envelopes_;
    }
    void take_in(const Address& address, Envelope envelope);

    static std::size_t entry_of(std::uint64_t number) { return number % Acks::entries; }

    bool is_acknowledged(std::uint64_t number) const {
        return number <= Acks::entries || has_read(number - Acks::entries);
    }

    bool raise_head_limit(std::uint64_t number) const;

    bool has_envelope() const {
        const auto next = tail_.load(std::memory_order_acquire) + 1;
        return theirs_.entries[entry_of(next)].number.load(std::memory_order_acquire) == next;
    }

    bool has_multicast() const {
        if (multicasts_.multicast_ring == nullptr) return false;
        const auto next = multicast_tail_.load(std::memory_order_acquire) + 1;
        return multicasts_.multicast_ring->entries[entry_of(next)].number.load(
                   std::memory_order_acquire) >= next;
    }

    void take_in();
    bool take_in_envelopes();
    bool take_in_multicast();
    bool is_in(std::uint16_t reader_set) const;
    PostedReceive* take_posted(const Address& address);
    void free_entries_before(std::uint64_t number, UnexpectedQueue& queue);
    void ack(const Envelope& envelope) {
        auto& acks = envelope.multicast ? own_.multicast_acks : own_.acks;
        acks.read[entry_of(envelope.number)].store(envelope.number, std::memory_order_release);
    }

    // What each message needs, in as few cache lines as possible. Of each ring, the head counts
    // what has been written and the tail what has been read.
    Mailbox& own_;
    const Mailbox& theirs_;
    std::span<const std::byte> memory_;
    std::atomic<std::uint64_t> head_ = 0;
    /// Ring entries of lower numbers are known to be free. The endpoint writes its acks for each
    /// message, so reading them costs more than sending a message.
    mutable std::atomic<std::uint64_t> head_limit_ = Acks::entries + 1;
    std::atomic<std::uint64_t> tail_ = 0;
    std::atomic<std::uint64_t> multicast_tail_ = 0;  // as far as the multicast ring has been read
    std::vector<PostedReceive*> posted_receives_;    // in the order in which they were posted
    UnexpectedQueue unexpected_envelopes_;
    UnexpectedQueue unexpected_multicasts_;
    std::atomic<std::size_t> unexpected_ = 0;  // the size of both queues
    std::uint64_t arrivals_ = 0;
    MulticastSource multicasts_;
    std::atomic<std::uint64_t> latest_multicast_ = 0;  // for this endpoint

    base::Mutex sending_;
    base::Mutex receiving_;  // guards tail_, multicast_tail_, posted_receives_ and both queues
};

}  // namespace carpool::shared
